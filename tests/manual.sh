#!/usr/bin/env bash
# docs/cli.md, the manual page and the shells' completions say what the command takes: all are written by the command itself.
# Usage: tests/manual.sh GFXISA BUILD_DIR
set -uo pipefail
gfxisa=$(realpath "$1")
build=$2
cd "$(dirname "$0")/.."
failures=0
fail() {
  failures=$((failures + 1))
  echo "failed: $*"
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The page is up to date: gfxisa manual markdown > docs/cli.md
"$gfxisa" manual markdown | diff docs/cli.md - >"$work/diff" || { cat "$work/diff"; fail "docs/cli.md is not what gfxisa manual markdown writes"; }

# Every command and every option of --help is in the page, in the manual page and in the completions.
for format in markdown man bash zsh fish; do "$gfxisa" manual "$format" | sed 's/\\-/-/g' >"$work/$format"; done
commands=$("$gfxisa" --help | sed -n '/^Subcommands:/,/^$/p' | awk 'NR > 1 && $1 != "" {print $1}')
[ "$(wc -w <<<"$commands")" -ge 11 ] || fail "no commands in --help"
for command in $commands; do
  for format in markdown man bash zsh fish; do grep -qw -- "$command" "$work/$format" || fail "$command is not in $format"; done
  options=$("$gfxisa" "$command" --help | sed -n '/^Options:/,/^Examples:/p' | grep -oE '^  (-[a-z],)?--?[a-z-]+' | tr ',' '\n' | tr -d ' ')
  for option in $options; do
    case $option in -h | --help) continue ;; esac
    for format in markdown man bash zsh; do grep -q -- "$option" "$work/$format" || fail "$command $option is not in $format"; done
    grep -qE -- "seen_subcommand_from $command'.* -[sl] ${option##*-}|from $command'.* -l ${option#--}" "$work/fish" || fail "$command $option is not in fish"
  done
done

# The manual page is clean roff.
if command -v groff >/dev/null; then
  "$gfxisa" manual man | groff -man -Tascii -ww -z 2>"$work/groff"
  [ -s "$work/groff" ] && { cat "$work/groff"; fail "groff warns"; }
  "$gfxisa" manual man | groff -man -Tascii | grep -q 's_bfe_u32' || fail "no example in the manual page"
fi

# What the shells offer, each run for real: SHELL.try FOLDER LINE prints the words.
for shell in bash zsh fish; do "$gfxisa" manual $shell >"$work/$shell"; done
cat >"$work/bash.try" <<'TRY'
source "$1/bash"
read -ra COMP_WORDS <<<"$2"
[ "${2: -1}" != ' ' ] || COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_gfxisa
echo "${COMPREPLY[*]}"
TRY
# Completion of zsh needs its line editor, so a second one runs in a pseudo terminal; what goes to compadd is written to a file.
cp "$work/zsh" "$work/_gfxisa"
cat >"$work/zsh.try" <<'TRY'
zmodload zsh/zpty
zpty shell "zsh -f -i"
zpty -w shell "fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D; setopt no_list_ambiguous; LISTMAX=0"
zpty -w shell "offers() { compadd() { local -a found; builtin compadd -O found \"\$@\" 2>/dev/null; print -r -- \$found >>$1/zsh.out; builtin compadd \"\$@\" }; _main_complete; unfunction compadd; : >$1/zsh.done }"
zpty -w shell 'zle -C offers complete-word offers; bindkey "^X" offers'
zpty -w -n shell "$2"$'\030'
for (( tries = 0; tries < 200; ++tries )) { [[ -e $1/zsh.done ]] && break; sleep 0.1 }
zpty -d shell
print -r -- $(cat $1/zsh.out)
rm -f $1/zsh.out $1/zsh.done
TRY
cat >"$work/fish.try" <<'TRY'
source $argv[1]/fish
complete -C $argv[2] | string replace -r '\t.*' '' | string join ' '
TRY
run_shell() { # SHELL SCRIPT ARGUMENT...
  case $1 in
    bash) bash "${@:2}" ;;
    zsh) zsh -f "${@:2}" </dev/null ;;
    fish) HOME=$work fish --no-config "${@:2}" </dev/null ;;
  esac
}
touch "$work/object.co"
lines=0
offers() { # EXPECTED LINE
  local got
  got=$(cd "$work" && PATH=$(dirname "$gfxisa"):$PATH run_shell "$shell" "$work/$shell.try" "$work" "$2" 2>&1)
  lines=$((lines + 1))
  case " $got " in *" $1 "*) ;; *) fail "$shell for '$2': no '$1' in '${got:0:200}'" ;; esac
}
for shell in bash zsh fish; do
  command -v $shell >/dev/null || { echo "skipped: $shell is not installed, so nothing runs its completion"; continue; }
  offers show 'gfxisa sh'
  offers --arch 'gfxisa show --a'
  offers rdna3.5 'gfxisa show s_bfe_u32 --arch rdna3'
  offers gfx1250 'gfxisa asm --arch gfx12'
  offers s_bfe_u32 'gfxisa show s_bfe_u'
  offers s_bfe_u32 'gfxisa show --arch rdna4 s_bfe_u'
  offers json 'gfxisa list --format j'
  offers SOP2 'gfxisa list --encoding SOP'
  offers rdna4 'gfxisa diff rdna'
  offers cdna5 'gfxisa diff rdna4 cdna'
  offers s_bfe_u32 'gfxisa diff rdna4 cdna5 s_bfe_'
  offers object.co 'gfxisa run obj'
  offers object.co 'gfxisa check-xml --counts obj'
  offers fish 'gfxisa manual f'
done
echo "$lines lines completed"

# They are installed.
cmake --install "$build" --component command --prefix "$work/prefix" >/dev/null
for file in share/man/man1/gfxisa.1 share/bash-completion/completions/gfxisa share/zsh/site-functions/_gfxisa share/fish/vendor_completions.d/gfxisa.fish; do
  [ -s "$work/prefix/$file" ] || fail "$file is not installed"
done
[ "$failures" = 0 ] && echo "the command line, its manual and its completions agree"
exit $((failures > 0))

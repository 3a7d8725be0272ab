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

# What bash offers.
cat >"$work/try.bash" <<'TRY'
PATH=$(dirname "$1"):$PATH
source "$2"
shift 2
COMP_WORDS=(gfxisa "$@")
COMP_CWORD=$#
_gfxisa
echo "${COMPREPLY[*]}"
TRY
offers() { # EXPECTED WORD...
  local expected=$1 got
  shift
  got=$(bash "$work/try.bash" "$gfxisa" "$work/bash" "$@" 2>&1)
  case " $got " in *" $expected "*) ;; *) fail "bash for '$*': no '$expected' in '${got:0:200}'" ;; esac
}
"$gfxisa" manual bash >"$work/bash"
touch "$work/object.co"
offers show sh
offers --arch show --a
offers rdna3.5 show s_bfe_u32 --arch rdna3
offers gfx1250 asm --arch gfx12
offers s_bfe_u32 show s_bfe_u
offers s_bfe_u32 show --arch rdna4 s_bfe_u
offers json list --format j
offers SOP2 list --encoding SOP
offers rdna4 diff rdna
offers cdna5 diff rdna4 cdna
offers s_bfe_u32 diff rdna4 cdna5 s_bfe_
offers "$work/object.co" run "$work/obj"
offers "$work/object.co" check-xml --counts "$work/obj"
offers fish manual f

# The other shells read theirs.
if command -v zsh >/dev/null; then zsh -n "$work/zsh" || fail "zsh cannot read its completion"; fi
if command -v fish >/dev/null; then fish --no-execute "$work/fish" || fail "fish cannot read its completion"; fi

# They are installed.
cmake --install "$build" --component command --prefix "$work/prefix" >/dev/null
for file in share/man/man1/gfxisa.1 share/bash-completion/completions/gfxisa share/zsh/site-functions/_gfxisa share/fish/vendor_completions.d/gfxisa.fish; do
  [ -s "$work/prefix/$file" ] || fail "$file is not installed"
done
[ "$failures" = 0 ] && echo "the command line, its manual and its completions agree"
exit $((failures > 0))

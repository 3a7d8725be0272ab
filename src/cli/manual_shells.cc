// Completions for bash, zsh and fish.
#include <fmt/format.h>

#include "cli/manual.h"

namespace gfxisa::cli {
namespace {

constexpr std::string_view mnemonics_of_word = "gfxisa list \"{}*\" 2>/dev/null | awk '{{print $4}}' | sort -u";

/// Text within single quotes of any of the shells.
std::string quoted(std::string_view text, std::string_view quote) {
  std::string out;
  for (const char c : text) out += c == '\'' ? std::string(quote) : std::string(1, c);
  return out;
}

std::string summaries(const Manual& manual) {
  std::string out;
  for (const ManualCommand& command : manual.commands) out += (out.empty() ? "" : " ") + command.name;
  return out;
}

std::string flags_of(const ManualCommand& command) {
  std::string out;
  for (const ManualOption& option : command.options) {
    for (const std::string& name : {option.short_name, option.long_name}) {
      if (!name.empty()) out += (out.empty() ? "" : " ") + name;
    }
  }
  return out;
}

/// A bash command that fills COMPREPLY for a value.
std::string bash_offer(const ManualOption& option) {
  switch (option.offer) {
    case Offer::files:
      return "COMPREPLY=($(compgen -f -- \"$word\"))";
    case Offer::folders:
      return "COMPREPLY=($(compgen -d -- \"$word\"))";
    case Offer::mnemonics:
      return fmt::format("COMPREPLY=($({}))", fmt::format(fmt::runtime(mnemonics_of_word), "$word"));
    case Offer::nothing:
      return ":";
    default:
      return fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$word\"))", fmt::join(offered_words(option), " "));
  }
}

std::string bash_command(const ManualCommand& command) {
  std::string out = fmt::format("    {})\n      flags='{}'\n      case $before in\n", command.name, flags_of(command));
  std::string takes_value;
  for (const ManualOption& option : command.options) {
    if (option.is_operand() || option.value.empty()) continue;
    const std::string names = option.short_name.empty() || option.long_name.empty()
                                  ? option.name()
                                  : option.short_name + "|" + option.long_name;
    out += fmt::format("        {}) {}; return ;;\n", names, bash_offer(option));
    takes_value += (takes_value.empty() ? "" : "|") + names;
  }
  out += fmt::format("      esac\n      takes_value='{}'\n      ;;\n", takes_value);
  return out;
}

std::string bash_operands(const ManualCommand& command) {
  std::string out = fmt::format("    {})\n      case $operand in\n", command.name);
  unsigned number = 0;
  for (const ManualOption& option : command.options) {
    if (option.is_operand()) out += fmt::format("        {}) {} ;;\n", number++, bash_offer(option));
  }
  return out + "        *) : ;;\n      esac\n      ;;\n";
}

std::string zsh_offer(const ManualOption& option) {
  switch (option.offer) {
    case Offer::files:
      return "_files";
    case Offer::folders:
      return "_files -/";
    case Offer::mnemonics:
      return "_gfxisa_mnemonics";
    case Offer::nothing:
      return " ";
    default:
      return fmt::format("({})", fmt::join(offered_words(option), " "));
  }
}

/// Text in a specification of _arguments: brackets and colons end it.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : quoted(text, "'\\''")) {
    if (c == '[' || c == ']' || c == ':') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_argument(const ManualOption& option, unsigned number) {
  if (option.is_operand())
    return fmt::format("'{}:{}:{}'", option.may_repeat ? "*" : fmt::format("{}", number), zsh_text(option.value),
                       zsh_offer(option));
  const std::string value =
      option.value.empty() ? "" : fmt::format(":{}:{}", zsh_text(option.value), zsh_offer(option));
  std::string out;
  for (const std::string& name : {option.short_name, option.long_name}) {
    if (name.empty()) continue;
    out += fmt::format("{}'{}{}[{}]{}'", out.empty() ? "" : " \\\n        ", option.may_repeat ? "*" : "", name,
                       zsh_text(option.text), value);
  }
  return out;
}

std::string fish_offer(const ManualOption& option) {
  switch (option.offer) {
    case Offer::files:
      return " -rF";
    case Offer::folders:
      return " -xa '(__fish_complete_directories)'";
    case Offer::mnemonics:
      return " -xa '(__gfxisa_mnemonics)'";
    case Offer::nothing:
      return " -x";
    default:
      return fmt::format(" -xa '{}'", fmt::join(offered_words(option), " "));
  }
}

}  // namespace

std::string bash_completion(const Manual& manual) {
  std::string out = "# bash completion for gfxisa; written by `gfxisa manual bash`.\n_gfxisa() {\n";
  out +=
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} flags= takes_value= operand=0 i\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" = 1 ]; then\n";
  out += fmt::format("    COMPREPLY=($(compgen -W '{} --help' -- \"$word\"))\n    return\n  fi\n", summaries(manual));
  out += "  case ${COMP_WORDS[1]} in\n";
  for (const ManualCommand& command : manual.commands) out += bash_command(command);
  out +=
      "    *) return ;;\n  esac\n"
      "  if [[ $word == -* ]]; then\n    COMPREPLY=($(compgen -W \"$flags\" -- \"$word\"))\n    return\n  fi\n"
      "  # Which operand it is: words before that are neither options nor their values.\n"
      "  for ((i = 2; i < COMP_CWORD; ++i)); do\n"
      "    if [[ ${COMP_WORDS[i]} == -* ]]; then\n"
      "      [[ -n $takes_value && ${COMP_WORDS[i]} =~ ^($takes_value)$ ]] && ((++i))\n"
      "    else\n      ((++operand))\n    fi\n  done\n"
      "  case ${COMP_WORDS[1]} in\n";
  for (const ManualCommand& command : manual.commands) out += bash_operands(command);
  return out + "  esac\n}\ncomplete -o filenames -F _gfxisa gfxisa\n";
}

std::string zsh_completion(const Manual& manual) {
  std::string out = "#compdef gfxisa\n# zsh completion for gfxisa; written by `gfxisa manual zsh`.\n\n";
  out +=
      fmt::format("_gfxisa_mnemonics() {{\n  local -a names\n  names=(${{(f)\"$({})\"}})\n  compadd -a names\n}}\n\n",
                  fmt::format(fmt::runtime(mnemonics_of_word), "$PREFIX"));
  out += "_gfxisa() {\n  local -a commands\n  commands=(\n";
  for (const ManualCommand& command : manual.commands)
    out += fmt::format("    '{}:{}'\n", command.name, zsh_text(command.summary));
  out +=
      "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
      "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n";
  for (const ManualCommand& command : manual.commands) {
    out += fmt::format("    {})\n      _arguments", command.name);
    unsigned number = 0;
    for (const ManualOption& option : command.options)
      out += " \\\n        " + zsh_argument(option, option.is_operand() ? ++number : 0);
    out += "\n      ;;\n";
  }
  return out +
         "  esac\n}\n\nif [ \"$funcstack[1]\" = _gfxisa ]; then\n  _gfxisa \"$@\"\nelse\n  compdef _gfxisa "
         "gfxisa\nfi\n";
}

std::string fish_completion(const Manual& manual) {
  std::string out = "# fish completion for gfxisa; written by `gfxisa manual fish`.\n";
  // fish runs no command within double quotes.
  out += fmt::format("function __gfxisa_mnemonics\n  set -l word (commandline -ct)\n  {}\nend\n",
                     fmt::format(fmt::runtime(mnemonics_of_word), "$word"));
  out += "complete -c gfxisa -f\n";
  for (const ManualCommand& command : manual.commands)
    out += fmt::format("complete -c gfxisa -n __fish_use_subcommand -a {} -d '{}'\n", command.name,
                       quoted(command.summary, "\\'"));
  for (const ManualCommand& command : manual.commands) {
    const std::string head = fmt::format("complete -c gfxisa -n '__fish_seen_subcommand_from {}'", command.name);
    for (const ManualOption& option : command.options) {
      if (option.is_operand()) {
        if (option.offer != Offer::nothing) out += head + fish_offer(option) + "\n";
        continue;
      }
      out += head;
      if (!option.short_name.empty()) out += " -s " + option.short_name.substr(1);
      if (!option.long_name.empty()) out += " -l " + option.long_name.substr(2);
      if (!option.value.empty()) out += fish_offer(option);
      out += fmt::format(" -d '{}'\n", quoted(option.text, "\\'"));
    }
  }
  return out;
}

}  // namespace gfxisa::cli

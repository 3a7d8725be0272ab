// The manual as roff and as Markdown.
#include <fmt/format.h>

#include "cli/manual.h"

namespace gfxisa::cli {
namespace {

/// Text for roff: nothing in it is a request or an escape.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) {
      out += std::string("\\&") + c;
    } else {
      out += c;
    }
  }
  return out;
}

std::string option_text(const ManualOption& option) {
  std::string out = option.text;
  if (!option.environment.empty()) out += " (environment: " + option.environment + ")";
  if (option.may_repeat) out += "; may be given several times";
  if (option.is_required && !option.is_operand()) out += "; required";
  return out;
}

/// `-o FILE`, `--arch ARCH`, `-h, --help`.
std::string option_head(const ManualOption& option) {
  if (option.is_operand()) return option.value;
  std::string out = option.short_name;
  if (!option.long_name.empty()) out += (out.empty() ? "" : ", ") + option.long_name;
  return option.value.empty() ? out : out + " " + option.value;
}

/// A `|` would end a cell.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string upper_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

std::string manual_page(const Manual& manual) {
  std::string out =
      ".TH GFXISA 1 \"\" gfxisa\n.SH NAME\ngfxisa \\- AMD GPU instruction sets: look up, assemble, disassemble, run\n";
  out +=
      ".SH SYNOPSIS\n.B gfxisa\n.I COMMAND\n[OPTIONS]\n.SH DESCRIPTION\n" + roff(manual.summary) + "\n.SH COMMANDS\n";
  for (const ManualCommand& command : manual.commands) {
    out += fmt::format(".SS {}\n{}\n.PP\n.B {}\n", roff(command.name), roff(command.summary), roff(command.synopsis));
    if (!command.remarks.empty()) out += ".PP\n" + roff(command.remarks) + "\n";
    for (const ManualOption& option : command.options) {
      if (option.name() == "--help") continue;
      out += fmt::format(".TP\n.B {}\n{}\n", roff(option_head(option)), roff(option_text(option)));
    }
    if (command.examples.empty()) continue;
    out += ".PP\nExamples:\n.PP\n.nf\n";
    for (const std::string& example : command.examples) out += roff("    " + example) + "\n";
    out += ".fi\n";
  }
  for (const ManualSection& section : manual_sections()) {
    out += ".SH " + roff(upper_case(section.title)) + "\n";
    for (const auto& [head, text] : section.items) out += fmt::format(".TP\n.B {}\n{}\n", roff(head), roff(text));
  }
  return out;
}

std::string manual_markdown(const Manual& manual) {
  std::string out = fmt::format(
      "# The command line\n\n{}\n\nThis page is what `gfxisa manual markdown` writes; a test compares the two. "
      "`gfxisa COMMAND --help` says the same.\n\n| command | |\n|---|---|\n",
      manual.summary);
  for (const ManualCommand& command : manual.commands)
    out += fmt::format("| [{0}](#{0}) | {1} |\n", command.name, cell(command.summary));
  for (const ManualCommand& command : manual.commands) {
    out += fmt::format("\n## {}\n\n{}.\n\n    {}\n", command.name, command.summary, command.synopsis);
    if (!command.remarks.empty()) out += "\n" + command.remarks + "\n";
    out += "\n| option | |\n|---|---|\n";
    for (const ManualOption& option : command.options) {
      if (option.name() != "--help")
        out += fmt::format("| `{}` | {} |\n", cell(option_head(option)), cell(option_text(option)));
    }
    if (command.examples.empty()) continue;
    out += "\nExamples:\n\n";
    for (const std::string& example : command.examples) out += "    " + example + "\n";
  }
  for (const ManualSection& section : manual_sections()) {
    out += fmt::format("\n## {}\n\n| | |\n|---|---|\n", section.title);
    for (const auto& [head, text] : section.items) out += fmt::format("| `{}` | {} |\n", head, cell(text));
  }
  return out;
}

}  // namespace gfxisa::cli

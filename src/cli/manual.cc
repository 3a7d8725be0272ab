#include "cli/manual.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cli/commands.h"
#include "inst/tables.h"

namespace gfxisa::cli {
namespace {

/// `TEXT:{text,json}`: text and json.
std::vector<std::string> choices_in(const std::string& type) {
  std::vector<std::string> out;
  const std::size_t open = type.find('{'), close = type.find('}');
  if (open == std::string::npos || close == std::string::npos) return out;
  for (std::size_t at = open + 1; at < close;) {
    const std::size_t end = std::min(type.find(',', at), close);
    out.push_back(type.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

/// Where what is meant does not follow from choices, the name says it.
Offer offer_of(const std::string& name, const std::vector<std::string>& choices) {
  static const std::vector<std::pair<Offer, std::set<std::string>>> known = {
      {Offer::architectures, {"--arch", "FROM", "TO"}},
      {Offer::encodings, {"--encoding"}},
      {Offer::mnemonics, {"MNEMONIC", "NAME"}},
      {Offer::files, {"file", "FILE", "CODEOBJECT", "-o", "--vectors", "--descriptions"}},
      {Offer::folders, {"DIR"}},
  };
  if (!choices.empty()) return Offer::words;
  for (const auto& [offer, names] : known) {
    if (names.count(name) != 0) return offer;
  }
  return Offer::nothing;
}

std::string value_word(const ManualOption& option) {
  if (!option.choices.empty()) return fmt::format("{}", fmt::join(option.choices, "|"));
  switch (option.offer) {
    case Offer::architectures:
      return "ARCH";
    case Offer::encodings:
      return "ENCODING";
    case Offer::files:
      return "FILE";
    default:
      break;
  }
  std::string out = option.name().substr(option.name().find_first_not_of('-'));
  for (char& c : out) c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

ManualOption gather(const CLI::Option& option) {
  ManualOption out;
  if (!option.get_snames().empty()) out.short_name = "-" + option.get_snames().front();
  if (!option.get_lnames().empty()) out.long_name = "--" + option.get_lnames().front();
  out.text = option.get_description();
  out.environment = option.get_envname();
  out.is_required = option.get_required();
  out.may_repeat =
      option.get_items_expected_max() > 1 || option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  const bool is_flag = option.get_items_expected_max() == 0;
  if (is_flag) return out.may_repeat = false, out;
  out.choices = choices_in(option.get_type_name());
  const std::string operand = option.get_name(true, false);
  out.offer = offer_of(out.is_operand() ? operand : out.name(), out.choices);
  out.value = out.is_operand() ? operand : value_word(out);
  if (out.is_operand())
    std::transform(out.value.begin(), out.value.end(), out.value.begin(),
                   [](unsigned char c) { return std::toupper(c); });
  return out;
}

std::string synopsis_of(const ManualCommand& command) {
  std::string out = "gfxisa " + command.name;
  for (const bool operands : {true, false}) {
    for (const ManualOption& option : command.options) {
      if (option.is_operand() != operands || option.name() == "--help") continue;
      const std::string text =
          operands ? option.value : option.name() + (option.value.empty() ? "" : " " + option.value);
      out += option.is_required ? " " + text : " [" + text + "]";
      if (option.may_repeat) out += "...";
    }
  }
  return out;
}

ManualCommand gather(const CLI::App& app) {
  ManualCommand out;
  out.name = app.get_name();
  out.summary = app.get_description();
  for (const bool operands : {true, false}) {
    for (const CLI::Option* option : app.get_options()) {
      ManualOption found = gather(*option);
      if (found.is_operand() == operands) out.options.push_back(std::move(found));
    }
  }
  out.synopsis = synopsis_of(out);
  const std::string footer = app.get_footer();
  constexpr std::string_view head = "Examples:\n";
  const std::size_t at = std::min(footer.find(head), footer.size());
  out.remarks = footer.substr(0, at);
  while (!out.remarks.empty() && out.remarks.back() == '\n') out.remarks.pop_back();
  for (std::size_t line = at + head.size(); line < footer.size();) {
    const std::size_t end = std::min(footer.find('\n', line), footer.size());
    const std::size_t first = footer.find_first_not_of(' ', line);
    if (first < end) out.examples.push_back(footer.substr(first, end - first));
    line = end + 1;
  }
  return out;
}

struct ManualOptions {
  std::string format;
};

}  // namespace

Manual gather_manual(const CLI::App& app) {
  Manual out{app.get_description(), {}};
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    out.commands.push_back(gather(*command));
  return out;
}

std::vector<std::string> offered_words(const ManualOption& option) {
  const Tables& all = tables();
  std::vector<std::string> out = option.choices;
  if (option.offer == Offer::architectures) {
    for (const ChipRow& chip : all.chips) {
      out.emplace_back(all.text(chip.name));
      for (u32 i = 0; i < chip.target_count; ++i) out.emplace_back(all.text(all.texts[chip.first_target + i]));
    }
  }
  if (option.offer == Offer::encodings) {
    std::set<std::string> names;
    for (const EncodingRow& encoding : all.encodings) names.emplace(all.text(encoding.name));
    out.assign(names.begin(), names.end());
  }
  return out;
}

std::vector<ManualSection> manual_sections() {
  return {
      {"Architectures",
       {{"ARCH",
         "A generation (cdna1 to cdna5, rdna1, rdna2, rdna3, rdna3.5, rdna4) or a gfx target of one (gfx908, gfx1250, "
         "...), which counts as its generation."}}},
      {"Exit codes",
       {{"0", "success"},
        {"1", "the input is wrong: an unknown name, text that does not assemble, a kernel that faults"},
        {"2", "the command line is wrong"}}},
      {"Environment",
       {{"NO_COLOR", "When set and not empty, no colours; without it there are colours on a terminal only."},
        {"GFXISA_DESCRIPTIONS", "What show takes for --descriptions where that is not given."},
        {"GFXISA_TARGET", "For programs under run: the GPU they see; --arch sets it."}}},
  };
}

void add_manual(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ManualOptions>();
  CLI::App* command =
      app.add_subcommand("manual", "This command line as a manual page, as Markdown, or for a shell to complete");
  command->add_option("FORMAT", options->format, "man, markdown, bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"man", "markdown", "bash", "zsh", "fish"}));
  command->footer(
      "Installed with the program: the manual page and the completions of the three shells.\n\nExamples:\n"
      "  source <(gfxisa manual bash)\n  gfxisa manual man | man -l -");
  command->callback([options, &app, &exit_code] {
    const Manual manual = gather_manual(app);
    const std::string& format = options->format;
    fmt::print("{}", format == "man"        ? manual_page(manual)
                     : format == "markdown" ? manual_markdown(manual)
                     : format == "bash"     ? bash_completion(manual)
                     : format == "zsh"      ? zsh_completion(manual)
                                            : fish_completion(manual));
    exit_code = 0;
  });
}

}  // namespace gfxisa::cli

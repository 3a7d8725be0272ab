#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "inst/instruction.h"

namespace gfxisa::cli {
namespace {

struct ListOptions {
  std::string arch, encoding, category, format = "text";
};

std::string_view fidelity_name(Fidelity fidelity) {
  return fidelity == Fidelity::exact ? "exact" : fidelity == Fidelity::approximate ? "approximate" : "not executable";
}

/// The forms of one chip that pass the filters, one line or JSON object each.
void list_chip(const ListOptions& options, unsigned chip, nlohmann::ordered_json& json) {
  const Tables& all = tables();
  const ChipRow& row = all.chips[chip];
  for (u32 i = row.first_form; i < row.first_form + row.form_count; ++i) {
    const FormRow& form = all.forms[i];
    const InstructionRow& instruction = all.instructions[form.instruction];
    const std::string_view encoding = all.text(all.encodings[form.encoding].name);
    const std::string_view category = all.text(instruction.topic);
    if (!options.encoding.empty() && encoding != options.encoding) continue;
    if (!options.category.empty() && category != options.category) continue;
    if (options.format == "json") {
      json.push_back({{"arch", all.text(row.name)},
                      {"mnemonic", all.text(form.mnemonic)},
                      {"encoding", encoding},
                      {"opcode", form.opcode},
                      {"category", category},
                      {"fidelity", fidelity_name(instruction.fidelity)},
                      {"summary", all.text(instruction.about)}});
    } else {
      fmt::print("{:<8} {:<10} {:>4}  {:<32} {}\n", all.text(row.name), encoding, form.opcode, all.text(form.mnemonic),
                 all.text(instruction.about));
    }
  }
}

int list(const ListOptions& options) {
  int chip = -1;
  if (!options.arch.empty()) {
    const auto found = parse_arch(options.arch);
    if (!found) return print_error(found.error()), 1;
    chip = *found;
  }
  auto json = nlohmann::ordered_json::array();
  for (unsigned c = 0; c < tables().chips.size(); ++c) {
    if (chip < 0 || c == static_cast<unsigned>(chip)) list_chip(options, c, json);
  }
  if (options.format == "json") fmt::print("{}\n", json.dump(1));
  return 0;
}

}  // namespace

void add_list(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ListOptions>();
  CLI::App* command = app.add_subcommand("list", "All instructions, filtered");
  command->add_option("--arch", options->arch, "generation or target; all when not given");
  command->add_option("--encoding", options->encoding, "for example SOP2");
  command->add_option("--category", options->category, "as pages show it, for example \"Scalar bit field\"");
  command->add_option("--format", options->format, "text or json")->check(CLI::IsMember({"text", "json"}));
  command->footer("Examples:\n  gfxisa list --arch rdna3 --encoding SOP2\n  gfxisa list --category LDS --format json");
  command->callback([options, &exit_code] { exit_code = list(*options); });
}

}  // namespace gfxisa::cli

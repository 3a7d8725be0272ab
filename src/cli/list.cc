#include <fmt/format.h>

#include <iterator>

#include "cli/commands.h"
#include "doc/catalogue.h"
#include "inst/instruction.h"

namespace gfxisa::cli {
namespace {

struct ListOptions {
  Filter filter;
  std::string arch, format = "text";
};

void append_column(std::string& out, std::string_view text, std::size_t width) {
  out += text;
  out.append(text.size() < width ? width - text.size() : 0, ' ');
  out += ' ';
}

// Without format strings: fifteen thousand lines are to be there at once.
void append_text(std::string& out, const Entry& entry) {
  const Tables& all = tables();
  const FormRow& form = all.forms[entry.form];
  append_column(out, all.text(all.chips[entry.chip].name), 8);
  append_column(out, all.text(all.encodings[form.encoding].name), 10);
  const fmt::format_int opcode(form.opcode);
  out.append(opcode.size() < 4 ? 4 - opcode.size() : 0, ' ').append(opcode.data(), opcode.size()).append("  ");
  append_column(out, all.text(form.mnemonic), 32);
  out.append(all.text(all.instructions[form.instruction].about)) += '\n';
}

// Written by hand: an array of all forms has fifteen thousand objects and is wanted at once.
void append_json(std::string& out, const Entry& entry) {
  const Tables& all = tables();
  const FormRow& form = all.forms[entry.form];
  const InstructionRow& row = all.instructions[form.instruction];
  fmt::format_to(
      std::back_inserter(out),
      " {{\"arch\": {}, \"mnemonic\": {}, \"encoding\": {}, \"opcode\": {}, \"category\": {}, \"fidelity\": {}, "
      "\"summary\": {}}}",
      json_text(all.text(all.chips[entry.chip].name)), json_text(all.text(form.mnemonic)),
      json_text(all.text(all.encodings[form.encoding].name)), form.opcode, json_text(all.text(row.topic)),
      json_text(fidelity_word(fidelity_of(form))), json_text(all.text(row.about)));
}

int list(ListOptions options) {
  if (!options.arch.empty()) {
    const auto found = parse_arch(options.arch);
    if (!found) return print_error(found.error()), 1;
    options.filter.chip = *found;
  }
  if (const auto known = check_filter(options.filter); !known) return print_error(known.error()), 1;
  const bool json = options.format == "json";
  std::string out;
  const auto write = [&out] {
    std::fwrite(out.data(), 1, out.size(), stdout);
    out.clear();
  };
  bool is_first = true;
  for (const Entry& entry : list_entries(options.filter)) {
    if (json) {
      out += is_first ? "[\n" : ",\n";
      append_json(out, entry);
    } else {
      append_text(out, entry);
    }
    is_first = false;
    // In pieces: memory that is touched for the first time costs more than writing.
    if (out.size() >= 1u << 15) write();
  }
  if (json) out += is_first ? "[\n]\n" : "\n]\n";
  write();
  return 0;
}

}  // namespace

void add_list(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ListOptions>();
  CLI::App* command = app.add_subcommand("list", "All instructions, filtered");
  command->add_option("NAME", options->filter.name, "mnemonic, with * and ? for what may vary");
  command->add_option("--arch", options->arch, "generation or target; all when not given");
  command->add_option("--encoding", options->filter.encoding, "SOP2, VOP3, ...; or a suffix it may take: DPP16, SDWA");
  command->add_option("--category", options->filter.category, "as pages show it, or a part of it: \"bit field\"");
  command->add_option("--type", options->filter.format, "data format of an operand: f32, u64, bf16x2");
  command->add_option("--registers", options->filter.registers, "class of registers it takes: sgpr, vgpr, agpr, ...");
  command->add_option("--fidelity", options->filter.fidelity, "how it is executed: exact, approximate, none");
  command->add_option("--format", options->format, "text or json")->check(CLI::IsMember({"text", "json"}));
  command->footer(
      "Examples:\n  gfxisa list --arch rdna3 --encoding SOP2\n  gfxisa list --category LDS --format json\n"
      "  gfxisa list 'v_cvt_*' --arch cdna4 --type bf16");
  command->callback([options, &exit_code] { exit_code = list(*options); });
}

}  // namespace gfxisa::cli

#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands.h"
#include "doc/page.h"
#include "doc/ptx.h"
#include "inst/instruction.h"
#include "isa_xml/descriptions.h"

namespace gfxisa::cli {
namespace {

struct ShowOptions {
  std::string mnemonic, arch, format = "text", descriptions;
};

int show_ptx(std::string_view name, bool json) {
  const auto entry = find_ptx(name);
  if (!entry) return print_error(entry.error()), 1;
  fmt::print("{}", json ? render_json(*entry) : render_text(*entry, terminal_width()));
  return 0;
}

int show(const ShowOptions& options) {
  constexpr std::string_view ptx = "ptx:";
  if (options.mnemonic.starts_with(ptx)) return show_ptx(options.mnemonic.substr(ptx.size()), options.format == "json");
  int chip = -1;
  if (!options.arch.empty()) {
    const auto found = parse_arch(options.arch);
    if (!found) return print_error(found.error()), 1;
    chip = *found;
  }
  auto pages = make_pages(options.mnemonic, chip);
  if (!pages) return print_error(pages.error()), 1;
  for (Page& page : *pages) {
    if (options.descriptions.empty()) break;
    auto text =
        isa_xml::official_description(options.descriptions, static_cast<unsigned>(find_chip(page.chip)), page.mnemonic);
    if (!text) return print_error(text.error()), 1;
    page.official = text->empty() ? "The files have no sentence about it." : *text;
  }
  if (options.format == "json") return fmt::print("{}", render_json(*pages)), 0;
  for (const Page& page : *pages) {
    if (&page != pages->data()) fmt::print("\n{:-<{}}\n\n", "", terminal_width());
    fmt::print("{}", render_text(page, terminal_width(), wants_colour(STDOUT_FILENO)));
  }
  return 0;
}

}  // namespace

void add_show(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ShowOptions>();
  CLI::App* command = app.add_subcommand("show", "The reference page of an instruction");
  command
      ->add_option("MNEMONIC", options->mnemonic,
                   "for example s_bfe_u32, or ptx:bfe.u32 for what AMD has in place of a PTX instruction")
      ->required();
  command->add_option("--arch", options->arch,
                      "generation (cdna5) or target (gfx1250); the newest that has it when not given");
  command->add_option("--format", options->format, "text or json")->check(CLI::IsMember({"text", "json"}));
  command
      ->add_option("--descriptions", options->descriptions,
                   "AMD's machine-readable ISA (an XML file, a folder or a ZIP of them): their sentence beside ours")
      ->envname("GFXISA_DESCRIPTIONS");
  command->footer(
      "Examples:\n  gfxisa show s_bfe_u32 --arch cdna5\n  gfxisa show ds_add_rtn_f32 --arch rdna4 --format json\n  "
      "gfxisa show ptx:bfe.u32");
  command->callback([options, &exit_code] { exit_code = show(*options); });
}

}  // namespace gfxisa::cli

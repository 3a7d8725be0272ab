#include <fmt/format.h>

#include "cli/commands.h"
#include "isa_xml/compare.h"
#include "isa_xml/files.h"

namespace gfxisa::cli {
namespace {

struct CheckOptions {
  std::string path, arch, format = "text";
  bool counts = false;
};

int check(const CheckOptions& options) {
  int chip = -1;
  if (!options.arch.empty()) {
    const auto found = parse_arch(options.arch);
    if (!found) return print_error(found.error()), 1;
    chip = *found;
  }
  std::vector<isa_xml::Comparison> comparisons;
  const auto done = isa_xml::for_each_file(options.path, [&](std::string name, std::string text) -> Result<bool> {
    const auto document = isa_xml::read_document(text, std::move(name));
    if (!document) return document.error();
    const int its_chip = isa_xml::chip_of(*document);
    if (its_chip < 0) {
      return Error{fmt::format("{}: the instruction set '{}' is none of ours", document->file, document->architecture),
                   "generations are CDNA 1 to 5 and RDNA 1 to 4"};
    }
    if (chip >= 0 && its_chip != chip) return true;
    comparisons.push_back(isa_xml::compare(*document, static_cast<unsigned>(its_chip)));
    return true;
  });
  if (!done) return print_error(done.error()), 1;
  if (comparisons.empty()) return print_error({"no file is about " + options.arch, ""}), 1;
  if (options.format == "json") return fmt::print("{}", isa_xml::render_json(comparisons)), 0;
  for (const isa_xml::Comparison& comparison : comparisons) {
    if (&comparison != comparisons.data()) fmt::print("\n");
    fmt::print("{}", isa_xml::render_text(comparison, options.counts));
  }
  return 0;
}

}  // namespace

void add_check_xml(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand("check-xml", "What AMD's machine-readable ISA says otherwise than we do");
  command->add_option("FILE", options->path, "an XML file of it, a folder or a ZIP archive with several")->required();
  command->add_option("--arch", options->arch, "the file for this generation alone");
  command->add_flag("--counts", options->counts, "the numbers of differences without the differences");
  command->add_option("--format", options->format, "text or json")->check(CLI::IsMember({"text", "json"}));
  command->footer(
      "The files are at gpuopen.com/machine-readable-isa. Differences are no error: the exit code is 0 when the files "
      "could be read.\n\nExamples:\n  gfxisa check-xml AMD_GPU_MR_ISA_XML.zip --counts\n"
      "  gfxisa check-xml amdgpu_isa_rdna4.xml --format json");
  command->callback([options, &exit_code] { exit_code = check(*options); });
}

}  // namespace gfxisa::cli

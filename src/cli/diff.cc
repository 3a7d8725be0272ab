#include "doc/diff.h"

#include <fmt/format.h>

#include "cli/commands.h"

namespace gfxisa::cli {
namespace {

struct DiffOptions {
  std::string from, to, mnemonic, format = "text";
};

int run_diff(const DiffOptions& options) {
  const auto from = parse_arch(options.from), to = parse_arch(options.to);
  if (!from) return print_error(from.error()), 1;
  if (!to) return print_error(to.error()), 1;
  const unsigned a = static_cast<unsigned>(*from), b = static_cast<unsigned>(*to);
  const bool json = options.format == "json";
  if (options.mnemonic.empty()) {
    const Diff diff = diff_chips(a, b);
    fmt::print("{}", json ? render_json(diff) : render_text(diff));
    return 0;
  }
  const auto text = json ? diff_json(options.mnemonic, a, b) : diff_text(options.mnemonic, a, b, terminal_width());
  if (!text) return print_error(text.error()), 1;
  fmt::print("{}", *text);
  return 0;
}

}  // namespace

void add_diff(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<DiffOptions>();
  CLI::App* command = app.add_subcommand("diff", "What changed between two generations, or of one instruction");
  command->add_option("FROM", options->from, "generation or target")->required();
  command->add_option("TO", options->to, "generation or target")->required();
  command->add_option("MNEMONIC", options->mnemonic, "this instruction alone, side by side");
  command->add_option("--format", options->format, "text or json")->check(CLI::IsMember({"text", "json"}));
  command->footer("Examples:\n  gfxisa diff rdna3 rdna4\n  gfxisa diff cdna3 cdna5 s_bfe_u32");
  command->callback([options, &exit_code] { exit_code = run_diff(*options); });
}

}  // namespace gfxisa::cli

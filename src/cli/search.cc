#include "doc/search.h"

#include <fmt/format.h>

#include "cli/commands.h"
#include "doc/catalogue.h"

namespace gfxisa::cli {
namespace {

struct SearchOptions {
  std::vector<std::string> words;
  std::string arch, format = "text";
  unsigned count = 20;
};

std::string generations(u16 chips) {
  std::string out;
  for (unsigned chip = 0; chip < tables().chips.size(); ++chip) {
    if ((chips >> chip & 1) == 0) continue;
    out += (out.empty() ? "" : " ") + std::string(tables().text(tables().chips[chip].name));
  }
  return out;
}

int run_search(const SearchOptions& options) {
  int chip = -1;
  if (!options.arch.empty()) {
    const auto found = parse_arch(options.arch);
    if (!found) return print_error(found.error()), 1;
    chip = *found;
  }
  const Tables& all = tables();
  const auto hits = search(fmt::format("{}", fmt::join(options.words, " ")), chip, options.count);
  std::string out(options.format == "json" ? "[" : "");
  for (const SearchHit& hit : hits) {
    const InstructionRow& row = all.instructions[hit.instruction];
    const std::string_view name = hit.mnemonic;
    if (options.format == "json") {
      out += fmt::format(
          "{}\n {{\"mnemonic\": {}, \"score\": {}, \"category\": {}, \"generations\": {}, \"summary\": {}}}",
          out.size() > 1 ? "," : "", json_text(name), hit.score, json_text(all.text(row.topic)),
          json_text(generations(hit.chips)), json_text(all.text(row.about)));
    } else {
      out += fmt::format("{:<32} {:<24} {}\n", name, all.text(row.topic), all.text(row.about));
    }
  }
  if (options.format == "json") out += "\n]\n";
  fmt::print("{}", out);
  if (hits.empty() && options.format != "json") print_error({"nothing found", "fewer words find more"});
  return hits.empty() ? 1 : 0;
}

}  // namespace

void add_search(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<SearchOptions>();
  CLI::App* command =
      app.add_subcommand("search", "Instructions by words of their names, summaries and PTX counterparts");
  command->add_option("TEXT", options->words, "words; typing mistakes are forgiven")->required();
  command->add_option("--arch", options->arch, "generation or target; all when not given");
  command->add_option("--count", options->count, "how many to show")->check(CLI::Range(1, 100000));
  command->add_option("--format", options->format, "text or json")->check(CLI::IsMember({"text", "json"}));
  command->footer("Examples:\n  gfxisa search bfe scalar\n  gfxisa search atomic add float --arch cdna3");
  command->callback([options, &exit_code] { exit_code = run_search(*options); });
}

}  // namespace gfxisa::cli

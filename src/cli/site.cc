#include "site/site.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "cli/commands.h"

namespace gfxisa::cli {
namespace {

/// The decoder's script lies beside the program, or where it is installed.
std::string find_decoder() {
  std::error_code problem;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", problem);
  for (const char* place : {"gfxisa-wasm.js", "../share/gfxisa/gfxisa-wasm.js"}) {
    const std::filesystem::path candidate = program.parent_path() / place;
    if (std::filesystem::exists(candidate, problem)) return candidate.string();
  }
  return {};
}

void show_progress(u32 done, u32 total) {
  constexpr u32 columns = 40;
  if (done % 16 != 0 && done != total) return;
  const u32 filled = done * columns / total;
  fmt::print(stderr, "\r[{:#<{}}{:.<{}}] {}/{} pages{}", "", filled, "", columns - filled, done, total,
             done == total ? "\n" : "");
}

int run_site(const std::string& directory) {
  SiteOptions options;
  options.directory = directory;
  options.decoder = find_decoder();
  if (isatty(STDERR_FILENO) != 0) options.progress = show_progress;
  const auto start = std::chrono::steady_clock::now();
  const auto report = write_site(options);
  if (!report) return print_error(report.error()), 1;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  fmt::print("{} files, {:.1f} MB in {:.1f} s; {} kB to the first paint\n", report->files,
             static_cast<double>(report->bytes) / 1e6, seconds, report->first_paint_bytes / 1000);
  if (!report->has_decoder) fmt::print("without the live decoder: emscripten was not there when gfxisa was built\n");
  return 0;
}

}  // namespace

void add_site(CLI::App& app, int& exit_code) {
  auto directory = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("site", "The reference as a web site: static files that need no server");
  command->add_option("DIR", *directory, "folder to write to")->required();
  command->footer("Examples:\n  gfxisa site reference && xdg-open reference/index.html");
  command->callback([directory, &exit_code] { exit_code = run_site(*directory); });
}

}  // namespace gfxisa::cli

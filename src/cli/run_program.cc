#include "cli/run_program.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "cli/commands.h"
#include "elf/target.h"
#include "inst/instruction.h"

namespace gfxisa::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* library = "libhsa-runtime64.so.1";

/// Where the runtime's libraries are: beside the command as built, or under lib/ as installed.
fs::path runtime_folder() {
  std::error_code error;
  const fs::path command = fs::read_symlink("/proc/self/exe", error);
  for (const char* place : {"runtime", "../lib/gfxisa"}) {
    const fs::path folder = command.parent_path() / place;
    if (fs::exists(folder / library, error)) return fs::weakly_canonical(folder, error);
  }
  return {};
}

/// Debian's HIP (5.2) knows these; for the others a program gets ours.
bool is_known_to_hip(std::string_view target) {
  for (const std::string_view known : {"gfx908", "gfx90a", "gfx1010", "gfx1030"}) {
    if (target == known) return true;
  }
  return false;
}

void put_first(const char* name, const std::string& value, char separator) {
  const char* old = std::getenv(name);
  const std::string text = old != nullptr && *old != '\0' ? value + separator + old : value;
  setenv(name, text.c_str(), 1);
}

}  // namespace

Error run_program(const ProgramOptions& options) {
  const fs::path folder = runtime_folder();
  if (folder.empty()) {
    return {fmt::format("{} is not beside this command", library),
            "it is built where libhsa-runtime-dev is installed: cmake --build build/release --target gfxisa_runtime"};
  }
  const auto chip = parse_arch(options.target.substr(0, options.target.find(':')));
  if (!chip) return chip.error();
  setenv("GFXISA_TARGET", options.target.c_str(), 1);
  setenv("GFXISA_DEVICES", std::to_string(options.devices).c_str(), 1);
  if (options.threads != 0) setenv("GFXISA_THREADS", std::to_string(options.threads).c_str(), 1);
  if (options.max_instructions != ~u64{0})
    setenv("GFXISA_MAX_INSTRUCTIONS", std::to_string(options.max_instructions).c_str(), 1);
  if (options.wants_statistics) setenv("GFXISA_STATS", "1", 1);
  setenv("GFXISA_FIDELITY", "1", 0);
  if (options.wants_trace) setenv("GFXISA_TRACE", "1", 1);
  put_first("LD_LIBRARY_PATH", folder.string(), ':');
  if (!is_known_to_hip(default_target(options.target.substr(0, options.target.find(':'))).processor))
    put_first("LD_LIBRARY_PATH", (folder / "hip").string(), ':');
  put_first("LD_PRELOAD", (folder / "libgfxisa-preload.so").string(), ':');
  put_first("PATH", (folder / "bin").string(), ':');
  std::vector<char*> arguments;
  for (const std::string& argument : options.command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  return {fmt::format("cannot run '{}': {}", options.command[0], std::strerror(errno)), {}};
}

}  // namespace gfxisa::cli

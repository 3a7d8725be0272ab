// The gfxisa command. Each subcommand lives in a file of its own and adds itself here.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "cli/commands.h"

int main(int argc, char** argv) {
  CLI::App app{"AMD GPU instruction sets (CDNA 1-5, RDNA 1-4): look up, assemble, disassemble, run.", "gfxisa"};
  app.set_version_flag("--version", "gfxisa " GFXISA_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Examples:\n"
      "  gfxisa show s_bfe_u32 --arch cdna5\n"
      "  echo 80020088 | gfxisa dis --arch rdna4 --hex\n"
      "  echo 's_bfe_u32 s0, s1, s2' | gfxisa asm --arch gfx1250 --show-encoding");
  int exit_code = 0;
  using namespace gfxisa::cli;
  add_show(app, exit_code);
  add_list(app, exit_code);
  add_search(app, exit_code);
  add_diff(app, exit_code);
  add_site(app, exit_code);
  add_check_xml(app, exit_code);
  add_asm(app, exit_code);
  add_dis(app, exit_code);
  add_exec(app, exit_code);
  // What follows `--` after `run` is a program with arguments of its own.
  std::vector<std::string> program;
  if (argc > 1 && std::string_view(argv[1]) == "run") {
    const auto end = std::find_if(argv, argv + argc, [](const char* text) { return std::string_view(text) == "--"; });
    if (end != argv + argc) program.assign(end + 1, argv + argc);
    argc = static_cast<int>(end - argv);
  }
  add_run(app, exit_code, std::move(program));
  add_manual(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? 0 : 2;
  }
  return exit_code;
}

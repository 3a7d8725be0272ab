// The subcommands. Each function adds one to the application; its callback leaves the exit code in `exit_code`:
// 0 success, 1 the input is wrong, 2 usage.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "base/result.h"

namespace gfxisa::cli {

void add_show(CLI::App& app, int& exit_code);
void add_list(CLI::App& app, int& exit_code);
void add_search(CLI::App& app, int& exit_code);
void add_diff(CLI::App& app, int& exit_code);
void add_site(CLI::App& app, int& exit_code);
void add_check_xml(CLI::App& app, int& exit_code);
void add_manual(CLI::App& app, int& exit_code);
void add_asm(CLI::App& app, int& exit_code);
void add_dis(CLI::App& app, int& exit_code);
void add_exec(CLI::App& app, int& exit_code);
/// `program`: what stood after `--`, if anything.
void add_run(CLI::App& app, int& exit_code, std::vector<std::string> program);

/// True when file descriptor `fd` is a terminal that wants colours (NO_COLOR unset, TERM not dumb).
bool wants_colour(int fd);
/// Columns of the terminal on standard output; 100 when it is none.
unsigned terminal_width();
/// Prints `error: MESSAGE` and the hint to standard error.
void print_error(const Error& error);
/// Chip of `--arch`, or an error that lists what there is.
Result<int> parse_arch(const std::string& name);

}  // namespace gfxisa::cli

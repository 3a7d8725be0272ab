// gfxisa exec: a few instructions with registers set before and printed after, or a file of vectors.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "assembler/assemble.h"
#include "cli/commands.h"
#include "codec/encode.h"
#include "exec/fidelity.h"
#include "exec/snippet.h"
#include "exec/vectors.h"

namespace gfxisa::cli {
namespace {

struct ExecOptions {
  std::string arch, program, vectors;
  std::vector<std::string> settings, prints;
  unsigned wave = 0;
  u64 max_instructions = 1u << 26;
};

/// The instructions stand between semicolons or on lines.
std::string as_lines(std::string program) {
  std::replace(program.begin(), program.end(), ';', '\n');
  return program;
}

/// `s0,s[0:1],v5`: commas inside brackets do not separate.
std::vector<std::string> register_names(const std::vector<std::string>& lists) {
  std::vector<std::string> names;
  for (const std::string& list : lists) {
    std::string name;
    int depth = 0;
    for (const char c : list + ",") {
      depth += c == '[' ? 1 : c == ']' ? -1 : 0;
      if (c != ',' || depth > 0) {
        if (c != ' ') name += c;
      } else if (!name.empty()) {
        names.push_back(std::move(name));
        name.clear();
      }
    }
    if (!name.empty()) names.push_back(std::move(name));
  }
  return names;
}

std::vector<u8> bytes_of(const std::vector<Instruction>& instructions) {
  std::vector<u8> code;
  for (const Instruction& instruction : instructions) {
    u8 bytes[max_words * 4] = {};
    append_bytes(instruction, bytes);
    code.insert(code.end(), bytes, bytes + instruction.size);
  }
  return code;
}

bool apply_settings(exec::Snippet& snippet, const std::vector<std::string>& settings) {
  for (const std::string& setting : settings) {
    const auto done = snippet.set(setting);
    if (done) continue;
    print_error({fmt::format("--set {}: {}", setting, done.error().message), done.error().hint});
    return false;
  }
  return true;
}

int print_registers(const exec::Snippet& snippet, const std::vector<std::string>& lists) {
  for (const std::string& name : register_names(lists)) {
    const auto image = snippet.read(name);
    if (!image) return print_error({fmt::format("--print {}: {}", name, image.error().message), image.error().hint}), 1;
    fmt::print("{}\n", exec::register_line(name, *image));
  }
  return 0;
}

int run_program(const ExecOptions& options) {
  const auto chip = parse_arch(options.arch);
  if (!chip) return print_error(chip.error()), 1;
  exec::SnippetOptions snippet_options;
  snippet_options.chip = static_cast<unsigned>(*chip);
  snippet_options.wave_size = wave_size_of(snippet_options.chip, {options.wave});
  snippet_options.max_instructions = options.max_instructions;
  if ((tables().chips[snippet_options.chip].waves & (snippet_options.wave_size / 32)) == 0) {
    return print_error({fmt::format("{} has no waves of {} lanes", options.arch, snippet_options.wave_size), ""}), 1;
  }
  Sources sources;
  const u32 source = sources.add("program", as_lines(options.program));
  Diagnostics diagnostics(sources);
  const auto lines = assemble(snippet_options.chip, source, sources, diagnostics, {snippet_options.wave_size});
  fmt::print(stderr, "{}", diagnostics.text(wants_colour(STDERR_FILENO)));
  if (diagnostics.has_errors()) return 1;
  const std::vector<u8> code = bytes_of(lines);
  exec::Snippet snippet(snippet_options, code);
  if (!apply_settings(snippet, options.settings)) return 1;
  const exec::Fault fault = snippet.run();
  for (const std::string& note : exec::run_notes()) fmt::print(stderr, "note: {}\n", note);
  if (fault) return print_error({snippet.describe(fault), ""}), 1;
  return print_registers(snippet, options.prints);
}

int run_vector_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) return print_error({fmt::format("cannot read '{}'", path), ""}), 1;
  const exec::VectorSummary summary = exec::run_vectors(file, [](const exec::VectorResult& result) {
    const char* outcome = result.outcome == exec::VectorOutcome::failed ? "failed" : "skipped";
    fmt::print("{}: {}: {}\n", outcome, result.id, result.reason);
  });
  fmt::print("{} passed, {} failed, {} skipped\n", summary.passed, summary.failed, summary.skipped);
  return summary.failed == 0 ? 0 : 1;
}

}  // namespace

void add_exec(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ExecOptions>();
  CLI::App* command =
      app.add_subcommand("exec", "Run a few instructions on one wave, or a file of programs with known results");
  command->add_option("PROGRAM", options->program, "instructions, separated by semicolons");
  command->add_option("--arch", options->arch, "a family (rdna3) or a target (gfx1100)");
  command->add_option("--wave", options->wave, "lanes of the wave")->check(CLI::IsMember({32, 64}));
  command
      ->add_option(
          "--set", options->settings,
          "REG=VALUE for all lanes, or REG=VALUE,VALUE,... a lane: 15, 0xf, 1.5f, 1.5h, 1.5d; words of the data "
          "share and of a buffer of 64 KiB: lds[16]=1,2, mem[0]=1.5f; the buffer's address: s[0:1]=mem")
      ->allow_extra_args(false)
      ->take_all();
  command
      ->add_option("--print", options->prints,
                   "what to print after the run: s0,v[2:3],vcc,scc, words by their bytes: lds[0:12],mem[64]")
      ->allow_extra_args(false)
      ->take_all();
  command->add_option("--max-instructions", options->max_instructions, "limit, for programs that do not end");
  command->add_option("--vectors", options->vectors, "a file of programs with known results, one JSON object a line");
  command->footer(
      "Examples:\n"
      "  gfxisa exec --arch cdna5 's_bfe_u32 s0, s1, s2' --set s1=0x12345678 --set s2=0x80004 --print s0,scc\n"
      "  gfxisa exec --arch gfx1100 'v_add_f32 v0, v1, v2' --set v1=1.5f --set v2=1f,2f --print v0\n"
      "  gfxisa exec --arch gfx942 'global_load_dword v1, v0, s[0:1]; s_waitcnt vmcnt(0); ds_write_b32 v0, v1' --set "
      "s[0:1]=mem "
      "--set mem[0]=1.5f --print 'lds[0:12]'\n"
      "  gfxisa exec --vectors vectors.jsonl");
  command->callback([options, &exit_code] {
    if (!options->vectors.empty()) {
      exit_code = run_vector_file(options->vectors);
    } else if (options->program.empty() || options->arch.empty()) {
      fmt::print(stderr, "gfxisa exec: give --arch and a program, or --vectors FILE; see gfxisa exec --help\n");
      exit_code = 2;
    } else {
      exit_code = run_program(*options);
    }
  });
}

}  // namespace gfxisa::cli

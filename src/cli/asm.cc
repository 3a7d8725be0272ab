#include <fmt/format.h>

#include <memory>

#include "cli/asm_object.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "codec/encode.h"
#include "text/assemble.h"

namespace gfxisa::cli {
namespace {

struct AsmOptions {
  std::string arch, file = "-", output;
  bool show_encoding = false;
  unsigned wave = 0;
};

void append_bytes_of(std::string& out, const Instruction& instruction) {
  u8 bytes[max_words * 4] = {};
  append_bytes(instruction, bytes);
  out.append(reinterpret_cast<const char*>(bytes), instruction.size);
}

void append_encoding(std::string& out, const Instruction& instruction) {
  u8 bytes[max_words * 4] = {};
  append_bytes(instruction, bytes);
  static constexpr char digits[] = "0123456789abcdef";
  for (unsigned i = 0; i < instruction.size; ++i) {
    out += i == 0 ? "[0x" : ",0x";
    out += digits[bytes[i] >> 4];
    out += digits[bytes[i] & 15];
  }
  out += ']';
}

void print_listing(const std::vector<AssembledLine>& lines, const TextOptions& options) {
  std::string out;
  for (const AssembledLine& line : lines) {
    append_text(out, line.instruction, options);
    out += " ; encoding: ";
    append_encoding(out, line.instruction);
    out += '\n';
    if (out.size() < (1 << 16)) continue;
    std::fwrite(out.data(), 1, out.size(), stdout);
    out.clear();
  }
  std::fwrite(out.data(), 1, out.size(), stdout);
}

int write_object(const AsmOptions& options, const std::vector<AssembledLine>& lines) {
  std::string code;
  for (const AssembledLine& line : lines) append_bytes_of(code, line.instruction);
  const std::string object = make_object(options.arch, code);
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(options.output.c_str(), "wb"), std::fclose);
  if (file != nullptr && std::fwrite(object.data(), 1, object.size(), file.get()) == object.size()) return 0;
  print_error({"cannot write " + options.output, ""});
  return 1;
}

int run_assembler(const AsmOptions& options) {
  const auto chip = parse_arch(options.arch);
  if (!chip) return print_error(chip.error()), 1;
  auto input = read_input(options.file);
  if (!input) return print_error(input.error()), 1;
  Sources sources;
  const bool is_standard = options.file.empty() || options.file == "-";
  const u32 source = sources.add(is_standard ? "<stdin>" : options.file, std::move(*input));
  Diagnostics diagnostics(sources);
  const TextOptions text_options{options.wave};
  const auto lines = assemble(static_cast<unsigned>(*chip), source, sources, diagnostics, text_options);
  if (options.show_encoding || options.output.empty()) print_listing(lines, text_options);
  if (diagnostics.has_errors()) {
    std::fflush(stdout);
    fmt::print(stderr, "{}", diagnostics.text(wants_colour(2)));
    return 1;
  }
  return options.output.empty() ? 0 : write_object(options, lines);
}

}  // namespace

void add_asm(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<AsmOptions>();
  CLI::App* command = app.add_subcommand("asm", "Assemble LLVM-style text");
  command->add_option("file", options->file, "Assembly text; '-' is standard input")->capture_default_str();
  command->add_option("--arch", options->arch, "Instruction set: cdna5, gfx1250, ...")->required();
  command->add_option("-o", options->output, "Write an ELF object with the code as its .text section");
  command->add_flag("--show-encoding", options->show_encoding,
                    "Print each instruction with its bytes (the default without -o)");
  command->add_option("--wave", options->wave, "Lanes of a wave, which gives masks their width")
      ->check(CLI::IsMember({32, 64}));
  command->footer(
      "Examples:\n"
      "  echo 's_bfe_u32 s0, s1, s2' | gfxisa asm --arch cdna5 --show-encoding\n"
      "  gfxisa asm --arch gfx1100 kernel.s -o kernel.o");
  command->callback([options, &exit_code] { exit_code = run_assembler(*options); });
}

}  // namespace gfxisa::cli

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "assembler/assemble.h"
#include "base/large_pages.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "codec/encode.h"

namespace gfxisa::cli {
namespace {

struct AsmOptions {
  std::string arch, file = "-", output;
  bool show_encoding = false, links = false;
  unsigned wave = 0;
};

/// `0x1f,` for each byte, with room for eight characters to be copied at once.
constexpr std::size_t byte_text_size = 5;
constexpr std::array<std::array<char, 8>, 256> byte_texts = [] {
  constexpr std::string_view digits = "0123456789abcdef";
  std::array<std::array<char, 8>, 256> texts{};
  for (std::size_t byte = 0; byte < texts.size(); ++byte)
    texts[byte] = {'0', 'x', digits[byte >> 4], digits[byte & 15], ','};
  return texts;
}();

void append_encoding(std::string& out, const Instruction& instruction) {
  char text[1 + max_words * 4 * byte_text_size + sizeof byte_texts[0]];
  char* end = text;
  *end++ = '[';
  for (unsigned i = 0; i < instruction.size; ++i) {
    const u8 byte = static_cast<u8>(instruction.words[i / 4] >> i % 4 * 8);
    std::memcpy(end, byte_texts[byte].data(), sizeof byte_texts[0]);
    end += byte_text_size;
  }
  end[-1] = ']';  // in place of the last comma
  out.append(text, static_cast<std::size_t>(end - text));
}

/// The lines of instructions as they are printed, each made when it is first asked for.
class ShownInstructions {
 public:
  ShownInstructions(const std::vector<Instruction>& instructions, const TextOptions& options)
      : instructions_(instructions), options_(options), places_(instructions.size()) {
    texts_.reserve(std::min(most_bytes, instructions.size() * usual_bytes));
    prefer_large_pages(texts_.data(), texts_.capacity());
  }

  /// Valid until the next call.
  std::string_view line_of(u32 index) {
    Place& place = places_[index];
    if (place.size == 0) {
      if (texts_.size() > most_bytes) forget();
      place.start = static_cast<u32>(texts_.size());
      append_text(texts_, instructions_[index], options_);
      texts_ += " ; encoding: ";
      append_encoding(texts_, instructions_[index]);
      texts_ += '\n';
      place.size = static_cast<u32>(texts_.size()) - place.start;
    }
    return std::string_view(texts_).substr(place.start, place.size);
  }

 private:
  static constexpr std::size_t usual_bytes = 128;
  static constexpr std::size_t most_bytes = std::size_t{8} << 20;  ///< of lines kept for when they come again
  struct Place {
    u32 start = 0, size = 0;  ///< in the texts; size 0: not there
  };

  void forget() {
    texts_.clear();
    std::fill(places_.begin(), places_.end(), Place{});
  }

  const std::vector<Instruction>& instructions_;
  const TextOptions& options_;
  std::vector<Place> places_;
  std::string texts_;
};

void print_listing(const Assembly& assembly, const TextOptions& options) {
  constexpr std::size_t flush_at = std::size_t{1} << 16;
  ShownInstructions shown(assembly.instructions, options);
  std::string out;
  for (const AssembledLine& line : assembly.lines) {
    out += shown.line_of(line.instruction);
    if (out.size() < flush_at) continue;
    std::fwrite(out.data(), 1, out.size(), stdout);
    out.clear();
  }
  std::fwrite(out.data(), 1, out.size(), stdout);
}

int write_object(const AsmOptions& options, const ObjectFile& object) {
  const auto bytes = options.links ? write_linked(object) : write_relocatable(object);
  if (!bytes) return print_error(bytes.error()), 1;
  if (options.output == "-") return std::fwrite(bytes->data(), 1, bytes->size(), stdout) == bytes->size() ? 0 : 1;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(options.output.c_str(), "wb"), std::fclose);
  if (file != nullptr && std::fwrite(bytes->data(), 1, bytes->size(), file.get()) == bytes->size()) return 0;
  print_error({"cannot write " + options.output, ""});
  return 1;
}

/// Files that a source includes: named from its own folder, else from the current one.
Result<u32> read_included(const AsmOptions& options, const std::string& name, Sources& sources) {
  const std::size_t slash = options.file.rfind('/');
  const std::string beside = slash == std::string::npos ? name : options.file.substr(0, slash + 1) + name;
  auto text = read_input(name.starts_with('/') ? name : beside);
  if (!text && beside != name) text = read_input(name);
  if (!text) return text.error();
  return sources.add(name, std::move(*text));
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
  AssemblyOptions all;
  all.text.wave_size = options.wave;
  all.keeps_lines = options.show_encoding || options.output.empty();
  all.may_be_undefined = !options.output.empty() && !options.links;
  all.read_file = [&](const std::string& name) { return read_included(options, name, sources); };
  const Assembly assembly = assemble_file(options.arch, source, sources, diagnostics, all);
  if (all.keeps_lines) print_listing(assembly, all.text);
  std::fflush(stdout);
  for (const std::string& note : assembly.notes) fmt::print(stderr, "note: {}\n", note);
  fmt::print(stderr, "{}", diagnostics.text(wants_colour(2)));
  if (diagnostics.has_errors()) return 1;
  return options.output.empty() ? 0 : write_object(options, assembly.object);
}

}  // namespace

void add_asm(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<AsmOptions>();
  CLI::App* command = app.add_subcommand(
      "asm", "Assemble LLVM-style text: what clang -S writes, with its directives, and what people write");
  command->add_option("file", options->file, "Assembly text; '-' is standard input")->capture_default_str();
  command->add_option("--arch", options->arch, "Instruction set: cdna5, gfx1250, ...")->required();
  auto* output = command->add_option("-o", options->output, "Write a relocatable ELF object, as llvm-mc does");
  command->add_flag("--link", options->links, "Write a linked code object instead, ready for 'gfxisa run'")
      ->needs(output);
  command->add_flag("--show-encoding", options->show_encoding,
                    "Print each instruction with its bytes (the default without -o)");
  command->add_option("--wave", options->wave, "Lanes of a wave, which gives masks their width")
      ->check(CLI::IsMember({32, 64}));
  command->footer(
      "Examples:\n"
      "  echo 's_bfe_u32 s0, s1, s2' | gfxisa asm --arch cdna5 --show-encoding\n"
      "  gfxisa asm --arch gfx1100 kernel.s -o kernel.o          # then: ld.lld -shared kernel.o -o kernel.co\n"
      "  gfxisa asm --arch gfx1100 kernel.s --link -o kernel.co  # then: gfxisa run kernel.co --kernel ...");
  command->callback([options, &exit_code] { exit_code = run_assembler(*options); });
}

}  // namespace gfxisa::cli

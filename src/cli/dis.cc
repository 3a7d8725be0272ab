#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cli/commands.h"
#include "cli/input.h"
#include "codec/decode.h"
#include "elf/code_object.h"
#include "elf/object_text.h"
#include "text/disassemble.h"

namespace gfxisa::cli {
namespace {

struct DisOptions {
  std::string arch, file = "-";
  bool hex = false;
  unsigned wave = 0;
};

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c = static_cast<char>(c | 0x20);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool is_separator(char c) { return c == ' ' || c == ',' || c == '\t' || c == '\r' || c == '[' || c == ']'; }

/// `0x80,0x02,0x00,0x88` or `80020088`; false when it is neither.
bool parse_hex(std::string_view line, std::vector<u8>& bytes) {
  bytes.clear();
  for (std::size_t i = 0; i < line.size();) {
    if (is_separator(line[i])) {
      ++i;
      continue;
    }
    if (line.substr(i).starts_with("0x")) i += 2;
    if (i + 1 >= line.size()) return false;
    const int high = hex_digit(line[i]), low = hex_digit(line[i + 1]);
    if (high < 0 || low < 0) return false;
    bytes.push_back(static_cast<u8>(high * 16 + low));
    i += 2;
  }
  return true;
}

void append_invalid(std::string& out, const Decoded& decoded) {
  out += "<invalid> ";
  out += describe(decoded.fault);
  if (decoded.fault == DecodeFault::bad_operand && decoded.fault_operand == no_operand) {
    out += fmt::format(": {} takes no constant", tables().text(decoded.instruction.form_row().mnemonic));
  } else if (decoded.fault == DecodeFault::bad_operand) {
    const Instruction& instruction = decoded.instruction;
    const OperandRow& operand = tables().operands[instruction.form_row().first_operand + decoded.fault_operand];
    const SlotRow& slot = tables().slots[instruction.row().first_slot + operand.slot];
    out += fmt::format(": operand {} of {}", tables().text(slot.name), tables().text(instruction.form_row().mnemonic));
  }
}

void append_hex_line(std::string& out, unsigned chip, std::string_view line, std::vector<u8>& bytes,
                     const TextOptions& options) {
  if (!parse_hex(line, bytes)) {
    out += "<invalid> the line is not bytes in hexadecimal\n";
    return;
  }
  const Decoded decoded = decode(chip, bytes);
  if (!decoded)
    append_invalid(out, decoded);
  else if (decoded.instruction.size != bytes.size()) {
    out += fmt::format("<invalid> the instruction has {} bytes, the line {}", decoded.instruction.size, bytes.size());
  } else {
    append_text(out, decoded.instruction, options);
  }
  out += '\n';
}

constexpr std::size_t flush_at = 1 << 16;

void flush(std::string& out) {
  std::fwrite(out.data(), 1, out.size(), stdout);
  out.clear();
}

void disassemble_hex(unsigned chip, std::string_view text, const TextOptions& options) {
  std::vector<u8> bytes;
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    append_hex_line(out, chip, text.substr(0, end), bytes, options);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    if (out.size() > flush_at) flush(out);
  }
  flush(out);
}

/// `	s_nop 0    // 000000001900: BF800000`, an instruction a line; what is none takes one word.
void disassemble_range(unsigned chip, std::span<const u8> bytes, u64 address, const TextOptions& options,
                       std::string& out) {
  constexpr std::size_t comment_column = 60;
  while (!bytes.empty()) {
    const Decoded decoded = decode(chip, bytes);
    const std::size_t start = out.size();
    out += '\t';
    if (decoded)
      append_text(out, decoded.instruction, options);
    else
      append_invalid(out, decoded);
    const std::size_t length = out.size() - start;
    out.append(length < comment_column ? comment_column - length : 1, ' ');
    const std::size_t size = std::clamp<std::size_t>(decoded ? decoded.instruction.size : 4, 1, bytes.size());
    out += fmt::format("// {:012X}:", address);
    for (std::size_t i = 0; i + 4 <= size; i += 4) {
      out += fmt::format(" {:02X}{:02X}{:02X}{:02X}", bytes[i + 3], bytes[i + 2], bytes[i + 1], bytes[i]);
    }
    for (std::size_t i = size / 4 * 4; i < size; ++i) out += fmt::format(" {:02X}", bytes[i]);
    out += '\n';
    address += size;
    bytes = bytes.subspan(size);
    if (out.size() > flush_at) flush(out);
  }
}

std::span<const u8> image_of(const CodeObject& object) { return {object.image(), object.image_size()}; }

/// Start and size of each function; without functions the executable segments.
std::vector<std::pair<std::string, std::pair<u64, u64>>> code_of(const CodeObject& object) {
  std::vector<std::pair<std::string, std::pair<u64, u64>>> ranges;
  for (const Symbol& symbol : object.symbols) {
    if (symbol.is_function && symbol.size != 0) ranges.push_back({symbol.name, {symbol.offset, symbol.size}});
  }
  if (!ranges.empty()) return ranges;
  for (const Segment& segment : object.segments) {
    if (segment.is_executable) ranges.push_back({".text", {segment.offset, segment.size}});
  }
  return ranges;
}

int disassemble_relocatable(const DisOptions& options, const ObjectText& object) {
  const int chip = find_chip(options.arch.empty() ? object.target : options.arch);
  if (chip < 0)
    return print_error({fmt::format("the object's target '{}' is not known", object.target), "name it with --arch"}), 1;
  std::string out = fmt::format("target: {}\n\n", object.target);
  disassemble_range(static_cast<unsigned>(chip), object.code, 0, {options.wave}, out);
  flush(out);
  return 0;
}

int disassemble_object(const DisOptions& options, std::span<const u8> bytes) {
  if (const auto relocatable = text_of_object(bytes)) return disassemble_relocatable(options, *relocatable);
  auto object = load_code_object(bytes);
  if (!object) return print_error(object.error()), 1;
  int chip = object->chip;
  if (!options.arch.empty()) {
    const auto named = parse_arch(options.arch);
    if (!named) return print_error(named.error()), 1;
    if (*named != chip)
      return print_error(
                 {fmt::format("the code object is for {}, not {}", object->target, options.arch), "leave --arch out"}),
             1;
  }
  if (chip < 0) return print_error({fmt::format("the code object's target '{}' is not known", object->target), ""}), 1;
  std::string out = fmt::format("target: {}\n", object->target);
  for (const auto& [name, range] : code_of(*object)) {
    if (range.first > object->image_size() || range.second > object->image_size() - range.first) continue;
    out += fmt::format("\n{:016x} <{}>:\n", range.first, name);
    disassemble_range(static_cast<unsigned>(chip), image_of(*object).subspan(range.first, range.second), range.first,
                      {options.wave}, out);
  }
  flush(out);
  return 0;
}

int disassemble(const DisOptions& options) {
  const auto input = read_input(options.file);
  if (!input) return print_error(input.error()), 1;
  const std::span<const u8> bytes{reinterpret_cast<const u8*>(input->data()), input->size()};
  if (!options.hex && input->starts_with("\177ELF")) return disassemble_object(options, bytes);
  if (options.arch.empty()) return print_error({"--arch is needed for code that does not name its target", ""}), 2;
  const auto chip = parse_arch(options.arch);
  if (!chip) return print_error(chip.error()), 1;
  if (options.hex) return disassemble_hex(static_cast<unsigned>(*chip), *input, {options.wave}), 0;
  std::string out;
  disassemble_range(static_cast<unsigned>(*chip), bytes, 0, {options.wave}, out);
  flush(out);
  return 0;
}

}  // namespace

void add_dis(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<DisOptions>();
  CLI::App* command = app.add_subcommand("dis", "Disassemble bytes, a binary file or a code object");
  command->add_option("file", options->file, "Code object, raw binary, or with --hex text; '-' is standard input")
      ->capture_default_str();
  command->add_option("--arch", options->arch, "Instruction set: cdna5, gfx1250, ...; a code object names its own");
  command->add_flag("--hex", options->hex, "One instruction a line in hexadecimal; one line of text for each");
  command->add_option("--wave", options->wave, "Lanes of a wave, which gives masks their width")
      ->check(CLI::IsMember({32, 64}));
  command->footer(
      "Examples:\n"
      "  echo 0x80,0x02,0x00,0x88 | gfxisa dis --arch cdna5 --hex\n"
      "  gfxisa dis kernel.co");
  command->callback([options, &exit_code] { exit_code = disassemble(*options); });
}

}  // namespace gfxisa::cli

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "base/memo.h"
#include "cli/commands.h"
#include "cli/dis_json.h"
#include "cli/input.h"
#include "codec/decode.h"
#include "elf/bundle.h"
#include "elf/listing.h"
#include "text/disassemble.h"

namespace gfxisa::cli {
namespace {

struct DisOptions {
  std::string arch, file = "-";
  bool hex = false, list = false, json = false;
  unsigned wave = 0;
};

/// Value of a hexadecimal digit, or what a character is else.
enum : u8 { separator = 0x20, other = 0x40 };
constexpr std::array<u8, 256> hex_values = [] {
  std::array<u8, 256> values{};
  values.fill(other);
  for (u8 digit = 0; digit < 10; ++digit) values['0' + digit] = digit;
  for (u8 digit = 10; digit < 16; ++digit) values['a' + digit - 10] = values['A' + digit - 10] = digit;
  for (const char c : {' ', ',', '\t', '\r', '[', ']'}) values[static_cast<u8>(c)] = separator;
  return values;
}();

/// The bytes of lines of hexadecimal numbers, one line's at a time.
class HexLine {
 public:
  /// `0x80,0x02,0x00,0x88` or `80020088`; false when it is neither.
  bool parse(std::string_view line) {
    if (room_.size() < line.size() / 2) room_.resize(line.size() / 2);
    u8* out = room_.data();
    const char* at = line.data();
    const char* const end = at + line.size();
    const auto value_of = [](char c) { return hex_values[static_cast<u8>(c)]; };
    // Most lines are nothing but `0x80,` again and again.
    while (end - at >= 4 && at[0] == '0' && at[1] == 'x') {
      const u8 high = value_of(at[2]), low = value_of(at[3]);
      if ((high | low) > 15) return false;
      *out++ = static_cast<u8>(high << 4 | low);
      at += 4;
      at += at < end && *at == ',';
    }
    while (at < end) {
      if (value_of(*at) == separator) {
        ++at;
        continue;
      }
      if (end - at >= 4 && at[0] == '0' && at[1] == 'x') at += 2;
      if (end - at < 2) return false;
      const u8 high = value_of(at[0]), low = value_of(at[1]);
      if ((high | low) > 15) return false;
      *out++ = static_cast<u8>(high << 4 | low);
      at += 2;
    }
    bytes_ = {room_.data(), static_cast<std::size_t>(out - room_.data())};
    return true;
  }
  std::span<const u8> bytes() const { return bytes_; }

 private:
  std::vector<u8> room_;  ///< grows to the longest line
  std::span<const u8> bytes_;
};

std::string wrong_length(const Decoded& decoded, std::span<const u8> bytes) {
  return fmt::format("the instruction has {} bytes, the line {}", decoded.instruction.size, bytes.size());
}

void append_hex_line(std::string& out, unsigned chip, std::string_view line, HexLine& hex, const TextOptions& options) {
  if (!hex.parse(line)) {
    out += "<invalid> the line is not bytes in hexadecimal\n";
    return;
  }
  const Decoded decoded = decode(chip, hex.bytes(), options.wave_size);
  if (!decoded)
    (out += "<invalid> ") += describe_fault(decoded);
  else if (decoded.instruction.size != hex.bytes().size()) {
    (out += "<invalid> ") += wrong_length(decoded, hex.bytes());
  } else {
    append_text(out, decoded.instruction, options);
  }
  out += '\n';
}

void append_hex_record(std::string& out, unsigned chip, std::string_view line, u64 address, HexLine& hex,
                       const TextOptions& options) {
  const RecordPlace place{address, {}, {}, {}};
  if (!hex.parse(line)) return append_invalid(out, {}, place, "no_bytes", "the line is not bytes in hexadecimal");
  const Decoded decoded = decode(chip, hex.bytes(), options.wave_size);
  if (decoded && decoded.instruction.size != hex.bytes().size())
    return append_invalid(out, hex.bytes(), place, "trailing_bytes", wrong_length(decoded, hex.bytes()));
  append_record(out, decoded, hex.bytes(), place, options);
}

/// Text on its way to standard output.
class OutputBlock {
 public:
  /// What a memo keeps: of that, most is copied alike, however long it is.
  void add_kept(std::string_view text) {
    constexpr std::size_t most = ByteMemo::readable_bytes;
    if (text.size() > most) return add(text);
    std::memcpy(room(most), text.data(), most);
    used_ += text.size();
  }
  void add(std::string_view text) {
    text.copy(room(text.size()), text.size());
    used_ += text.size();
  }
  void flush() {
    if (used_ != 0) std::fwrite(block_.data(), 1, used_, stdout);
    used_ = 0;
  }

 private:
  static constexpr std::size_t flush_at = 1 << 16;

  char* room(std::size_t size) {
    if (used_ >= flush_at) flush();
    if (block_.size() - used_ < size) block_.resize(std::max(used_ + size, 2 * block_.size()));
    return block_.data() + used_;
  }

  std::vector<char> block_;
  std::size_t used_ = 0;
};

int disassemble_hex(unsigned chip, const std::string& file, const TextOptions& options, bool as_json) {
  OutputBlock out;
  Result<LineReader> lines = LineReader::open(file, [&out] {
    out.flush();
    std::fflush(stdout);
  });
  if (!lines) return print_error(lines.error()), 1;
  HexLine hex;
  ByteMemo known;
  u64 address = 0;
  std::string text;
  for (std::string_view line; lines->next(line);) {
    if (as_json) {
      text.clear();
      append_hex_record(text, chip, line, address, hex, options);
      address += hex.bytes().size();
      out.add(text);
      continue;
    }
    const MemoKey key(line);
    if (const std::string_view met = known.find(key); met.data() != nullptr) {
      out.add_kept(met);
    } else {
      text.clear();
      append_hex_line(text, chip, line, hex, options);
      out.add(text);
      known.keep(key, text);
    }
  }
  out.flush();
  if (!lines->failure().empty()) return print_error({lines->failure(), ""}), 1;
  return 0;
}

void write_out(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

/// The chip that --arch names, or else the target does; an error when they contradict each other.
Result<int> chip_of(const DisOptions& options, const std::string& target) {
  const int own = find_chip(target);
  if (options.arch.empty()) {
    if (own >= 0) return own;
    return Error{fmt::format("the code object's target '{}' is not known", target), "name it with --arch"};
  }
  const Result<int> named = parse_arch(options.arch);
  if (!named || own < 0 || *named == own) return named;
  return Error{fmt::format("the code object is for {}, not {}", target, options.arch), "leave --arch out"};
}

void write_object_records(const DisOptions& options, const ParsedElf& file, unsigned chip, std::string_view entry) {
  for (const ParsedSection& section : file.sections) {
    if (!section.is_code()) continue;
    const RecordPlace place{section.address, section.name, entry, {}};
    write_records(code_range(file, section, chip, 0, section.bytes.size()), place, {options.wave}, write_out);
  }
}

/// `entry` names the bundle's entry that the object is; empty: it stands alone.
int disassemble_object(const DisOptions& options, const ParsedElf& file, std::string_view entry = {}) {
  const Result<int> chip = chip_of(options, file.target);
  if (!chip) return print_error(chip.error()), 1;
  if (options.json)
    write_object_records(options, file, static_cast<unsigned>(*chip), entry);
  else
    write_object_listing(file, static_cast<unsigned>(*chip), {options.wave}, write_out);
  return 0;
}

/// Whether an entry of a bundle is for what --arch names: a target, a target with features, or a family.
bool is_wanted(const DisOptions& options, const BundleEntry& entry) {
  if (options.arch.empty() || options.arch == entry.target || options.arch == entry.target_id) return true;
  return !options.arch.starts_with("gfx") && !entry.target.empty() &&
         find_chip(options.arch) == find_chip(entry.target);
}

void list_entries(const std::vector<Bundle>& bundles) {
  for (const Bundle& bundle : bundles) {
    const std::string how =
        bundle.compression.empty() ? "uncompressed" : fmt::format("{}, version {}", bundle.compression, bundle.version);
    fmt::print("bundle at byte {}, {} bytes, {}\n", bundle.offset, bundle.size, how);
    for (const BundleEntry& entry : bundle.entries) fmt::print("  {:>10} bytes  {}\n", entry.bytes.size(), entry.id);
  }
}

int disassemble_entry(const DisOptions& options, const BundleEntry& entry) {
  const Result<ParsedElf> file = parse_elf(entry.bytes);
  if (!file) return print_error({fmt::format("{}: {}", entry.id, file.error().message), file.error().hint}), 1;
  DisOptions own = options;
  own.arch.clear();  // an entry names its target
  return disassemble_object(own, *file, entry.id);
}

int disassemble_bundles(const DisOptions& options, std::span<const u8> bytes) {
  const Result<std::vector<Bundle>> bundles = read_bundles(bytes);
  if (!bundles) return print_error(bundles.error()), 1;
  if (options.list) return list_entries(*bundles), 0;
  std::vector<std::string> targets;
  int status = 0, count = 0;
  for (const Bundle& bundle : *bundles) {
    for (const BundleEntry& entry : bundle.entries) {
      if (entry.target.empty() || entry.bytes.empty()) continue;
      targets.push_back(entry.target_id);
      if (!is_wanted(options, entry)) continue;
      if (!options.json) fmt::print("{}// entry {}\n", count == 0 ? "" : "\n", entry.id);
      ++count;
      status = std::max(status, disassemble_entry(options, entry));
    }
  }
  if (count != 0) return status;
  std::sort(targets.begin(), targets.end());
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  return print_error(
             {fmt::format("no code object {}in the bundle", options.arch.empty() ? "" : "for " + options.arch + " "),
              targets.empty() ? "" : fmt::format("there are: {}", fmt::join(targets, ", "))}),
         1;
}

int disassemble_elf(const DisOptions& options, std::span<const u8> bytes) {
  const Result<ParsedElf> file = parse_elf(bytes);
  if (!file) return print_error(file.error()), 1;
  if (file->machine == elf_machine_amdgpu) return disassemble_object(options, *file);
  const ParsedSection* section = file->find_section(".hip_fatbin");
  if (section != nullptr) return disassemble_bundles(options, section->bytes);
  return print_error(
             {fmt::format("an ELF file for machine {}, not for an AMD GPU ({}), and without a .hip_fatbin section",
                          file->machine, elf_machine_amdgpu),
              ""}),
         1;
}

int disassemble(const DisOptions& options) {
  if (options.hex) {
    if (options.arch.empty()) return print_error({"--arch is needed: lines of bytes do not name their target", ""}), 2;
    const auto chip = parse_arch(options.arch);
    if (!chip) return print_error(chip.error()), 1;
    return disassemble_hex(static_cast<unsigned>(*chip), options.file, {options.wave}, options.json);
  }
  const auto input = read_input(options.file);
  if (!input) return print_error(input.error()), 1;
  const std::span<const u8> bytes{reinterpret_cast<const u8*>(input->data()), input->size()};
  if (input->starts_with("\177ELF")) return disassemble_elf(options, bytes);
  if (is_bundle(bytes)) return disassemble_bundles(options, bytes);
  if (options.arch.empty()) return print_error({"--arch is needed for code that does not name its target", ""}), 2;
  const auto chip = parse_arch(options.arch);
  if (!chip) return print_error(chip.error()), 1;
  const CodeRange range{static_cast<unsigned>(*chip), bytes, 0, {}, false, {}};
  if (options.json)
    write_records(range, {}, {options.wave}, write_out);
  else
    write_listing(range, {options.wave}, write_out);
  return 0;
}

}  // namespace

void add_dis(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<DisOptions>();
  CLI::App* command = app.add_subcommand("dis", "Disassemble bytes, a binary file or a code object");
  command
      ->add_option("file", options->file,
                   "Code object, offload bundle, host program with .hip_fatbin, raw binary, or with --hex text; "
                   "'-' is standard input")
      ->capture_default_str();
  command->add_option(
      "--arch", options->arch,
      "Instruction set: cdna5, gfx1250, ...; a code object names its own, of a bundle it picks entries");
  command->add_flag("--hex", options->hex, "One instruction a line in hexadecimal; one line of text for each");
  command->add_flag("--json", options->json,
                    "One JSON object an instruction and line: operands, fields, registers read and written");
  command->add_flag("--list", options->list, "List the entries of an offload bundle");
  command->add_option("--wave", options->wave, "Lanes of a wave, which gives masks their width")
      ->check(CLI::IsMember({32, 64}));
  command->footer(
      "Examples:\n"
      "  echo 0x80,0x02,0x00,0x88 | gfxisa dis --arch cdna5 --hex\n"
      "  gfxisa dis kernel.co\n"
      "  gfxisa dis --json kernel.co | jq -r '.implicit_writes[]?'\n"
      "  gfxisa dis --arch gfx942 program.hipfb");
  command->callback([options, &exit_code] { exit_code = disassemble(*options); });
}

}  // namespace gfxisa::cli

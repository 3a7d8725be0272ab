#include "doc/run_example.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <set>

#include "codec/decode.h"
#include "codec/encode.h"
#include "exec/snippet.h"
#include "inst/registers.h"
#include "text/assemble.h"
#include "text/disassemble.h"

namespace gfxisa {
namespace {

using exec::RegisterImage;
using exec::Snippet;

const Tables& all() { return tables(); }

constexpr u32 shown_lanes = 4;
constexpr u32 memory_bytes = 65536;

/// Memory of the example: each word holds its own number, so that a reader sees where a value came from.
struct alignas(4096) ExampleMemory {
  u8 bytes[memory_bytes];
};

u32 word_pattern(u32 at) { return 0x11110000u + at; }

u16 half_of(float value) {
  const auto bits = exec::parse_register_value(fmt::format("{}h", value), 16);
  return bits ? static_cast<u16>(*bits) : u16{0};
}

/// Values for source `position` and lane `lane`, of a format. Integers are small numbers that say something as counts,
/// too; the first source is a word in which one sees which bits went where.
u64 plausible_value(std::string_view format, unsigned bits, unsigned position, u32 lane) {
  static constexpr float floats[] = {1.5f, -2.25f, 0.75f, 3.0f};
  const float real = floats[position % 4] + static_cast<float>(lane);
  const auto starts = [&](std::string_view prefix) { return format.starts_with(prefix); };
  if (format == "f64") return std::bit_cast<u64>(static_cast<double>(real));
  if (format == "f16") return half_of(real);
  if (starts("f16x2")) return half_of(real) | u64{half_of(real + 1)} << 16;
  if (format == "bf16") return std::bit_cast<u32>(real) >> 16;
  if (starts("bf16x2")) return std::bit_cast<u32>(real) >> 16 | (std::bit_cast<u32>(real + 1) & 0xffff0000u);
  if (starts("f32x2")) return std::bit_cast<u32>(real) | u64{std::bit_cast<u32>(real + 1)} << 32;
  if (starts("f32")) return std::bit_cast<u32>(real);
  if (format == "mask") return 0x5555555555555555u;
  static constexpr u64 wholes[] = {0x123456789abcdef0u, 0x00080004u, 0x0f0f0f0fu, 7};
  const u64 value = wholes[position % 4] + (position == 0 ? 0 : lane);
  if (bits <= 32 && position == 0) return 0x12345678u + (u64{lane} << 8);
  return value;
}

std::string number_text(std::string_view format, const RegisterImage& image, u32 lane) {
  std::string out = "0x";
  for (unsigned word = image.words; word-- > 0;) out += fmt::format("{:08x}", image.values[lane * image.words + word]);
  if (format == "f32") out += fmt::format(" ({})", std::bit_cast<float>(image.values[lane * image.words]));
  if (format == "f64" && image.words == 2) out += fmt::format(" ({})", std::bit_cast<double>(image.low64(lane)));
  return out;
}

std::string image_text(std::string_view format, const RegisterImage& image) {
  if (image.is_bit) return fmt::format("{}", image.values[0]);
  if (!image.is_vector) return number_text(format, image, 0);
  std::string out;
  for (u32 lane = 0; lane < std::min(image.lanes(), shown_lanes); ++lane)
    out += (lane == 0 ? "" : ", ") + number_text(format, image, lane);
  return out + ", ...";
}

class Example {
 public:
  Example(unsigned chip, const Instruction& instruction)
      : chip_(chip), parts_{instruction}, wave_size_(default_wave_size(chip)) {
    u8 bytes[max_words * 4] = {};
    append_bytes(instruction, bytes);
    code_.assign(bytes, bytes + instruction.size);
    exec::SnippetOptions options;
    options.chip = chip;
    options.wave_size = wave_size_;
    options.scratch_bytes = 4096;
    if (const auto second = second_of(instruction)) parts_.push_back(*second);
    snippet_ = std::make_unique<Snippet>(options, code_);
    for (u32 i = 0; i < memory_bytes; i += 4) {
      const u32 word = word_pattern(i);
      std::memcpy(memory_->bytes + i, &word, 4);
      std::memcpy(snippet_->lds().data() + i, &word, 4);
    }
    snippet_->memory().add(memory_->bytes, memory_bytes, true);
  }

  PageRun run(std::string_view line) {
    PageRun out;
    out.program = line;
    set_sources(out);
    const exec::Fault fault = snippet_->run();
    if (fault) return {"", {}, {}, snippet_->describe(fault)};
    read_results(out);
    read_memory(out);
    if (out.after.empty()) out.after.emplace_back("registers and memory", "unchanged");
    return out;
  }

 private:
  std::vector<OperandValue> operands() const {
    std::vector<OperandValue> out;
    for (const Instruction& part : parts_) {
      for (unsigned i = 0; i < part.form_row().operand_count; ++i) out.push_back(operand_of(part, i, wave_size_));
    }
    return out;
  }

  /// Name of the register an operand is; empty for constants and immediates.
  std::string register_name(const OperandValue& operand) const {
    if (operand.slot == nullptr || operand.slot->access == Access::imm || operand.kind == no_kind) return {};
    const std::string name = code_name(chip_, operand.code, operand.bits);
    return snippet_->read(name) ? name : std::string();
  }

  /// Addresses of the host are different in each run; they are given as places in the code and in the memory.
  std::string text_of(std::string_view format, const RegisterImage& image) const {
    if (image.words != 2 || image.is_vector) return image_text(format, image);
    const u64 value = image.low64(0), code = snippet_->wave().code_base, memory = reinterpret_cast<u64>(memory_->bytes);
    if (value - code <= code_.size()) return fmt::format("address of the code + {}", value - code);
    if (value - memory <= memory_bytes) return fmt::format("address of the memory + {}", value - memory);
    return image_text(format, image);
  }

  bool is_scratch() const {
    return all().text(parts_.front().encoding().name).find("SCRATCH") != std::string_view::npos;
  }

  /// An address without a vector part, `off`: its field names no register.
  bool is_off(const SlotRow& slot) const {
    const Instruction& instruction = parts_.front();
    if (all().text(slot.name) != "addr") return false;
    if (all().text(instruction.encoding().name).find("BUF") != std::string_view::npos)
      return field_value(instruction, "idxen") == 0 && field_value(instruction, "offen") == 0;
    if (!is_scratch()) return false;
    return has_no_address(instruction) || field_value(instruction, "sve", 1) == 0;
  }

  std::string_view format_of(const SlotRow& slot) const {
    return slot.format == no_format ? std::string_view() : all().text(all().data_formats[slot.format].name);
  }

  bool is_address(const SlotRow& slot) const {
    const std::string_view name = all().text(slot.name);
    return name == "addr" || name == "base" || name == "saddr" || format_of(slot) == "address";
  }

  /// 64 bits are an address in the example's memory, fewer an offset into it or into the data share.
  u64 address_value(const OperandValue& operand, u32 lane) const {
    const u64 offset = u64{lane} * 16;
    if (is_scratch()) return 256 + offset;
    return operand.bits >= 64 ? reinterpret_cast<u64>(memory_->bytes) + 256 + offset : 256 + offset;
  }

  void set_register(PageRun& out, const std::string& name, const SlotRow& slot, const std::vector<u64>& values) {
    if (!snippet_->set(name, values)) return;
    if (is_address(slot)) {
      out.before.emplace_back(name, values.size() > 1 ? "addresses of words 16 bytes apart" : "an address of memory");
      return;
    }
    if (const auto image = snippet_->read(name)) out.before.emplace_back(name, image_text(format_of(slot), *image));
  }

  void set_sources(PageRun& out) {
    unsigned position = 0;
    std::set<std::string> known;
    for (const OperandValue& operand : operands()) {
      const std::string name = register_name(operand);
      if (name.empty() || operand.slot->access == Access::out || is_off(*operand.slot)) continue;
      if (!known.insert(name).second) continue;
      const bool is_vector = operand.code >= 256;
      std::vector<u64> values;
      for (u32 lane = 0; lane < (is_vector ? wave_size_ : 1); ++lane) {
        const bool is_offset = all().text(operand.slot->name) == "soffset";
        values.push_back(is_offset ? 64
                         : is_address(*operand.slot)
                             ? address_value(operand, lane)
                             : plausible_value(format_of(*operand.slot), operand.bits, position, lane));
      }
      if (is_address(*operand.slot) && all().text(operand.slot->name) == "base" && operand.bits == 128)
        values = {resource_low()};
      set_register(out, name, *operand.slot, values);
      if (operand.bits == 128 && all().text(operand.slot->name) == "base") set_resource(operand.code);
      if (!is_address(*operand.slot)) ++position;
    }
    for_each_named_slot([&](const SlotRow& slot, const std::string& name) {
      if (slot.access == Access::out || known.contains(name)) return;
      if (name == "scc") static_cast<void>(snippet_->set(name, std::vector<u64>{1}));
      if (name == "m0") static_cast<void>(snippet_->set(name, std::vector<u64>{0xffffffff}));
      if (name == "vcc") static_cast<void>(snippet_->set(name, std::vector<u64>{0x5555555555555555u}));
      if (const auto image = snippet_->read(name)) out.before.emplace_back(name, image_text(format_of(slot), *image));
    });
  }

  u64 resource_low() const { return reinterpret_cast<u64>(memory_->bytes) & 0xffffffffffffu; }
  /// The rest of a buffer's descriptor: its size in bytes, and where it has a format four floats of 32 bits as they
  /// are.
  void set_resource(u32 code) {
    u32* scalars = snippet_->wave().scalar_file();
    const std::string_view epoch = all().text(all().chips[chip_].epoch), chip = all().text(all().chips[chip_].name);
    constexpr u32 channels = 4 | 5 << 3 | 6 << 6 | 7 << 9, by_bytes = 3u << 28;
    if (chip == "cdna5") {  // the size begins at bit 57
      scalars[code + 2] = memory_bytes >> 7;
      scalars[code + 3] = 0;
      return;
    }
    scalars[code + 2] = memory_bytes;
    scalars[code + 3] = channels | (epoch == "gfx9"    ? 7u << 12 | 14u << 15
                                    : epoch == "gfx10" ? 77u << 12 | by_bytes
                                                       : 63u << 12 | by_bytes);
  }

  template <class F>
  void for_each_named_slot(F&& f) {
    const InstructionRow& row = parts_.front().row();
    for (u32 i = 0; i < row.slot_count; ++i) {
      const SlotRow& slot = all().slots[row.first_slot + i];
      if (!slot.is_named || (slot.chips >> chip_ & 1) == 0) continue;
      const std::string name(all().text(slot.name));
      if (snippet_->read(name)) f(slot, name);
    }
  }

  void read_results(PageRun& out) {
    std::set<std::string> known;
    for (const OperandValue& operand : operands()) {
      const std::string name = register_name(operand);
      if (name.empty() || operand.slot->access == Access::in || !known.insert(name).second) continue;
      if (operand.slot->is_returned && !returns_value(parts_.front())) continue;
      if (const auto image = snippet_->read(name))
        out.after.emplace_back(name, text_of(format_of(*operand.slot), *image));
    }
    for_each_named_slot([&](const SlotRow& slot, const std::string& name) {
      if (slot.access == Access::in || known.contains(name)) return;
      if (const auto image = snippet_->read(name)) out.after.emplace_back(name, text_of(format_of(slot), *image));
    });
  }

  void read_memory(PageRun& out) {
    read_changes(out, "memory", memory_->bytes);
    read_changes(out, "LDS", snippet_->lds().data());
  }

  void read_changes(PageRun& out, std::string_view what, const u8* bytes) {
    unsigned shown = 0;
    for (u32 at = 0; at < memory_bytes && shown < shown_lanes; at += 4) {
      u32 word = 0;
      std::memcpy(&word, bytes + at, 4);
      if (word == word_pattern(at)) continue;
      out.after.emplace_back(fmt::format("{} + 0x{:x}", what, at),
                             fmt::format("0x{:08x} (was 0x{:08x})", word, word_pattern(at)));
      ++shown;
    }
  }

  unsigned chip_;
  std::vector<Instruction> parts_;  ///< the instruction; of a pair both
  unsigned wave_size_;
  std::vector<u8> code_;
  std::unique_ptr<ExampleMemory> memory_ = std::make_unique<ExampleMemory>();
  std::unique_ptr<Snippet> snippet_;
};

}  // namespace

PageRun run_example(unsigned chip, std::string_view line, const InstructionRow& row) {
  const auto instruction = line.empty() ? Result<Instruction>(Error{}) : assemble_line(chip, line);
  if (!instruction) return {"", {}, {}, "there is no general example of this instruction"};
  if (instruction->form_row().semantics == no_semantics) {
    const std::string_view why = all().text(row.fidelity_why);
    return {"", {}, {}, fmt::format("the engine does not execute this instruction{}{}", why.empty() ? "" : ": ", why)};
  }
  return Example(chip, *instruction).run(line);
}

}  // namespace gfxisa

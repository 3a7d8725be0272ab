#include "text/listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/memo.h"
#include "codec/encode.h"
#include "text/assemble.h"

namespace gfxisa {
namespace {

constexpr std::size_t word_bytes = 4;
constexpr std::size_t comment_column = 60;
constexpr std::size_t flush_at = std::size_t{1} << 16;
constexpr std::size_t data_words_a_line = 4;

u32 word_at(std::span<const u8> bytes, std::size_t at) {
  u32 word;
  std::memcpy(&word, bytes.data() + at, sizeof word);
  return word;
}

/// Which words of the code begin an instruction, and which of these are jumped to.
struct Targets {
  std::vector<bool> starts, wanted;
};

class Listing {
 public:
  Listing(const CodeRange& range, const TextOptions& options, const TextSink& sink)
      : range_(range), options_(options), sink_(sink) {}

  void write() {
    find_targets();
    for (const CodePart& part : parts_of(range_)) {
      while (next_label_ < range_.labels.size() && range_.labels[next_label_].offset <= part.start)
        append_label(range_.labels[next_label_++]);
      part.is_data ? write_data(part.start, part.end) : write_code(part.start, part.end);
    }
    // Labels behind the last byte.
    while (next_label_ < range_.labels.size()) append_label(range_.labels[next_label_++]);
    flush();
  }

 private:
  Decoded decode_at(u64 at, u64 end) const {
    return decode(range_.chip, range_.bytes.subspan(at, end - at), options_.wave_size);
  }

  static u64 size_of(const Decoded& decoded, u64 left) {
    return decoded ? decoded.instruction.size : std::min<u64>(word_bytes, left);
  }

  void find_targets() {
    const std::size_t words = range_.bytes.size() / word_bytes + 1;
    targets_.starts.resize(words);
    targets_.wanted.resize(words);
    for (const CodePart& part : parts_of(range_)) {
      for (u64 at = part.start; at < part.end && !part.is_data;) {
        const Decoded decoded = decode_at(at, part.end);
        i64 distance = 0;
        if (at % word_bytes == 0) targets_.starts[at / word_bytes] = true;
        if (decoded && branch_distance(decoded.instruction, distance)) want(at + static_cast<u64>(distance));
        at += size_of(decoded, part.end - at);
      }
    }
  }

  void want(u64 offset) {
    if (offset < range_.bytes.size() && offset % word_bytes == 0) targets_.wanted[offset / word_bytes] = true;
  }

  bool has_label(u64 offset) const {
    return offset < range_.bytes.size() && offset % word_bytes == 0 && targets_.starts[offset / word_bytes] &&
           targets_.wanted[offset / word_bytes];
  }

  std::string local_label(u64 offset) const { return fmt::format(".L{:x}", range_.address + offset); }

  void append_label(const CodeLabel& label) {
    out_ += label.name;
    out_ += ":\n";
  }

  void write_code(u64 start, u64 end) {
    for (u64 at = start; at < end;) {
      if (has_label(at)) out_ += local_label(at) + ":\n";
      const Decoded decoded = decode_at(at, end);
      const u64 size = size_of(decoded, end - at);
      decoded ? write_instruction(decoded.instruction, at) : write_words(at, size, describe_invalid(decoded));
      at += size;
      if (out_.size() > flush_at) flush();
    }
  }

  static std::string describe_invalid(const Decoded& decoded) { return "<invalid> " + describe_fault(decoded); }

  void write_instruction(const Instruction& instruction, u64 at) {
    const InstructionKey bytes(instruction);
    const MemoKey key(bytes.view());
    text_.clear();
    if (const std::string_view known = known_.find(key); !known.empty()) {
      text_ = known;
    } else {
      append_text(text_, instruction, options_);
      const std::string why = not_canonical(instruction, text_, options_);
      if (!why.empty()) return write_words(at, instruction.size, text_ + "; " + why);
      known_.keep(key, text_);
    }
    i64 distance = 0;
    if (branch_distance(instruction, distance) && has_label(at + static_cast<u64>(distance)))
      text_.replace(text_.find_last_of(' ') + 1, std::string::npos, local_label(at + static_cast<u64>(distance)));
    const std::size_t line = out_.size();
    out_ += '\t';
    out_ += text_;
    append_place(line, at, instruction.size, {});
  }

  void write_words(u64 at, u64 size, std::string_view why) {
    const std::size_t line = out_.size();
    append_data(at, size);
    append_place(line, at, size, why);
  }

  /// `.long 0x1, 0x2`, and bytes for what is left.
  void append_data(u64 at, u64 size) {
    const bool has_words = size >= word_bytes;
    const u64 words = size / word_bytes;
    if (has_words) out_ += "\t.long ";
    for (u64 i = 0; i < words; ++i)
      out_ += fmt::format("{}0x{:08x}", i == 0 ? "" : ", ", word_at(range_.bytes, at + i * word_bytes));
    if (size % word_bytes == 0) return;
    out_ += has_words ? "\n\t.byte " : "\t.byte ";
    for (u64 i = words * word_bytes; i < size; ++i)
      out_ += fmt::format("{}0x{:02x}", i % word_bytes == 0 ? "" : ", ", range_.bytes[at + i]);
  }

  /// `// 000000001900: BF800000`, what the line is about, and the note on its bytes.
  void append_place(std::size_t line, u64 at, u64 size, std::string_view about) {
    const std::size_t length = out_.size() - line;
    out_.append(length < comment_column ? comment_column - length : 1, ' ');
    fmt::format_to(std::back_inserter(out_), "// {:012X}:", range_.address + at);
    u64 i = 0;
    for (; i + word_bytes <= size; i += word_bytes)
      fmt::format_to(std::back_inserter(out_), " {:08X}", word_at(range_.bytes, at + i));
    for (; i < size; ++i) fmt::format_to(std::back_inserter(out_), " {:02X}", range_.bytes[at + i]);
    if (!about.empty()) (out_ += ' ') += about;
    if (range_.note) {
      if (const std::string note = range_.note(at, size); !note.empty()) (out_ += "; ") += note;
    }
    out_ += '\n';
  }

  void write_data(u64 start, u64 end) {
    constexpr u64 line_bytes = data_words_a_line * word_bytes;
    for (u64 at = start; at < end; at += line_bytes) {
      const u64 size = std::min(line_bytes, end - at);
      const std::size_t line = out_.size();
      append_data(at, size);
      append_place(line, at, size, "data");
      if (out_.size() > flush_at) flush();
    }
  }

  void flush() {
    sink_(out_);
    out_.clear();
  }

  const CodeRange& range_;
  const TextOptions& options_;
  const TextSink& sink_;
  Targets targets_;
  std::size_t next_label_ = 0;
  std::string out_, text_;
  ByteMemo known_;  ///< texts that assemble to the same bytes
};

/// `opsel: 0x1, not 0x0`, for each field in which two words of the same encoding differ.
void append_differences(std::string& out, const EncodingRow& encoding, const Instruction& ours,
                        const Instruction& theirs, bool in_suffix) {
  for (const FieldRow& field : fields_of(encoding)) {
    if (field.role == FieldRole::joined) continue;
    const auto value_in = [&](const Instruction& word) {
      return in_suffix ? word.suffix_bits(field.low, field.width) : word.bits(field.low, field.width);
    };
    const u64 value = value_in(ours), usual = value_in(theirs);
    if (value == usual) continue;
    out += out.empty() ? "" : ", ";
    const unsigned high = field.low + field.width - 1u;
    const std::string bits =
        field.width == 1 ? fmt::format("[{}]", high) : fmt::format("[{}:{}]", high, unsigned{field.low});
    const std::string_view name = tables().text(field.name);
    const bool is_unused = field.role == FieldRole::reserved || name.empty();
    out += fmt::format("{} {} is 0x{:x}, not 0x{:x}", is_unused ? "unused" : name, bits, value, usual);
  }
}

bool is_same_code(const Instruction& a, const Instruction& b) {
  return a.size == b.size && std::memcmp(a.words.data(), b.words.data(), a.size) == 0;
}

}  // namespace

std::vector<CodePart> parts_of(const CodeRange& range) {
  std::vector<CodePart> parts;
  u64 start = 0, data_end = 0;
  std::size_t next = 0;
  const u64 size = range.bytes.size();
  while (start < size) {
    for (; next < range.labels.size() && range.labels[next].offset <= start; ++next) {
      const CodeLabel& label = range.labels[next];
      data_end = label.is_data ? std::max(data_end, label.offset + std::min(label.size, size)) : 0;
    }
    u64 end = next < range.labels.size() ? std::min(size, range.labels[next].offset) : size;
    const bool is_data = range.is_data || data_end > start;
    if (data_end > start) end = std::min(end, data_end);
    parts.push_back({start, end, is_data});
    start = end;
  }
  return parts;
}

void write_listing(const CodeRange& range, const TextOptions& options, const TextSink& sink) {
  if (range.chip < tables().chips.size()) Listing(range, options, sink).write();
}

bool branch_distance(const Instruction& instruction, i64& distance) {
  const FormRow& form = instruction.form_row();
  const Tables& all = tables();
  for (unsigned i = 0; i < form.operand_count; ++i) {
    const OperandRow& operand = all.operands[form.first_operand + i];
    if (operand.kind != no_kind || operand.field == 0xff) continue;
    if (all.slots[instruction.row().first_slot + operand.slot].style != Style::label) continue;
    const FieldRow& field = all.fields[instruction.encoding().first_field + operand.field];
    const i64 words = sign_extend(instruction.bits(field.low, field.width), field.width);
    distance = instruction.size + words * static_cast<i64>(word_bytes);
    return true;
  }
  return false;
}

std::string not_canonical(const Instruction& instruction, std::string_view text, const TextOptions& options) {
  const Result<Instruction> again = assemble_line(instruction.chip, text, options);
  if (!again) return "not canonical: the assembler refuses this text: " + again.error().message;
  if (is_same_code(*again, instruction)) return {};
  std::string what;
  if (again->form == instruction.form && again->suffix == instruction.suffix) {
    append_differences(what, instruction.encoding(), instruction, *again, false);
    if (instruction.has_suffix())
      append_differences(what, tables().encodings[instruction.suffix], instruction, *again, true);
  } else {
    what = fmt::format("{} of {} bytes where the assembler takes {} of {}", tables().text(instruction.encoding().name),
                       unsigned{instruction.size}, tables().text(again->encoding().name), unsigned{again->size});
  }
  return "not canonical: " + what;
}

std::string describe_fault(const Decoded& decoded) {
  std::string text(describe(decoded.fault));
  if (decoded.fault != DecodeFault::bad_operand) return text;
  const Instruction& instruction = decoded.instruction;
  const std::string_view mnemonic = tables().text(instruction.form_row().mnemonic);
  if (decoded.fault_operand == no_operand) return text + fmt::format(": a field of {} that is no operand", mnemonic);
  const OperandRow& operand = tables().operands[instruction.form_row().first_operand + decoded.fault_operand];
  const SlotRow& slot = tables().slots[instruction.row().first_slot + operand.slot];
  return text + fmt::format(": operand {} of {}", tables().text(slot.name), mnemonic);
}

}  // namespace gfxisa

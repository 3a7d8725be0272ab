#include "codec/decode.h"

#include <algorithm>
#include <cstring>

#include "inst/registers.h"

namespace gfxisa {

namespace {

constexpr unsigned word_bytes = 4;

/// What the operand fields of a form turned out to hold.
struct Operands {
  int bad = -1;          ///< operand whose code its kind does not take
  bool selects = false;  ///< some code belongs to a literal or another suffix
};

/// The first two words as one number: fields of operands end below bit 64 in nearly every encoding.
u64 first_words(const Instruction& instruction) {
  return instruction.words[0] | static_cast<u64>(instruction.words[1]) << 32;
}

u64 upper_words(const Instruction& instruction) {
  return instruction.words[2] | static_cast<u64>(instruction.words[3]) << 32;
}

u64 check_value(const CheckRow& check, const Instruction& instruction, u64 low_words) {
  if (check.low + check.width <= 64) return (low_words >> check.low) & low_ones(check.width);
  return instruction.bits(check.low, check.width);
}

Operands check_operands(const Tables& all, const FormRow& form, const Instruction& instruction, const CodeRow* codes,
                        unsigned wave_size) {
  Operands found;
  const u64 low_words = first_words(instruction);
  const CheckRow* check = all.checks.data() + form.first_check;
  for (const CheckRow* end = check + form.check_count; check != end; ++check) {
    if (check->when != CheckWhen::always && !applies(*check, instruction, wave_size)) continue;
    const u64 value = check_value(*check, instruction, low_words);
    if (!allows(all.legal_values[check->legal], value)) {
      found.bad = check->operand;
      return found;
    }
    const u64 code = value * check->scale + check->offset;
    if (code - 233 < 23)
      found.selects |= selects_suffix(codes[code].cls);  // no code that selects lies outside 233..255
  }
  return found;
}

/// Whether any operand field of the word itself holds a code of this class.
bool holds_class(const Tables& all, const FormRow& form, const Instruction& instruction, const CodeRow* codes,
                 CodeClass cls) {
  const u64 low_words = first_words(instruction);
  for (u32 i = 0; i < form.check_count; ++i) {
    const CheckRow& check = all.checks[form.first_check + i];
    const u64 code = check_value(check, instruction, low_words) * check.scale + check.offset;
    if (code < 512 && codes[code].cls == cls) return true;
  }
  return false;
}

class Decoder {
 public:
  Decoder(unsigned chip, std::span<const u8> bytes, Decoded& result, unsigned wave_size, bool wants_second = false)
      : all_(tables()),
        chip_(all_.chips[chip]),
        codes_(all_.codes.data() + chip_.first_code),
        wave_size_(wave_size != 0 ? wave_size : default_wave_size(chip)),
        wants_second_(wants_second),
        bytes_(bytes),
        result_(result) {
    Instruction& instruction = result_.instruction;
    instruction.chip = static_cast<u8>(chip);
    // The byte order of the host is the instruction's. A copy of fixed size is a few moves.
    if (bytes.size() >= sizeof instruction.words) {
      std::memcpy(instruction.words.data(), bytes.data(), sizeof instruction.words);
    } else {
      std::size_t at = 0;
      for (; at + word_bytes <= bytes.size(); at += word_bytes)
        std::memcpy(&instruction.words[at / word_bytes], bytes.data() + at, word_bytes);
      if (at < bytes.size()) std::memcpy(&instruction.words[at / word_bytes], bytes.data() + at, bytes.size() - at);
    }
  }

  void run() {
    Instruction& instruction = result_.instruction;
    if (bytes_.size() < word_bytes) {
      instruction.size = static_cast<u8>(bytes_.size());
      return fault(DecodeFault::truncated);
    }
    const FormRow* form = find_form();
    if (form == nullptr) return;
    if (bytes_.size() < instruction.size) {
      instruction.size = static_cast<u8>(bytes_.size());
      return fault(DecodeFault::truncated);
    }
    const Operands operands = check_operands(all_, *form, instruction, codes_, wave_size_);
    if (operands.bad >= 0) {
      result_.fault_operand = static_cast<u8>(operands.bad);
      return fault(DecodeFault::bad_operand);
    }
    if (form->has_counts && !check_counts(*form)) return fault(DecodeFault::bad_operand);
    if (operands.selects)
      add_suffix(*form, all_.encodings[form->encoding]);
    else if (form->has_unread_lanes)
      add_unread_lanes(*form, all_.encodings[form->encoding]);
    if (form->has_sized) check_sized_operands(*form);
    clear_rest();
  }

  /// Whether the words hold a second instruction.
  bool is_pair() const { return is_pair_; }

 private:
  void fault(DecodeFault why) {
    result_.fault = why;
    clear_rest();
  }

  // What follows the instruction is not part of it.
  void clear_rest() {
    Instruction& instruction = result_.instruction;
    for (unsigned word = (instruction.size + word_bytes - 1) / word_bytes; word < max_words; ++word)
      instruction.words[word] = 0;
  }

  /// Whether there is room for as many registers as there can be: then nobody needs to know how many there are.
  bool has_room_for_all(const FormRow& form, const OperandRow& operand) const {
    const CountRow& counts = all_.counts[operand.count - 1u];
    const u32 most = std::max(counts.most, counts.shown), first_field = all_.encodings[form.encoding].first_field;
    for (u32 i = 0; i <= operand.further_count; ++i) {
      const FieldRow& field = all_.fields[first_field + (i == 0 ? operand.field : operand.further[i - 1])];
      const u32 code = register_code(operand.kind, result_.instruction.bits(field.low, field.width));
      if (code % 256 + most > 256 || (code % 2 != 0 && code < register_code_count && codes_[code].is_even))
        return false;
    }
    return true;
  }

  /// Operands that are as many registers as fields say must have room for them.
  bool check_counts(const FormRow& form) {
    for (u8 i = 0; i < form.operand_count; ++i) {
      const OperandRow& operand = all_.operands[form.first_operand + i];
      if (operand.count == 0 || has_room_for_all(form, operand)) continue;
      if (register_runs(result_.instruction, i).count != 0 || operand_of(result_.instruction, i, 32).bits == 0)
        continue;
      result_.fault_operand = i;
      return false;
    }
    return true;
  }

  /// The first candidate with the opcode; sets form and size, or the fault.
  const FormRow* find_form() {
    const u64 words = first_words(result_.instruction);
    const u16* candidate = all_.candidates.data() + all_.roots[chip_.first_root + (result_.instruction.words[0] >> 23)];
    const DecodeGroupRow* fits = nullptr;
    for (; *candidate != no_candidate; ++candidate) {
      const DecodeGroupRow& group = all_.decode_groups[*candidate];
      if ((words & group.mask) != group.match ||
          (upper_words(result_.instruction) & group.high_mask) != group.high_match)
        continue;
      if ((group.share == Share::second) != wants_second_ || (group.share != Share::whole && wave_size_ == 64))
        continue;
      if (fits == nullptr) fits = &group;
      const u32 form = form_index(group, words);
      if (form == 0) continue;
      result_.instruction.form = form - 1;
      const FormRow& row = all_.forms[form - 1];
      result_.instruction.size = all_.encodings[row.encoding].bits / 8;
      is_pair_ = group.share == Share::first;
      return &row;
    }
    result_.instruction.size = word_bytes;
    const bool is_cut = fits != nullptr && bytes_.size() < fits->bits / 8u;
    if (fits != nullptr && !is_cut) result_.instruction.size = fits->bits / 8;
    fault(fits == nullptr ? DecodeFault::unknown_encoding
          : is_cut        ? DecodeFault::truncated
                          : DecodeFault::unknown_opcode);
    return nullptr;
  }

  u32 form_index(const DecodeGroupRow& group, u64 words) const {
    u64 opcode = group.opcode_low + group.opcode_width <= 64
                     ? (words >> group.opcode_low) & low_ones(group.opcode_width)
                     : result_.instruction.bits(group.opcode_low, group.opcode_width);
    opcode |= (words >> group.opcode_high_low & low_ones(group.opcode_high_width)) << group.opcode_width;
    return opcode < group.opcode_count ? all_.form_of_opcode[group.first_form + opcode] : 0;
  }

  // Operands whose width another field or the wave gives; the checks of single fields let pass what fits the narrowest.
  void check_sized_operands(const FormRow& form) {
    for (u8 i = 0; i < form.operand_count; ++i) {
      const OperandRow& operand = all_.operands[form.first_operand + i];
      const OperandValue value = operand_of(result_.instruction, i, wave_size_);
      const bool is_tile = value.slot->is_tile && codes_[value.code % register_code_count].cls == CodeClass::vgpr;
      if (operand.sized_by == 0xff && !is_tile) continue;
      const u32 count = register_count(value.bits);
      if (value.code + count <= register_code_count && codes_[value.code + count - 1].cls == codes_[value.code].cls)
        continue;
      result_.fault = DecodeFault::bad_operand;
      result_.fault_operand = i;
    }
  }

  void add_suffix(const FormRow& form, const EncodingRow& encoding) {
    int chosen = -1;
    for (u32 i = 0; i < 32; ++i) {
      if ((encoding.suffixes >> i & 1) == 0 || !is_selected(form, encoding, all_.encodings[chip_.first_encoding + i]))
        continue;
      const bool is_second = chosen >= 0;
      chosen = static_cast<int>(i);
      // Two words cannot both follow: a literal beside DPP, or literals of both sizes.
      if (is_second || (form.without >> i & 1) != 0) return bad_suffix();
    }
    if (chosen < 0) {
      // A constant that is always there serves literals of its length, and no other code.
      const bool is_long =
          encoding.literal_field != 0xff && all_.fields[encoding.first_field + encoding.literal_field].width == 64;
      for (const CodeClass cls : {CodeClass::literal64, CodeClass::dpp, CodeClass::dpp8, CodeClass::sdwa}) {
        if (is_long && cls == CodeClass::literal64) continue;
        if (encoding.literal_field == 0xff || holds_class(all_, form, result_.instruction, codes_, cls))
          return bad_suffix();
      }
      return;
    }
    const u16 suffix = static_cast<u16>(chip_.first_encoding + chosen);
    for (const CodeClass cls : {CodeClass::dpp, CodeClass::dpp8, CodeClass::sdwa}) {
      if (is_literal(all_.encodings[suffix]) && holds_class(all_, form, result_.instruction, codes_, cls))
        return bad_suffix();
    }
    append_suffix(form, suffix);
  }

  /// A word that follows although no source would come from it.
  void add_unread_lanes(const FormRow& form, const EncodingRow& encoding) {
    for (u32 i = 0; i < 32; ++i) {
      if (((encoding.suffixes & ~form.without) >> i & 1) == 0) continue;
      const EncodingRow& suffix = all_.encodings[chip_.first_encoding + i];
      if (!is_literal(suffix) && is_selected(form, encoding, suffix))
        return append_suffix(form, static_cast<u16>(chip_.first_encoding + i));
    }
  }

  bool is_selected(const FormRow& form, const EncodingRow& encoding, const EncodingRow& suffix) const {
    if (suffix.literal_bits != 0) {
      const CodeClass cls = suffix.literal_bits == 32 ? CodeClass::literal : CodeClass::literal64;
      return holds_class(all_, form, result_.instruction, codes_, cls);
    }
    const FieldRow* field = find_field(encoding, suffix.selects_name);
    return field != nullptr && result_.instruction.bits(field->low, field->width) == suffix.selects_value;
  }

  void append_suffix(const FormRow& form, u16 index) {
    Instruction& instruction = result_.instruction;
    const EncodingRow& suffix = all_.encodings[index];
    const unsigned size = instruction.size + suffix.bits / 8u;
    if (size > bytes_.size()) {
      result_.fault = DecodeFault::truncated;
      return;
    }
    instruction.suffix_word = static_cast<u8>(instruction.size / word_bytes);
    instruction.suffix = index;
    instruction.size = static_cast<u8>(size);
    if (!is_literal(suffix)) check_suffix_operands(form);
  }

  void check_suffix_operands(const FormRow& form) {
    for (const CheckRow& check : all_.checks.subspan(form.first_check, form.check_count)) {
      const u64 value = result_.instruction.bits(check.low, check.width);
      if (check.when == CheckWhen::with_dpp && !allows(all_.legal_values[check.legal], value))
        bad_operand(check.operand);
    }
    const FormSuffixRow& suffix = form_suffix(result_.instruction);
    for (const CheckRow& check : all_.checks.subspan(suffix.first_check, suffix.check_count)) {
      const u64 value = result_.instruction.suffix_bits(check.low, check.width);
      if (applies(check, result_.instruction, wave_size_) && !allows(all_.legal_values[check.legal], value))
        bad_operand(check.operand);
    }
    // A scalar source of SDWA is a register or an inline constant.
    for (u8 i = 0; i < form.operand_count; ++i) {
      const OperandValue value = operand_of(result_.instruction, i, 32);
      if (value.kind == no_kind || value.is_implied || value.code > 255) continue;
      const CodeClass cls = codes_[value.code].cls;
      if (cls == CodeClass::none || selects_suffix(cls)) bad_operand(i);
    }
  }

  void bad_operand(u8 operand) {
    result_.fault = DecodeFault::bad_operand;
    result_.fault_operand = operand;
  }

  void bad_suffix() { result_.fault = DecodeFault::bad_suffix; }

  const Tables& all_;
  const ChipRow& chip_;
  const CodeRow* codes_;
  unsigned wave_size_;
  bool wants_second_;
  bool is_pair_ = false;
  std::span<const u8> bytes_;
  Decoded& result_;
};

}  // namespace

std::string_view describe(DecodeFault fault) {
  switch (fault) {
    case DecodeFault::none:
      return "no fault";
    case DecodeFault::truncated:
      return "the bytes end before the instruction does";
    case DecodeFault::unknown_encoding:
      return "no encoding has these fixed bits";
    case DecodeFault::unknown_opcode:
      return "the encoding has no such opcode";
    case DecodeFault::bad_operand:
      return "an operand field holds a code it does not take";
    case DecodeFault::bad_suffix:
      return "the instruction does not take the word that follows it";
  }
  return "unknown fault";
}

Decoded decode(unsigned chip, std::span<const u8> bytes, unsigned wave_size) {
  Decoded result;
  if (chip >= tables().chips.size()) {
    result.fault = DecodeFault::unknown_encoding;
    result.instruction.size = static_cast<u8>(bytes.size() < word_bytes ? bytes.size() : word_bytes);
    return result;
  }
  Decoder decoder(chip, bytes, result, wave_size);
  decoder.run();
  if (!result || !decoder.is_pair()) return result;
  Decoded second;
  Decoder(chip, bytes, second, wave_size, true).run();
  result.fault = second.fault;
  if (result && second.instruction.size > result.instruction.size) {  // a constant that only the second reads
    result.instruction.size = second.instruction.size;
    result.instruction.words = second.instruction.words;
  }
  return result;
}

std::optional<Instruction> second_of(const Instruction& instruction) {
  if (share_of(instruction.encoding()) != Share::first) return {};
  const std::span<const u8> bytes(reinterpret_cast<const u8*>(instruction.words.data()), instruction.size);
  Decoded second;
  Decoder(instruction.chip, bytes, second, 32, true).run();
  if (!second) return {};
  second.instruction.size = instruction.size;
  second.instruction.words = instruction.words;
  return second.instruction;
}

}  // namespace gfxisa

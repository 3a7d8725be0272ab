// Decoder and encoder against each other over every form of every chip, and on bytes that are known.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "codec/decode.h"
#include "codec/encode.h"

namespace gfxisa {
namespace {

const Tables& all() { return tables(); }

std::string name_of_form(u32 form) {
  const FormRow& row = all().forms[form];
  return std::string(all().text(row.mnemonic)) + " in " + std::string(all().text(all().encodings[row.encoding].name)) +
         " on " + std::string(all().text(all().chips[chip_of_form(form)].name));
}

std::vector<u8> bytes_of(const Instruction& instruction) {
  std::vector<u8> bytes(instruction.size);
  append_bytes(instruction, bytes.data());
  return bytes;
}

const CheckRow* check_of(const FormRow& form, unsigned operand) {
  for (u32 i = 0; i < form.check_count; ++i) {
    const CheckRow& check = all().checks[form.first_check + i];
    if (check.operand == operand) return &check;
  }
  return nullptr;
}

bool is_plain(CodeClass cls) {
  return cls == CodeClass::sgpr || cls == CodeClass::vgpr || cls == CodeClass::integer || cls == CodeClass::special;
}

/// The `skip`th code that a checked operand takes and that brings no suffix.
u32 legal_code(unsigned chip, const FormRow& form, const CheckRow& check, u32 registers, unsigned skip) {
  u32 last = check.offset;
  const auto checks = all().checks.subspan(form.first_check, form.check_count);
  for (u32 value = 0; value < 512 && value <= low_ones(check.width); ++value) {
    const u32 code = value * check.scale + check.offset;
    const CodeRow& row = code_row(chip, code);
    const bool is_legal = std::all_of(checks.begin(), checks.end(), [&](const CheckRow& other) {
      return other.operand != check.operand || (all().legal_values[other.legal][value / 64] >> (value % 64) & 1) != 0;
    });
    const bool is_aligned = static_cast<u32>(row.value) % tuple_alignment(row.cls, registers) == 0;
    if (!is_legal || !is_aligned || !is_plain(row.cls)) continue;
    last = code;
    if (skip-- == 0) break;
  }
  return last;
}

std::vector<OperandInput> some_operands(u32 form, unsigned variant) {
  const FormRow& row = all().forms[form];
  std::vector<OperandInput> inputs;
  for (unsigned i = 0; i < row.operand_count; ++i) {
    const OperandRow& operand = all().operands[row.first_operand + i];
    if (operand.field == 0xff) {
      inputs.push_back(OperandInput::code(operand.implied_code));
    } else if (const CheckRow* check = check_of(row, i)) {
      const u32 registers =
          register_count(all().slots[all().instructions[row.instruction].first_slot + operand.slot].bits);
      inputs.push_back(OperandInput::code(legal_code(chip_of_form(form), row, *check, registers, variant * 3 + i)));
    } else if (operand.kind != no_kind) {
      // A field without check takes every value.
      const OperandKindRow& kind = all().operand_kinds[operand.kind];
      inputs.push_back(OperandInput::code(kind.offset + kind.scale * (variant * 3 + i)));
    } else {
      inputs.push_back(OperandInput::immediate(variant & 1));
    }
  }
  return inputs;
}

/// Whether the words hold a second instruction, which a lone encode leaves unset.
bool is_pair(u32 form) { return share_of(all().encodings[all().forms[form].encoding]) != Share::whole; }

TEST(Codec, EveryFormSurvivesARoundTrip) {
  for (u32 form = 0; form < all().forms.size(); ++form) {
    if (is_pair(form)) continue;
    for (unsigned variant = 0; variant < 2; ++variant) {
      const std::vector<OperandInput> inputs = some_operands(form, variant);
      const Result<Instruction> encoded = encode(form, inputs);
      ASSERT_TRUE(encoded) << name_of_form(form) << ": " << encoded.error().message;
      const Decoded decoded = decode(chip_of_form(form), bytes_of(*encoded));
      ASSERT_TRUE(decoded) << name_of_form(form) << ": " << describe(decoded.fault) << ", operand "
                           << int{decoded.fault_operand};
      ASSERT_EQ(decoded.instruction.form, form)
          << name_of_form(form) << " decodes as " << name_of_form(decoded.instruction.form);
      ASSERT_EQ(decoded.instruction.size, encoded->size) << name_of_form(form);
      for (unsigned i = 0; i < inputs.size(); ++i) {
        const OperandValue value = operand_of(decoded.instruction, i, 32);
        if (value.kind != no_kind) {
          // A field that holds accumulators only leaves out what tells them from other vector registers.
          const u64 given = inputs[i].value;
          const bool is_accumulator =
              is_accumulator_kind(all().operand_kinds[value.kind]) && given >= 256 && given < 512;
          const u64 code = given + (is_accumulator ? accumulator_distance : 0);
          ASSERT_EQ(value.code, code) << name_of_form(form) << ", operand " << i;
        }
      }
    }
  }
}

TEST(Codec, LiteralsFollowTheWord) {
  unsigned tried = 0;
  for (u32 form = 0; form < all().forms.size(); ++form) {
    const FormRow& row = all().forms[form];
    if (is_pair(form) || find_suffix(form, "LITERAL") == no_suffix) continue;
    std::vector<OperandInput> inputs = some_operands(form, 0);
    for (unsigned i = 0; i < row.operand_count; ++i) {
      const CheckRow* check = check_of(row, i);
      if (check == nullptr || check->offset != 0 ||
          (all().legal_values[check->legal][255 / 64] >> (255 % 64) & 1) == 0 || check->width < 8)
        continue;
      const OperandInput before = inputs[i];
      inputs[i] = OperandInput::literal(0x1234);
      if (constant_type(all().slots[all().instructions[row.instruction].first_slot +
                                    all().operands[row.first_operand + i].slot]) == ConstantType::f64) {
        inputs[i] = OperandInput::literal(u64{0x1234} << 32);
      }
      const Result<Instruction> encoded = encode(form, inputs);
      ASSERT_TRUE(encoded) << name_of_form(form) << ": " << encoded.error().message;
      const std::vector<u8> bytes = bytes_of(*encoded);
      const Decoded decoded = decode(chip_of_form(form), bytes);
      ASSERT_TRUE(decoded) << name_of_form(form);
      ASSERT_EQ(decoded.instruction.literal(), 0x1234u) << name_of_form(form);
      ASSERT_EQ(decode(chip_of_form(form), std::span(bytes).first(bytes.size() - 4)).fault, DecodeFault::truncated);
      inputs[i] = before;
      ++tried;
    }
  }
  EXPECT_GT(tried, 100u);
}

TEST(Codec, SuffixesHoldTheirOperand) {
  unsigned tried = 0;
  for (u32 form = 0; form < all().forms.size(); ++form) {
    if (is_pair(form)) continue;
    for (const char* name : {"DPP16", "DPP8", "SDWA"}) {
      const u16 suffix = find_suffix(form, name);
      const CheckRow* source = nullptr;
      std::vector<OperandInput> inputs = some_operands(form, 1);
      for (unsigned i = 0; i < inputs.size(); ++i) {
        const OperandRow& operand = all().operands[all().forms[form].first_operand + i];
        const SlotRow& slot = all().slots[all().instructions[all().forms[form].instruction].first_slot + operand.slot];
        if (all().text(slot.name) == "a") source = check_of(all().forms[form], i);
        // An even register, for those of 64 bits.
        if (operand.field != 0xff && operand.kind != no_kind && all().text(slot.name) == "a")
          inputs[i] = OperandInput::code(264);
      }
      // Only sources that may be announced by a code of the suffix: narrowed ones hold plain registers.
      if (suffix == no_suffix || source == nullptr || source->width != 9 || source->offset != 0) continue;
      const u16 announced = all().encodings[suffix].selects_value;
      if ((all().legal_values[source->legal][announced / 64] >> (announced % 64) & 1) == 0) continue;
      const Result<Instruction> encoded = encode(form, inputs, {}, suffix);
      ASSERT_TRUE(encoded) << name_of_form(form) << ": " << encoded.error().message;
      const Decoded decoded = decode(chip_of_form(form), bytes_of(*encoded));
      ASSERT_TRUE(decoded) << name_of_form(form) << " with " << name << ": " << describe(decoded.fault);
      ASSERT_EQ(decoded.instruction.suffix, suffix);
      for (unsigned i = 0; i < inputs.size(); ++i) {
        const OperandValue value = operand_of(decoded.instruction, i, 32);
        if (value.kind != no_kind) {
          ASSERT_EQ(value.code, inputs[i].value) << name_of_form(form) << " with " << name << ", operand " << i;
        }
      }
      ++tried;
    }
  }
  EXPECT_GT(tried, 100u);
}

TEST(Codec, AnyBytesGiveAnAnswer) {
  std::mt19937_64 random(7);
  for (unsigned chip = 0; chip < all().chips.size(); ++chip) {
    for (unsigned i = 0; i < 20000; ++i) {
      u8 bytes[24];
      for (u8& byte : bytes) byte = static_cast<u8>(random());
      const std::size_t size = random() % (sizeof bytes + 1);
      const Decoded decoded = decode(chip, std::span<const u8>(bytes, size));
      ASSERT_LE(decoded.instruction.size, size);
      if (size >= 4) {
        ASSERT_GE(decoded.instruction.size, 4u);
      }
      if (!decoded) continue;
      for (unsigned operand = 0; operand <= decoded.instruction.form_row().operand_count; ++operand) {
        operand_of(decoded.instruction, operand, 64);
      }
      ASSERT_EQ(decode(chip, bytes_of(decoded.instruction)).instruction.form, decoded.instruction.form);
    }
  }
}

TEST(Codec, FaultsSayWhy) {
  EXPECT_EQ(decode(99, {}).fault, DecodeFault::unknown_encoding);
  EXPECT_EQ(decode(0, {}).fault, DecodeFault::truncated);
  const u8 ones[16] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
  EXPECT_EQ(decode(0, ones).fault, DecodeFault::unknown_encoding);
  EXPECT_EQ(describe(DecodeFault::bad_suffix), "the instruction does not take the word that follows it");
}

u32 form_named(int chip, std::string_view mnemonic, std::string_view encoding) {
  const ChipRow& row = all().chips[chip];
  for (u32 form = row.first_form; form < row.first_form + row.form_count; ++form) {
    const FormRow& f = all().forms[form];
    if (all().text(f.mnemonic) == mnemonic && all().text(all().encodings[f.encoding].name) == encoding) return form;
  }
  return static_cast<u32>(all().forms.size());
}

TEST(Codec, KnownWords) {
  const OperandInput operands[] = {OperandInput::code(0), OperandInput::code(1), OperandInput::code(2)};
  const std::pair<const char*, u32> words[] = {
      {"cdna3", 0x92800201}, {"rdna1", 0x93800201}, {"rdna3", 0x93000201}, {"cdna5", 0x93000201}};
  for (const auto& [chip, word] : words) {
    const Result<Instruction> encoded = encode(form_named(find_chip(chip), "s_bfe_u32", "SOP2"), operands);
    ASSERT_TRUE(encoded) << chip << ": " << encoded.error().message;
    EXPECT_EQ(encoded->words[0], word) << chip;
  }
}

// The word with all operands 0.
TEST(Codec, Identifiers) {
  struct Known {
    const char *chip, *mnemonic, *encoding;
    u32 word;
  };
  const Known words[] = {
      {"cdna5", "s_lshl3_add_u32", "SOP2", 0x88000000}, {"rdna3", "s_lshl3_add_u32", "SOP2", 0x88000000},
      {"cdna1", "s_lshl3_add_u32", "SOP2", 0x98000000}, {"rdna2", "s_lshl3_add_u32", "SOP2", 0x98000000},
      {"cdna5", "ds_add_rtn_f32", "DS", 0xd9e40000},    {"rdna4", "ds_add_rtn_f32", "DS", 0xd9e40000}};
  for (const Known& known : words) {
    const u32 form = form_named(find_chip(known.chip), known.mnemonic, known.encoding);
    ASSERT_LT(form, all().forms.size()) << known.mnemonic << " on " << known.chip;
    const std::vector<OperandInput> none(all().forms[form].operand_count);
    const Result<Instruction> encoded = encode(form, none);
    ASSERT_TRUE(encoded) << encoded.error().message;
    EXPECT_EQ(encoded->words[0], known.word) << known.mnemonic << " on " << known.chip;
  }
}

TEST(Codec, MisalignedTuplesReadTheAlignedOne) {
  const int chip = find_chip("cdna3");
  const u32 form = form_named(chip, "s_and_b64", "SOP2");
  const OperandInput misaligned[] = {OperandInput::code(0), OperandInput::code(1), OperandInput::code(2)};
  EncodeError where;
  EXPECT_FALSE(encode(form, misaligned, {}, no_suffix, &where));
  EXPECT_EQ(where.operand, 1);
  const u8 bytes[] = {0x65, 0x02, 0x80, 0x86};  // s101 as the first of 64 bits
  const Decoded decoded = decode(static_cast<unsigned>(chip), bytes);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(operand_of(decoded.instruction, 1, 64).code, 100u);
}

TEST(Codec, ErrorsNameTheOperand) {
  const u32 form = form_named(find_chip("cdna3"), "s_bfe_u32", "SOP2");
  EncodeError where;
  const OperandInput vector_result[] = {OperandInput::code(256), OperandInput::code(1), OperandInput::code(2)};
  EXPECT_FALSE(encode(form, vector_result, {}, no_suffix, &where));
  EXPECT_EQ(where.operand, 0);
  EXPECT_NE(where.error.message.find("v0"), std::string::npos) << where.error.message;
  const OperandInput two_literals[] = {OperandInput::code(0), OperandInput::literal(100), OperandInput::literal(200)};
  EXPECT_FALSE(encode(form, two_literals, {}, no_suffix, &where));
  EXPECT_EQ(where.operand, 2);
  EXPECT_FALSE(encode(form, std::span(two_literals).first(1)));
  const FieldInput unknown[] = {{"omod", 1}};
  const OperandInput good[] = {OperandInput::code(0), OperandInput::constant(64), OperandInput::constant(65)};
  EXPECT_FALSE(encode(form, good, unknown, no_suffix, &where));
  EXPECT_EQ(where.field, 0);
  const Result<Instruction> encoded = encode(form, good);
  ASSERT_TRUE(encoded);
  EXPECT_EQ(encoded->size, 8);  // 64 has a code of its own, 65 has not
  EXPECT_EQ(encoded->literal(), 65u);
  EXPECT_FALSE(encode(static_cast<u32>(all().forms.size()), good));
}

}  // namespace
}  // namespace gfxisa

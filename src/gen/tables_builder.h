// Makes the rows, one group of tables a file: tables_chips.cc, tables_encodings.cc, tables_instructions.cc,
// tables_forms.cc, tables_modifiers.cc, tables_decode.cc.
#pragma once
#include <array>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "gen/tables_data.h"

namespace gfxisa::gen {

class TableBuilder {
 public:
  explicit TableBuilder(const model::Isa& isa) : isa_(isa) {}
  TableData build();

 private:
  // tables_chips.cc
  void add_formats();
  void add_kinds();
  void add_chips();
  void add_codes(u32 chip);
  void add_code(const model::Code& code, std::array<CodeRow, register_code_count>& rows);
  u32 add_texts(const std::vector<std::string>& texts);
  u8 format_index(const std::string& name) const;

  // tables_encodings.cc
  void add_encodings(u32 chip);
  void add_encoding(u32 index, u32 chip);
  void add_fields(const model::Encoding& encoding, u32 chip, EncodingRow& row);
  FieldRow field_row(const model::Field& field);
  void find_known_fields(EncodingRow& row);
  void add_stages(const model::Encoding& encoding, u32 chip, EncodingRow& row);
  void add_stage(const model::Stage& stage, bool is_write, EncodingRow& row);
  void add_suffixes(u32 chip);
  u32 add_syntax(const std::vector<std::string>& items, const model::Encoding& encoding, u32 chip,
                 const std::vector<model::Slot>* slots, u32& count);

  // tables_instructions.cc
  void add_instructions();
  void add_instruction(const model::Instruction& instruction);
  SlotRow slot_row(const model::Slot& slot);
  void add_ptx(const model::Instruction& instruction, InstructionRow& row);
  void add_semantics(const model::Instruction& instruction);

  // tables_forms.cc
  void add_forms();
  void add_form(const model::Form& form);
  void add_operands(const model::Form& form, const std::vector<std::string>& syntax, FormRow& row);
  std::optional<OperandRow> operand_row(const model::Form& form, u32 slot);
  bool has_unread_lanes(const FormRow& row, u32 chip) const;
  void add_scalars(const model::Form& form, FormRow& row);
  u8 field_index(const model::Encoding& encoding, const std::string& name, u32 chip) const;
  bool is_filled(const model::Form& form, const model::Field& field) const;
  void add_count(const model::Form& form, const model::Slot& slot, OperandRow& row);
  u16 implied_kind(u32 chip) const;
  u16 semantics_of(const model::Form& form) const;
  void add_opcodes(u32 chip);
  void add_names(u32 chip);

  // tables_modifiers.cc
  void add_modifier_checks(const model::Form& form, const model::Encoding& encoding, std::vector<CheckRow>& checks);
  std::vector<std::string> taken_items(const model::Form& form, const model::Encoding& encoding,
                                       const std::vector<std::string>& syntax) const;
  u32 widest_operand(const model::Form& form) const;
  u32 suffixes_without(const model::Form& form) const;
  void add_form_suffixes(const model::Form& form, FormRow& row);
  void add_suffix_operands(const model::Form& form, const FormRow& row, u16 suffix, std::vector<CheckRow>& checks);

  // tables_decode.cc
  void add_roots(u32 chip);
  std::vector<u16> add_groups(u32 chip);
  DecodeGroupRow group_row(const EncodingRow& encoding) const;
  u32 add_group_forms(const std::vector<u16>& encodings, u32& count);
  void add_checks(FormRow& row, const model::Form& form);
  u16 legal_values(u16 kind, u32 chip, u32 register_count);
  u32 operand_bits(const SlotRow& slot, u32 chip) const;
  LegalValues values_of_slot(u16 kind, u32 chip, u32 register_count, const SlotRow& slot, const EncodingRow& encoding);
  void add_unsigned_offsets(const FormRow& row, const EncodingRow& encoding, std::vector<CheckRow>& checks);
  void add_unused_immediates(const FormRow& row, const EncodingRow& encoding, std::vector<CheckRow>& checks);
  void add_field_checks(const model::Form& form, const FormRow& row, std::vector<CheckRow>& checks);
  std::optional<LegalValues> values_of_field(const model::Form& form, const FormRow& row, const model::Field& field);
  std::optional<LegalValues> values_of_kind(u32 kind, u32 bits, u64 also, u32 chip);
  bool is_tile(const model::Slot& slot) const;
  bool knows_two_waves(u32 chip) const { return data_.chips[chip].waves == 3; }
  std::optional<u16> dpp_kind(const model::Form& form, const FieldRow& row) const;
  u16 add_legal_values(const LegalValues& values);
  bool takes_everything(const CheckRow& check, u32 chip) const;
  bool is_legal(u16 kind, u32 chip, u32 code, u32 register_count) const;
  bool begins_group(u16 kind, u32 chip, u32 code) const;
  bool is_staged(const EncodingRow& encoding, const FieldRow& field, const SlotRow& slot) const;
  void add_unused_sources(const FormRow& row, const EncodingRow& encoding, std::vector<CheckRow>& checks);

  const model::Isa& isa_;
  TableData data_;
  std::map<std::pair<u32, u32>, u16> encoding_rows_;   ///< (encoding, chip) -> row
  std::map<std::pair<u32, u32>, u32> suffix_bits_;     ///< (suffix, chip) -> bit of EncodingRow::suffixes
  std::vector<u16> first_semantics_;                   ///< by instruction
  std::map<std::pair<u32, u32>, u32> form_counts_;     ///< (chip, instruction) -> how many forms it has there
  std::map<std::tuple<u16, u32, u32>, u16> legal_of_;  ///< (kind, chip, registers) -> index in legal_values
  std::map<LegalValues, u16> legal_index_;
  std::map<std::vector<u32>, u16> counts_;  ///< equal rows of counts
};

/// Style by its name in the spec; Style::none for a name styles.inc does not have.
Style style_named(std::string_view name);

}  // namespace gfxisa::gen

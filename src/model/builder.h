// Inside of build_isa(): one class, its parts in build_*.cc by what they resolve.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/check.h"
#include "model/isa.h"

namespace gfxisa::model {

/// List names and values of one member of a family, as core::fill takes them: {"T", "f16"}, {"T'", "b16"}, {"T''", ""}.
using Lists = std::vector<std::pair<std::string, std::string>>;

/// Arguments of a stage that are no field: what the destination held; whether the source is scalar.
inline bool is_stage_word(std::string_view name) { return name == "old" || name == "scalar"; }

/// One member of a family while it is built.
struct Member {
  const lang::Family* family = nullptr;
  u32 family_index = 0;
  std::vector<u32> choice;  ///< index of the value, one a list
  Lists lists;
  ChipSet chips = 0;     ///< where it has a form from a table
  bool has_row = false;  ///< some opcode row covers it
};

class Builder {
 public:
  Builder(const std::vector<lang::File>& files, const Sources& sources, Diagnostics& diagnostics)
      : files_(files), sources_(sources), diagnostics_(diagnostics) {}
  Isa build();

 private:
  void fail(Location at, std::string message, std::string hint = {}) {
    diagnostics_.error(at, std::move(message), std::move(hint));
  }

  // build_sets.cc
  void add_chips();
  void add_chip(const lang::Chip& chip);
  void add_waves(Chip& chip, const lang::Chip& source);
  void add_epochs();
  void add_epoch(const lang::Epoch& epoch);
  ChipSet resolve(const lang::Set& set);
  ChipSet resolve_item(const lang::Word& item);
  ChipSet resolve_name(const lang::Word& item, std::string_view name);
  ChipSet from_epoch_on(const lang::Word& item, std::string_view name);
  std::string chip_names(ChipSet chips) const;
  u32 epoch_index(std::string_view name) const;

  // build_operands.cc
  void add_formats();
  void add_codes();
  void check_codes();
  void add_kinds();
  void add_kind(const lang::OperandKind& kind);
  bool code_class_named(const lang::Word& word, CodeClass& cls);
  /// Register code of a special register or an inline integer.
  std::optional<u32> code_of(std::string_view name, u32 chip) const;
  /// Index of the operand kind on a chip; isa_.kinds.size() when there is none.
  std::optional<u32> kind_named(const lang::Word& name);
  u32 find_kind(const std::string& name, u32 chip) const;
  core::Type type_of(const std::string& format) const;

  // build_encodings.cc
  void add_encodings();
  void add_encoding(const lang::Encoding& encoding);
  /// The encoding that `encoding` is like, on those chips; nullptr when it is like none.
  const lang::Encoding* base_of(const lang::Encoding& encoding, ChipSet chips);
  std::vector<const lang::BitLine*> bit_lines_of(const lang::Encoding& encoding, ChipSet chips);
  void add_stage_lines(Encoding& encoding, const lang::Encoding& source);
  void add_field(Encoding& encoding, const lang::BitLine& bits);
  void add_operand_fields(Encoding& encoding, const Field& field, const lang::BitLine& bits);
  void add_widths(Encoding& encoding, const lang::Encoding& source);
  void add_scalars(const std::vector<lang::ScalarsLine>& lines, ChipSet chips, std::vector<Scalars>& out);
  void add_implied(Encoding& encoding, const lang::ImpliedLine& line);
  void add_syntax(std::vector<SyntaxOrder>& orders, const std::vector<lang::SyntaxLine>& lines, ChipSet chips);
  void check_syntax(const Encoding& encoding, const lang::Encoding& source);
  void add_hosts(Encoding& encoding, const lang::Encoding& source);
  void check_selected(const Encoding& encoding, const lang::Encoding& source);
  void add_promotes();
  u32 find_encoding(const std::string& name, u32 chip) const;
  ChipSet chips_of_encoding(const std::string& name) const;
  void unknown_encoding(const lang::Word& name);

  // build_coverage.cc
  void check_coverage(const Encoding& encoding, const lang::Encoding& source);

  // build_stages.cc
  void add_functions();
  bool calls_itself(const lang::Function& function) const;
  void add_stages(Encoding& encoding, const std::vector<lang::StageLine>& lines, std::vector<Stage>& stages);
  void add_stage(Encoding& encoding, const lang::StageLine& line, std::vector<Stage>& stages);
  bool stage_argument(const Encoding& encoding, const lang::Expression& argument, Stage& stage);
  void check_stage_field(const Encoding& encoding, const lang::Expression& name, bool indexed, ChipSet chips);
  void add_stage_types(const lang::Function& function, const lang::Word& type, Stage& stage);
  u32 stage_body(const lang::Function& function, const std::string& format, core::Type operand);
  void add_address(Encoding& encoding, const lang::AddressLine& line);

  // build_families.cc
  void add_families();
  void add_family(const lang::Family& family, const lang::File& file);
  bool check_family(const lang::Family& family);
  void check_lists(const lang::Family& family);
  void check_braces(const lang::Family& family, const lang::Word& word);
  void add_member(Member& member, const lang::File& file);
  Instruction make_instruction(const Member& member, const lang::File& file);
  void add_texts(Instruction& instruction, const Member& member);
  void add_names(Instruction& instruction, const Member& member);
  void add_ptx(Instruction& instruction, const Member& member);
  void add_without(Instruction& instruction, const Member& member);
  void add_encodings_of(const lang::Word& name, ChipSet on, bool are_suffixes, std::vector<Host>& out);
  void add_modifier_rules(Instruction& instruction, const Member& member);
  bool is_about(const std::vector<lang::Word>& values, const Member& member);
  bool is_modifier(const std::string& name) const;
  bool is_suffix(const std::string& name) const;
  void add_slots(Instruction& instruction, const Member& member);
  void add_slot(Instruction& instruction, const lang::Slot& source, const Member& member);
  void add_bodies(Instruction& instruction, const Member& member);
  std::vector<core::SlotInfo> slot_infos(const Instruction& instruction, ChipSet chips) const;
  void check_slots_agree(const lang::Body& body, const Instruction& instruction, ChipSet chips);
  std::string filled(const lang::Word& word, const Member& member);

  // build_counts.cc
  void add_counts(Instruction& instruction, const Member& member);
  void add_count(Instruction& instruction, const lang::Count& line, const Member& member);
  core::Body count_body(const lang::Expression& value, const Count& count, const Member& member);
  void check_count_fields(const lang::Family& family, const Instruction& instruction, const std::vector<Form>& forms);
  bool is_worthwhile(const Instruction& instruction, const Encoding& from, const Encoding& to, u32 chip) const;

  // build_forms.cc
  std::vector<Form> table_forms(Member& member, u32 instruction);
  void table_forms_of(const lang::OpcodeTable& table, Member& member, u32 instruction, std::vector<Form>& forms);
  void row_forms(const lang::OpcodeTable& table, const lang::OpcodeRow& row, Member& member, u32 instruction,
                 std::vector<Form>& forms);
  bool row_covers(const lang::OpcodeRow& row, const Member& member);
  void check_rows(const lang::Family& family);
  void check_row(const lang::Family& family, const lang::OpcodeRow& row);
  ChipSet excepted(const Member& member);
  void check_excepts(const lang::Family& family);
  u32 opcode_of(const lang::Cell& cell, const Member& member);
  void add_promoted(const Member& member, const Instruction& instruction, std::vector<Form>& forms);
  void check_form(const Member& member, const Instruction& instruction, const Form& form, Location at);
  /// The slot that has no place in the encoding, or nullptr.
  const Slot* homeless_slot(const Instruction& instruction, const Encoding& encoding, u32 chip) const;
  bool excludes(const Member& member, const std::string& encoding, u32 chip);
  void check_homes(const lang::Family& family, const Instruction& instruction, const std::vector<Form>& forms);
  void check_fields(const lang::Family& family, const Encoding& encoding, u32 chip);
  void check_holders(const lang::Family& family, const Instruction& instruction, const Encoding& encoding, u32 chip);
  void check_family_syntax(const lang::Family& family, const Instruction& instruction, const std::vector<Form>& forms);

  // build_checks.cc
  void sort_instructions();
  void check_clashes();
  void check_mnemonics();
  void check_patterns();
  void check_related();

  struct Promotion {
    std::string from, to;
    u32 step = 0;
    std::vector<std::string> without;
    ChipSet chips = 0;
  };

  const std::vector<lang::File>& files_;
  const Sources& sources_;
  Diagnostics& diagnostics_;
  Isa isa_;
  ChipSet all_ = 0;
  std::unordered_map<std::string, u32> chip_of_target_;
  std::unordered_map<std::string, u32> formats_;
  std::unordered_map<std::string, std::vector<u32>> kinds_, encodings_;
  std::vector<const lang::Encoding*> encoding_sources_;  ///< parallel to isa_.encodings
  std::vector<const lang::Family*> family_sources_;      ///< parallel to isa_.families
  core::FunctionTable functions_;
  std::unordered_map<std::string, u32> stage_bodies_;
  std::vector<Promotion> promotions_;
  std::vector<Location> form_places_;  ///< parallel to isa_.forms until they are sorted
};

/// The field of the encoding that holds the slot in a form of this instruction on a chip: the first of a field's slots
/// that the instruction declares counts. nullptr when no field does.
const Field* holder_of(const Encoding& encoding, const std::vector<Slot>& slots, const std::string& slot, u32 chip);

lang::ExpressionPtr copy_of(const lang::Expression& from);

/// Named registers, carried by no field.
bool is_named_register(std::string_view slot);

}  // namespace gfxisa::model

// The rows of all tables while they are made. Equal texts, and equal runs of rows that others refer to as ranges, are
// stored once.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "inst/tables.h"
#include "model/isa.h"

namespace gfxisa::gen {

/// All texts in one run of characters, each with its length before and a NUL behind; index 0 is the empty text.
class TextPool {
 public:
  TextPool() { add(""); }
  Text add(std::string_view text);
  const char* text(Text index) const { return characters_.c_str() + index + text_length_bytes; }
  const std::string& characters() const { return characters_; }

 private:
  std::string characters_;
  std::unordered_map<std::string, Text> index_;
};

/// Rows that are referred to as ranges. Less orders rows, so that a range equal to an earlier one is found.
template <class Row, class Less>
class RangePool {
 public:
  /// Index of the first of `range`.
  u32 add(const std::vector<Row>& range) {
    if (range.empty()) return 0;
    const auto [entry, is_new] = starts_.emplace(range, static_cast<u32>(rows.size()));
    if (is_new) rows.insert(rows.end(), range.begin(), range.end());
    return entry->second;
  }
  std::vector<Row> rows;

 private:
  struct RangeLess {
    bool operator()(const std::vector<Row>& a, const std::vector<Row>& b) const {
      return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), Less());
    }
  };
  std::map<std::vector<Row>, u32, RangeLess> starts_;
};

struct SyntaxLess {
  bool operator()(const SyntaxItem& a, const SyntaxItem& b) const;
};
struct OperandLess {
  bool operator()(const OperandRow& a, const OperandRow& b) const;
};
struct CheckLess {
  bool operator()(const CheckRow& a, const CheckRow& b) const;
};
struct FormSuffixLess {
  bool operator()(const FormSuffixRow& a, const FormSuffixRow& b) const;
};

/// Rows by table, in the order of Tables.
struct TableData {
  TextPool pool;
  std::vector<ChipRow> chips;
  std::vector<CodeRow> codes;
  std::vector<OperandKindRow> operand_kinds;
  std::vector<Text> special_names;
  std::vector<EncodingRow> encodings;
  std::vector<FieldRow> fields;
  RangePool<SyntaxItem, SyntaxLess> syntax_items;
  std::vector<StageRow> stages;
  std::vector<DataFormatRow> data_formats;
  std::vector<InstructionRow> instructions;
  std::vector<SlotRow> slots;
  std::vector<FormRow> forms;
  RangePool<FormSuffixRow, FormSuffixLess> form_suffixes;
  RangePool<OperandRow, OperandLess> operands;
  std::vector<CountRow> counts;
  std::vector<u8> count_values;
  std::vector<u32> form_of_opcode;
  std::vector<NameRow> name_index;
  RangePool<Text, std::less<Text>> texts;
  std::vector<PtxRow> ptx;
  std::vector<SemanticsRow> semantics;
  std::vector<u64> tree_words;
  std::vector<u16> roots;
  std::vector<u16> candidates;
  std::vector<DecodeGroupRow> decode_groups;
  RangePool<CheckRow, CheckLess> checks;
  std::vector<LegalValues> legal_values;
};

/// All rows of an Isa.
TableData make_tables(const model::Isa& isa);

/// The rows as C++ text that defines gfxisa::generated_tables.
std::string table_text(const TableData& data);

}  // namespace gfxisa::gen

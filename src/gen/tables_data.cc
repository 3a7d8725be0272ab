#include "gen/tables_data.h"

#include <tuple>

#include "gen/tables_builder.h"

namespace gfxisa::gen {

Text TextPool::add(std::string_view text) {
  text = text.substr(0, 0xffff);
  const auto [entry, is_new] = index_.emplace(std::string(text), static_cast<Text>(characters_.size()));
  if (is_new) {
    characters_ += static_cast<char>(text.size() & 0xff);
    characters_ += static_cast<char>(text.size() >> 8);
    characters_ += text;
    characters_ += '\0';
  }
  return entry->second;
}

bool SyntaxLess::operator()(const SyntaxItem& a, const SyntaxItem& b) const {
  return std::tie(a.name, a.is_slot) < std::tie(b.name, b.is_slot);
}

bool OperandLess::operator()(const OperandRow& a, const OperandRow& b) const {
  return std::tie(a.slot, a.field, a.kind, a.implied_code, a.sized_by, a.count, a.further_count, a.takes_rest,
                  a.is_list, a.further) < std::tie(b.slot, b.field, b.kind, b.implied_code, b.sized_by, b.count,
                                                   b.further_count, b.takes_rest, b.is_list, b.further);
}

bool CheckLess::operator()(const CheckRow& a, const CheckRow& b) const {
  return std::tie(a.low, a.width, a.operand, a.when, a.scale, a.offset, a.legal) <
         std::tie(b.low, b.width, b.operand, b.when, b.scale, b.offset, b.legal);
}

bool FormSuffixLess::operator()(const FormSuffixRow& a, const FormSuffixRow& b) const {
  return std::tie(a.first_check, a.check_count, a.first_syntax, a.syntax_count) <
         std::tie(b.first_check, b.check_count, b.first_syntax, b.syntax_count);
}

TableData TableBuilder::build() {
  add_formats();
  add_kinds();
  add_chips();
  add_instructions();
  add_forms();
  return std::move(data_);
}

TableData make_tables(const model::Isa& isa) { return TableBuilder(isa).build(); }

}  // namespace gfxisa::gen

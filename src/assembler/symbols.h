// Symbols, and the expressions over them whose values are known only when all is read.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "elf/object_file.h"
#include "text/expression.h"

namespace gfxisa::assembler {

/// What stands behind the @ of a symbol: which relocation it asks for.
enum class Specifier : u8 {
  none,
  rel32_lo,
  rel32_hi,
  gotpcrel,
  gotpcrel32_lo,
  gotpcrel32_hi,
  abs32_lo,
  abs32_hi,
  abs64,
  rel64
};

struct Symbol {
  enum class State : u8 { undefined, label, variable, common, lds };
  std::string name;
  State state = State::undefined;
  u32 section = 0;  ///< label: index in the sections
  u64 offset = 0;   ///< label: place; common, lds: size
  u64 alignment = 0;
  u32 expression = 0;  ///< variable: 0 when it is `constant`
  i64 constant = 0;
  std::optional<u8> binding;  ///< STB_*; not given: global when undefined, else local
  u8 type = 0, visibility = 0;
  u32 size_expression = 0;
  u64 size = 0;
  bool is_section = false, is_temporary = false, is_used_in_relocation = false;
  bool is_being_evaluated = false;
};

/// A value as an object file can say it: symbol - symbol + constant.
struct Relocatable {
  i64 constant = 0;
  u32 plus = no_symbol, minus = no_symbol;
  Specifier specifier = Specifier::none;
  bool is_number() const { return plus == no_symbol && minus == no_symbol; }
};

/// Facts about the target that functions in expressions ask for.
struct TargetFacts {
  bool has_unified_registers = false;  ///< AccVGPRs and VGPRs in one file: gfx90a and its like
  bool has_architected_scratch = false;
  unsigned major = 9;  ///< of gfx90a: 9
  bool is_xnack_on_or_any = false;
};

/// Scalar registers that a kernel has besides those it numbers: VCC, FLAT_SCRATCH, XNACK_MASK.
unsigned extra_scalar_registers(const TargetFacts& facts, bool uses_vcc, bool uses_flat_scratch, bool uses_xnack);

class SymbolTable : public text::Names {
 public:
  explicit SymbolTable(const TargetFacts& facts) : facts_(facts) {}

  // text::Names
  bool value_of(std::string_view name, text::Value& value) override;
  bool local_label(i64 number, bool is_forward, text::Value& value) override;
  bool combine(text::Operator op, const text::Value& left, const text::Value& right, text::Value& result) override;
  bool is_function(std::string_view name) const override;
  bool call(std::string_view function, std::span<const text::Value> arguments, text::Value& result) override;

  /// The symbol of a name; made when there is none.
  u32 find(std::string_view name);
  std::optional<u32> find_known(std::string_view name) const;
  Symbol& operator[](u32 index) { return symbols_[index]; }
  const Symbol& operator[](u32 index) const { return symbols_[index]; }
  std::size_t size() const { return symbols_.size(); }
  u32 add_section(std::string_view name, u32 section);
  /// `5:` at a place.
  u32 define_local(i64 number);
  /// A label without name at a place.
  u32 add_temporary(u32 section, u64 offset);

  /// Makes a symbol one that the object's table may name, in the order of their first use.
  void note(u32 symbol);
  void note_all(u32 expression);
  const std::vector<u32>& noted() const { return noted_; }

  u32 symbol_expression(u32 symbol, Specifier specifier = Specifier::none);
  /// The value of an expression with what is known now; false: `problem` says why there is none.
  bool evaluate(u32 expression, Relocatable& result, std::string& problem);
  bool evaluate_symbol(u32 symbol, Relocatable& result, std::string& problem);

  /// From now on symbols do not change: what was found out stays.
  void finish() {
    is_finished_ = true;
    known_.clear();
  }

  /// How often a name's meaning was asked for.
  u64 questions() const { return questions_; }

  /// Where `.` is: set for each statement.
  u32 current_section = 0;
  u64 current_offset = 0;

 private:
  enum class Function : u8 { none, max, bit_or, extra_sgprs, total_vgprs, align_to, occupancy };
  struct Node {
    enum class Kind : u8 { number, symbol, unary, binary, call } kind = Kind::number;
    text::Operator op = text::Operator::add;
    Function function = Function::none;
    Specifier specifier = Specifier::none;
    u16 depth = 0;
    u32 a = 0, b = 0;  ///< nodes; symbol; for a call the range of arguments_
    i64 number = 0;
  };

  u32 add_node(const Node& node);
  u32 node_of(const text::Value& value);
  bool evaluate_node(u32 index, Relocatable& result, unsigned depth);
  bool evaluate_variable(u32 symbol, Relocatable& result, unsigned depth);
  bool evaluate_binary(const Node& node, Relocatable& result, unsigned depth);
  bool evaluate_call(const Node& node, Relocatable& result, unsigned depth);
  bool add(const Relocatable& left, const Relocatable& right, bool is_subtraction, Relocatable& result);
  void fold(Relocatable& value) const;
  std::optional<i64> call_value(Function function, std::span<const i64> arguments) const;
  bool fail(std::string problem);
  void begin_evaluation();

  TargetFacts facts_;
  std::vector<Symbol> symbols_;
  std::vector<bool> is_noted_;
  std::unordered_map<std::string, u32> by_name_;
  std::unordered_map<i64, std::vector<u32>> local_;  ///< definitions of `5:` in order, and one to come
  std::unordered_map<i64, std::size_t> local_defined_;
  std::vector<u32> noted_;
  std::vector<Node> nodes_{1};
  std::vector<u32> arguments_;
  std::unordered_map<u32, Relocatable> known_;  ///< values of variables while one expression is evaluated
  bool is_finished_ = false;
  u64 questions_ = 0;
  u64 steps_ = 0, all_steps_ = 0;
  std::string problem_;
};

std::string_view specifier_name(Specifier specifier);

}  // namespace gfxisa::assembler

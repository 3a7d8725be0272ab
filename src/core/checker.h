// The type checker at work; private to core. check.h is what others see.
//
// One Checker checks one body. Expressions become Values: a typed node, or a constant that has no type yet and takes
// that of what it meets. A value of kind `error` has been reported and silences what depends on it.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/builder.h"
#include "core/check.h"

namespace gfxisa::core {

struct Value {
  enum class Kind : u8 {
    error,
    typed,     ///< `node`, of `type`; the node's own type is plain(type)
    integer,   ///< an integer constant without a type
    real,      ///< a float constant without a type
    ones,      ///< as many low bits as `node` (u32) says, without a type
    array,     ///< array number `integer` of the body, with elements of `type`
    operand,   ///< slot number `integer`, as the argument of a procedure
    function,  ///< the name of a function as the argument of a procedure: functions_[integer]
  };
  Kind kind = Kind::error;
  Type type;
  NodeId node = no_node;
  i128 integer = 0;
  double real = 0;

  bool is_error() const { return kind == Kind::error; }
  bool is_typed() const { return kind == Kind::typed; }
};

/// The type of the node that holds a value: packed words and masks are bits.
Type plain(Type type);
/// The type of one part of a packed type; other types are their own part.
Type element_of(Type type);

class Checker {
 public:
  Checker(BodyKind kind, const Scope& scope, Diagnostics& diagnostics);

  void use_ieee(bool is_ieee) { body_.is_ieee = is_ieee; }
  void block(const lang::Block& statements);
  void check_outputs(Location at);
  /// Types a function for parameters bound to slots and assigns its result to slot 0.
  void function_to_slot(const lang::Function& function, Location at);
  Body take();

 private:
  using Expression = lang::Expression;

  struct Argument {
    Value value;
    Location at;
  };
  /// A call with its arguments; `callee` has its list names filled in.
  struct Call {
    Location at;
    std::string callee;
    std::vector<Argument> arguments;
  };
  /// What is known of a slot at this point of the body.
  struct SlotState {
    NodeId value = no_node;  ///< no_node: read it with `current`
    bool assigned = false;
  };
  struct Frame {
    std::string function;
    Location at;
    bool is_procedure = false;
  };
  using Handler = Value (Checker::*)(const Call&);
  struct Builtin {
    const char* name;
    unsigned least, most;
    Handler handler;
    Op op;
  };

  // check.cc: names and messages
  Value error(Location at, std::string message, std::string hint = {});
  std::string call_trace() const;
  std::string resolved(const std::string& text) const;
  std::vector<std::string_view> known_names() const;
  std::vector<std::string_view> known_functions() const;

  // check_types.cc: values and types
  Value typed(NodeId node, Type type) const { return {Value::Kind::typed, type, node, 0, 0}; }
  Value literal(i128 value) const { return {Value::Kind::integer, {}, no_node, value, 0}; }
  Value boolean_constant(bool value);
  Value adapted(const Value& value, Type type, Location at);
  Value adapted_literal(i128 value, Type type, Location at);
  Value real_constant(double value, Type type);
  Value mismatch(Type a, Type b, Location at);
  Value unknown_type(const Value& value, Location at);
  Value convert_integer(const Value& value, Type type);
  Value as_integer(const Value& value, Location at, std::string_view doing);
  std::optional<NodeId> condition(const Value& value, Location at);
  std::optional<NodeId> word(const Value& value, Location at, Type type);
  Type unified(std::vector<Argument>& arguments, Location at);
  Type common_type(const Value& a, const Value& b) const;
  static bool is_static(const Value& value) { return value.kind == Value::Kind::integer; }
  std::optional<i128> known_integer(const Value& value) const;
  std::string described(const Value& value) const;

  // check_expression.cc
  Value expression(const Expression& e);
  Value expression_of_kind(const Expression& e);
  Value number(const Expression& e);
  Value name(const Expression& e);
  Value word_value(const std::string& text, const Expression& e);
  std::optional<Value> leaf(const std::string& text);
  Value unary(const Expression& e);
  Value binary(const Expression& e);
  Value logical(const Expression& e);
  Value literal_binary(const Expression& e, i128 a, i128 b);
  Value arithmetic(const Expression& e, Op op, Argument a, Argument b);
  Value comparison(const Expression& e, Argument a, Argument b);
  Value shift(const Expression& e, const Argument& a, const Argument& b);
  std::optional<NodeId> shift_count(const Argument& count);
  Value choice(const Expression& e);
  Value slice(const Expression& e);
  Value sliced(const Value& x, i128 high, i128 low, Location at, Location high_at);
  Value index(const Expression& e);
  Value bit(const Value& x, const Argument& at);
  Value register_number(const Expression& e);
  Value register_file(const Expression& e);

  // check_call.cc: calls and the pure functions
  Value call(const Expression& e);
  std::optional<Value> type_of_slot(const Expression& e, std::string_view callee);
  Value apply(const Call& call);
  Value apply_builtin(const Builtin& builtin, const Call& call);
  Value apply_function(const lang::Function& function, const Call& call);
  Value function_result(const lang::Function& function);
  const lang::Function* procedure_named(const std::string& name) const;
  Value apply_procedure(const lang::Function& function, const Expression& e);
  Value procedure_argument(const Expression& e);
  const Value* local(const std::string& name) const;
  std::string bound_function(const std::string& name) const;
  std::optional<Value> apply_prefixed(const Call& call);
  static std::span<const Builtin> builtins();
  static const Builtin* find_builtin(std::string_view name);
  Value unknown_function(const Call& call);
  bool arity(const Call& call, std::size_t least, std::size_t most);
  Value type_function(const Call& call);
  Value fn_ones(const Call& call);
  Value fn_integer(const Call& call);
  Value fn_count(const Call& call);
  Value fn_two_over_pi(const Call& call);
  Value fn_carry(const Call& call);
  Value fn_select(const Call& call);
  Value fn_concat(const Call& call);
  Value fn_bits(const Call& call);
  Value fn_as_integer(const Call& call);
  Value fn_half(const Call& call);
  Value fn_pack(const Call& call);
  Value fn_active(const Call& call);
  Value fn_first_active(const Call& call);

  // check_float.cc: float functions and conversions
  std::optional<Argument> float_arguments(const Call& call, std::vector<Argument>& arguments);
  Value fn_float(const Call& call);
  Value fn_compare(const Call& call, std::string_view relation);
  Value fn_class(const Call& call);
  Value fn_class_of(const Call& call);
  Value fn_ldexp(const Call& call);
  Value fn_exponent(const Call& call);
  Value convert(const Call& call, Type type);
  Value reinterpret(const Call& call, Type type);
  Value value_of(const Call& call, Type type, u64 rounding);
  Value packed_from(std::vector<Value> parts, Location at);

  // check_effect.cc: what has its time
  Value timed(Op op, Type type, std::initializer_list<NodeId> arguments, u64 immediate = 0);
  bool may_have_effects(const Call& call);
  bool in_procedures() const;
  Value new_array(const Call& call, std::string_view type);
  Value array_element(const Value& array, const Argument& index, Location at);
  void assign_element(const Value& array, const Argument& index, const Argument& value);
  std::optional<std::size_t> item_slot(const Expression& e);
  Value item(const Expression& e, const std::string& callee);
  NodeId lane_argument() const { return lanes_.empty() ? no_node : lanes_.back(); }
  bool reaches_memory(const Call& call);
  Value load(const Call& call, Op op, std::string_view type);
  std::optional<Type> address_type_of(const Value& value, Location at, Op op);
  Value fn_store(const Call& call);
  Value call_with_function(const Expression& e, const std::string& callee);
  Value update(const Call& call, const std::string& function);
  Value each(const Call& call, const std::string& function);
  Value fn_effect(const Call& call);
  Value fn_clock(const Call& call);
  Value fn_copy_tile(const Call& call);
  Value fn_read_barrier(const Call& call);
  Value fn_read_hwreg(const Call& call);

  // check_slot.cc: slots
  std::optional<std::size_t> slot_named(std::string_view name) const;
  Type slot_type(std::size_t slot) const;
  Value read_slot(std::size_t slot, Location at);
  Value read_lane(std::size_t slot, const Argument& lane, Location at);
  bool has_lanes(std::size_t slot) const;
  void assign_slot(std::size_t slot, const Value& value, Location at);
  Value slot_value(std::size_t slot, const Value& value, Location at);
  void assign_bits(std::size_t slot, i128 high, i128 low, const Value& value, Location at, Location value_at);
  void assign_bit(std::size_t slot, const Argument& index, const Value& value, Location at, Location value_at);
  void assign_lane(std::size_t slot, const Argument& lane, const Value& value, Location at, Location value_at);
  void assign_register(const Expression& target, const Value& value, Location value_at);

  // check_statement.cc
  void statement(const lang::Statement& s);
  void let(const lang::Statement& s);
  void assign(const lang::Statement& s);
  void assign_index(const Expression& target, const Argument& value);
  std::optional<std::size_t> assigned_slot(const Expression& target);
  std::string operand_hint(const std::string& name) const;
  void branch(const lang::Statement& s);
  struct Arm {
    std::vector<Statement> statements;
    std::vector<SlotState> slots;
  };
  Arm arm(const lang::Block& block, const std::vector<SlotState>& before);
  void join_as_selects(NodeId condition, const Arm& yes, const Arm& no, Location at);
  void join_as_branch(NodeId condition, Arm yes, Arm no);
  NodeId kept_value(std::size_t slot, Location at);
  void loop(const lang::Statement& s);
  void counted_loop(const lang::Statement& s);
  void lanes_loop(const lang::Statement& s);
  void loop_body(const lang::Statement& s, Statement head, std::string_view variable);
  void forget_assigned(const lang::Block& block);
  void effect(const lang::Statement& s);
  void emit(const Statement& statement) { out_->push_back(statement); }

  Body body_;
  const Scope& scope_;
  Diagnostics& diagnostics_;
  Builder builder_;
  std::vector<Statement>* out_;
  std::vector<SlotState> slots_;
  std::vector<std::pair<std::string, Value>> locals_;
  std::size_t first_local_ = 0;  ///< a function sees only its own
  std::vector<Frame> frames_;
  std::vector<std::string> functions_;  ///< names that arguments of procedures stand for
  std::vector<NodeId> lanes_;           ///< variables of the `for lane in` loops around
  u32 loops_ = 0, updates_ = 0;
  u32 unrolled_ = 1;  ///< copies of this point made by unrolled loops around
  u32 depth_ = 0;
  u32 steps_ = 0;
  bool too_large_ = false;
  bool failed_ = false;
};

}  // namespace gfxisa::core

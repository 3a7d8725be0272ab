// Calls: finding what a name calls, putting in the functions of the spec, and the pure integer functions.
#include <algorithm>

#include "base/suggest.h"
#include "core/checker.h"
#include "core/integer.h"

namespace gfxisa::core {
namespace {

constexpr Type boolean{TypeKind::bits, 1};
constexpr Type count_type{TypeKind::unsigned_, 32};

}  // namespace

std::span<const Checker::Builtin> Checker::builtins() {
  static constexpr Builtin table[] = {
      {"width", 1, 1, &Checker::type_function, Op::nop},
      {"signed", 1, 1, &Checker::type_function, Op::nop},
      {"log2", 1, 1, &Checker::type_function, Op::nop},
      {"ones", 1, 1, &Checker::fn_ones, Op::nop},
      {"min", 2, 2, &Checker::fn_integer, Op::min},
      {"max", 2, 2, &Checker::fn_integer, Op::max},
      {"abs", 1, 1, &Checker::fn_integer, Op::abs},
      {"reverse", 1, 1, &Checker::fn_integer, Op::reverse},
      {"two_over_pi", 1, 1, &Checker::fn_two_over_pi, Op::two_over_pi},
      {"mul_hi", 2, 2, &Checker::fn_integer, Op::mul_hi},
      {"popcount", 1, 1, &Checker::fn_count, Op::popcount},
      {"clz", 1, 1, &Checker::fn_count, Op::clz},
      {"ctz", 1, 1, &Checker::fn_count, Op::ctz},
      {"carry", 2, 3, &Checker::fn_carry, Op::carry},
      {"select", 3, 3, &Checker::fn_select, Op::select},
      {"concat", 2, 16, &Checker::fn_concat, Op::concat},
      {"bits", 1, 1, &Checker::fn_bits, Op::bitcast},
      {"as_u", 1, 1, &Checker::fn_as_integer, Op::bitcast},
      {"as_i", 1, 1, &Checker::fn_as_integer, Op::bitcast},
      {"lo", 1, 1, &Checker::fn_half, Op::extract},
      {"hi", 1, 1, &Checker::fn_half, Op::extract},
      {"pack", 2, 2, &Checker::fn_pack, Op::concat},
      {"active", 1, 1, &Checker::fn_active, Op::active},
      {"first_active", 0, 0, &Checker::fn_first_active, Op::first_active},
      {"fadd", 2, 2, &Checker::fn_float, Op::fadd},
      {"fsub", 2, 2, &Checker::fn_float, Op::fsub},
      {"fmul", 2, 2, &Checker::fn_float, Op::fmul},
      {"fdiv", 2, 2, &Checker::fn_float, Op::fdiv},
      {"ffma", 3, 3, &Checker::fn_float, Op::ffma},
      {"fsqrt", 1, 1, &Checker::fn_float, Op::fsqrt},
      {"fneg", 1, 1, &Checker::fn_float, Op::fneg},
      {"fabs", 1, 1, &Checker::fn_float, Op::fabs},
      {"fmin", 2, 2, &Checker::fn_float, Op::fmin},
      {"fmax", 2, 2, &Checker::fn_float, Op::fmax},
      {"fmin_num", 2, 2, &Checker::fn_float, Op::fmin_num},
      {"fmax_num", 2, 2, &Checker::fn_float, Op::fmax_num},
      {"fmed3", 3, 3, &Checker::fn_float, Op::fmed3},
      {"ftrunc", 1, 1, &Checker::fn_float, Op::ftrunc},
      {"fceil", 1, 1, &Checker::fn_float, Op::fceil},
      {"ffloor", 1, 1, &Checker::fn_float, Op::ffloor},
      {"fround", 1, 1, &Checker::fn_float, Op::fround},
      {"ffract", 1, 1, &Checker::fn_float, Op::ffract},
      {"ffrexp_mant", 1, 1, &Checker::fn_float, Op::ffrexp_mant},
      {"fclamp", 1, 1, &Checker::fn_float, Op::fclamp},
      {"fquiet", 1, 1, &Checker::fn_float, Op::fquiet},
      {"fflush", 1, 1, &Checker::fn_float, Op::fflush},
      {"frcp", 1, 1, &Checker::fn_float, Op::frcp},
      {"frsq", 1, 1, &Checker::fn_float, Op::frsq},
      {"fexp2", 1, 1, &Checker::fn_float, Op::fexp2},
      {"flog2", 1, 1, &Checker::fn_float, Op::flog2},
      {"fsin", 1, 1, &Checker::fn_float, Op::fsin},
      {"fcos", 1, 1, &Checker::fn_float, Op::fcos},
      {"fldexp", 2, 2, &Checker::fn_ldexp, Op::fldexp},
      {"ffrexp_exp", 1, 1, &Checker::fn_exponent, Op::ffrexp_exp},
      {"fclass", 2, 2, &Checker::fn_class, Op::fclass},
      {"is_nan", 1, 1, &Checker::fn_class_of, Op::fclass},
      {"is_inf", 1, 1, &Checker::fn_class_of, Op::fclass},
      {"mem.store", 2, 2, &Checker::fn_store, Op::mem_store},
      {"lds.store", 2, 2, &Checker::fn_store, Op::lds_store},
      {"wave.end", 0, 0, &Checker::fn_effect, Op::wave_end},
      {"wave.branch", 1, 1, &Checker::fn_effect, Op::wave_branch},
      {"barrier.arrive", 1, 1, &Checker::fn_effect, Op::barrier_arrive},
      {"barrier.wait", 1, 1, &Checker::fn_effect, Op::barrier_wait},
      {"gws.init", 2, 2, &Checker::fn_effect, Op::gws_init},
      {"gws.add", 2, 2, &Checker::fn_effect, Op::gws_add},
      {"gws.free", 1, 1, &Checker::fn_effect, Op::gws_free},
      {"gws.take", 1, 1, &Checker::fn_effect, Op::gws_take},
      {"gws.barrier", 2, 2, &Checker::fn_effect, Op::gws_barrier},
      {"barrier.set_members", 2, 2, &Checker::fn_effect, Op::barrier_members},
      {"barrier.clear", 1, 1, &Checker::fn_effect, Op::barrier_clear},
      {"barrier.join", 1, 1, &Checker::fn_effect, Op::barrier_join},
      {"barrier.arrived", 1, 1, &Checker::fn_read_barrier, Op::read_barrier},
      {"barrier.members", 1, 1, &Checker::fn_read_barrier, Op::read_barrier},
      {"barrier.joined", 0, 0, &Checker::fn_read_barrier, Op::read_barrier},
      {"barrier.count", 0, 0, &Checker::fn_read_barrier, Op::read_barrier},
      {"message.send", 1, 1, &Checker::fn_effect, Op::message_send},
      {"wait.counters", 1, 1, &Checker::fn_effect, Op::wait_counters},
      {"registers.set_banks", 1, 1, &Checker::fn_effect, Op::set_banks},
      {"registers.index_begin", 0, 0, &Checker::fn_effect, Op::index_begin},
      {"tensor.load", 0, 0, &Checker::fn_copy_tile, Op::copy_tile},
      {"tensor.store", 0, 0, &Checker::fn_copy_tile, Op::copy_tile},
      {"halt", 0, 0, &Checker::fn_effect, Op::halt},
      {"trap", 1, 1, &Checker::fn_effect, Op::trap},
      {"sleep", 1, 1, &Checker::fn_effect, Op::sleep},
      {"nop", 0, 0, &Checker::fn_effect, Op::nop},
      {"hwreg.write", 4, 4, &Checker::fn_effect, Op::write_hwreg},
      {"hwreg.read", 3, 3, &Checker::fn_read_hwreg, Op::read_hwreg},
      {"clock", 0, 0, &Checker::fn_clock, Op::clock},
  };
  return table;
}

const Checker::Builtin* Checker::find_builtin(std::string_view name) {
  const auto all = builtins();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Builtin& b) { return name == b.name; });
  return found == all.end() ? nullptr : &*found;
}

std::vector<std::string_view> Checker::known_functions() const {
  // Those that are no entries of the table: they take functions, or types in their names.
  std::vector<std::string_view> names = {
      "as_u",       "as_i",       "as_f16",       "as_f32",       "as_f64",         "as_bf16", "u16_of",
      "u32_of",     "i16_of",     "i32_of",       "f16_of",       "f32_of",         "f64_of",  "bf16_of",
      "fcmp.lt",    "fcmp.eq",    "fcmp.le",      "fcmp.gt",      "fcmp.ge",        "each",    "register",
      "mem.update", "lds.update", "mem.load.b32", "lds.load.b32", "scalar.load.b32"};
  for (const Builtin& builtin : builtins()) names.push_back(builtin.name);
  if (scope_.functions != nullptr) {
    for (const auto& [name, function] : *scope_.functions) names.push_back(name);
  }
  std::sort(names.begin(), names.end());  // the table has no order, messages must have one
  return names;
}

Value Checker::call(const Expression& e) {
  const std::string callee = bound_function(e.text);
  if (callee == "item" || callee.starts_with("item.")) return item(e, callee);
  if (callee == "register") return register_number(e);
  if (const lang::Function* procedure = procedure_named(callee)) return apply_procedure(*procedure, e);
  if (callee == "each" || callee == "mem.update" || callee == "lds.update") return call_with_function(e, callee);
  if (const auto value = type_of_slot(e, callee)) return *value;
  Call call{e.at, callee, {}};
  bool known = true;
  for (const auto& argument : e.args) {
    call.arguments.push_back({expression(*argument), argument->at});
    known = known && !call.arguments.back().value.is_error();
  }
  return known ? apply(call) : Value();
}

/// `width(d)` asks for a type and reads nothing, so d may be an operand that is only written.
std::optional<Value> Checker::type_of_slot(const Expression& e, std::string_view callee) {
  const bool asks = (callee == "width" || callee == "signed") && e.args.size() == 1;
  if (!asks || e.args[0]->kind != Expression::Kind::name || !frames_.empty()) return std::nullopt;
  const auto slot = slot_named(e.args[0]->text);
  if (!slot) return std::nullopt;
  const Type type = slot_type(*slot);
  return callee == "width" ? literal(type.bits) : boolean_constant(type.kind == TypeKind::signed_);
}

/// Calls what the name stands for: a function of the language before one of the spec.
Value Checker::apply(const Call& call) {
  if (const Builtin* builtin = find_builtin(call.callee)) return apply_builtin(*builtin, call);
  if (const auto value = apply_prefixed(call)) return *value;
  if (scope_.functions != nullptr) {
    const auto found = scope_.functions->find(call.callee);
    if (found != scope_.functions->end() && found->second != nullptr) return apply_function(*found->second, call);
  }
  return unknown_function(call);
}

Value Checker::apply_builtin(const Builtin& builtin, const Call& call) {
  return arity(call, builtin.least, builtin.most) ? (this->*builtin.handler)(call) : Value();
}

static std::optional<u64> rounding_named(std::string_view suffix) {
  constexpr std::pair<std::string_view, u64> table[] = {{"", 0}, {".rne", 1}, {".rtp", 2}, {".rtn", 3}, {".rtz", 4}};
  for (const auto& [name, value] : table) {
    if (name == suffix) return value;
  }
  return std::nullopt;
}

/// Functions that carry a type or a relation in their names.
std::optional<Value> Checker::apply_prefixed(const Call& call) {
  const std::string_view name = call.callee;
  if (name.starts_with("fcmp.")) return fn_compare(call, name.substr(5));
  if (name.starts_with("mem.load.")) return load(call, Op::mem_load, name.substr(9));
  if (name.starts_with("lds.load.")) return load(call, Op::lds_load, name.substr(9));
  if (name.starts_with("array.")) return new_array(call, name.substr(6));
  if (name.starts_with("scalar.load.")) return load(call, Op::scalar_load, name.substr(12));
  if (const Type type = type_named(name); type.kind != TypeKind::none && name != "address") return convert(call, type);
  if (name.starts_with("as_")) {
    const Type type = type_named(name.substr(3));
    if (type.kind != TypeKind::none) return reinterpret(call, type);
  }
  const std::size_t of = name.find("_of");
  if (of == std::string_view::npos) return std::nullopt;
  const Type type = type_named(name.substr(0, of));
  const auto rounding = rounding_named(name.substr(of + 3));
  if (type.kind == TypeKind::none || !rounding) return std::nullopt;
  return value_of(call, type, *rounding);
}

Value Checker::unknown_function(const Call& call) {
  std::string hint = suggestion(call.callee, known_functions());
  if (slot_named(call.callee)) hint = "'" + call.callee + "' is an operand; index it with " + call.callee + "[i]";
  return error(call.at, "unknown function '" + call.callee + "'", hint);
}

bool Checker::arity(const Call& call, std::size_t least, std::size_t most) {
  const std::size_t given = call.arguments.size();
  if (given >= least && given <= most) return true;
  const std::string wanted =
      least == most ? std::to_string(least) : std::to_string(least) + " to " + std::to_string(most);
  const std::string noun = wanted == "1" ? " argument" : " arguments";
  error(call.at, "'" + call.callee + "' takes " + wanted + noun + ", not " + std::to_string(given));
  return false;
}

/// A function of the spec is typed anew for each call.
Value Checker::apply_function(const lang::Function& function, const Call& call) {
  if (!arity(call, function.parameters.size(), function.parameters.size())) return {};
  if (frames_.size() >= 60) {
    too_large_ = true;
    return error(call.at, "'" + call.callee + "' calls itself without end", "functions of the spec have no recursion");
  }
  const std::size_t outer = first_local_, before = locals_.size();
  std::string types;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    locals_.emplace_back(function.parameters[i].text, call.arguments[i].value);
    types += (i == 0 ? "" : ", ") + described(call.arguments[i].value);
  }
  first_local_ = before;
  frames_.push_back({call.callee + "(" + types + ")", call.at});
  const Value result = function_result(function);
  frames_.pop_back();
  locals_.resize(before);
  first_local_ = outer;
  return result;
}

Value Checker::function_result(const lang::Function& function) {
  for (const lang::Statement& statement : function.block) {
    if (statement.kind == lang::Statement::Kind::result && statement.value) return expression(*statement.value);
    if (statement.kind != lang::Statement::Kind::let) {
      return error(statement.at, "a function has only `let` lines and its result");
    }
    let(statement);
  }
  return error(function.name.at, "'" + function.name.text + "' has no result", "its last line is `= EXPR`");
}

Value Checker::type_function(const Call& call) {
  const auto& [value, at] = call.arguments[0];
  if (call.callee == "log2") {
    const auto n = known_integer(value);
    if (!n || *n <= 0) return error(at, "log2 wants a positive constant", "it is folded: log2(width(x))");
    i128 log = 0;
    while (*n >> (log + 1) != 0) ++log;
    return literal(log);
  }
  if (!value.is_typed()) return unknown_type(value, at);
  if (call.callee == "signed") return boolean_constant(value.type.kind == TypeKind::signed_);
  return literal(value.type.bits);
}

Value Checker::fn_ones(const Call& call) {
  const auto& [value, at] = call.arguments[0];
  const auto n = known_integer(value);
  if (n && *n >= 0 && *n <= 126) return literal((i128{1} << static_cast<unsigned>(*n)) - 1);
  const auto count = shift_count({value, at});
  return count ? Value{Value::Kind::ones, {}, *count, 0, 0} : Value();
}

Value Checker::fn_integer(const Call& call) {
  std::vector<Argument> arguments = call.arguments;
  const Op op = find_builtin(call.callee)->op;
  const bool all_known =
      std::all_of(arguments.begin(), arguments.end(), [](const Argument& a) { return is_static(a.value); });
  if (all_known && (op == Op::min || op == Op::max)) {
    const i128 a = arguments[0].value.integer, b = arguments[1].value.integer;
    return literal((a < b) == (op == Op::min) ? a : b);
  }
  if (unified(arguments, call.at).kind == TypeKind::none) return {};
  NodeId nodes[2] = {no_node, no_node};
  Type type;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Value whole = as_integer(arguments[i].value, call.at, "take " + call.callee + " of");
    if (whole.is_error()) return {};
    nodes[i] = whole.node;
    type = whole.type;
  }
  if (op == Op::mul_hi && type.bits > 64) return error(call.at, "mul_hi takes at most 64 bits, not " + name_of(type));
  if (op == Op::abs && type.kind != TypeKind::signed_) {
    return error(call.at, "abs wants a signed number, not " + name_of(type), "choose with i32(x)");
  }
  const NodeId node =
      arguments.size() == 1 ? builder_.make(op, type, {nodes[0]}) : builder_.make(op, type, {nodes[0], nodes[1]});
  return typed(node, type);
}

Value Checker::fn_count(const Call& call) {
  const Value x = as_integer(call.arguments[0].value, call.arguments[0].at, "count bits of");
  if (x.is_error()) return {};
  return typed(builder_.make(find_builtin(call.callee)->op, count_type, {x.node}), count_type);
}

Value Checker::fn_two_over_pi(const Call& call) {
  const auto from = word(call.arguments[0].value, call.arguments[0].at, count_type);
  const Type type{TypeKind::unsigned_, 64};
  return from ? typed(builder_.make(Op::two_over_pi, type, {*from}), type) : Value();
}

Value Checker::fn_carry(const Call& call) {
  std::vector<Argument> terms(call.arguments.begin(), call.arguments.begin() + 2);
  if (unified(terms, call.at).kind == TypeKind::none) return {};
  const Value a = as_integer(terms[0].value, terms[0].at, "add"), b = as_integer(terms[1].value, terms[1].at, "add");
  if (a.is_error() || b.is_error()) return {};
  auto in = std::optional<NodeId>(builder_.constant(boolean, 0));
  if (call.arguments.size() == 3) in = condition(call.arguments[2].value, call.arguments[2].at);
  return in ? typed(builder_.make(Op::carry, boolean, {a.node, b.node, *in}), boolean) : Value();
}

Value Checker::fn_select(const Call& call) {
  const auto chosen = condition(call.arguments[0].value, call.arguments[0].at);
  std::vector<Argument> both(call.arguments.begin() + 1, call.arguments.end());
  const Type type = chosen ? unified(both, call.at) : Type();
  if (type.kind == TypeKind::none) return {};
  return typed(builder_.make(Op::select, plain(type), {*chosen, both[0].value.node, both[1].value.node}), type);
}

Value Checker::fn_concat(const Call& call) {
  Value all;
  for (const auto& [value, at] : call.arguments) {
    const Value part = as_integer(value, at, "join");
    if (part.is_error()) return {};
    if (all.is_error()) {
      all = part;
      continue;
    }
    const unsigned bits = all.type.bits + part.type.bits;
    if (bits > 128) return error(call.at, "the parts have " + std::to_string(bits) + " bits, and 128 is the most");
    const Type type{TypeKind::bits, bits};
    all = typed(builder_.make(Op::concat, type, {all.node, part.node}), type);
  }
  return all;
}

Value Checker::fn_bits(const Call& call) {
  const auto& [value, at] = call.arguments[0];
  if (!value.is_typed()) return unknown_type(value, at);
  const Type type{TypeKind::bits, value.type.bits};
  return typed(builder_.make(Op::bitcast, type, {value.node}), type);
}

Value Checker::fn_as_integer(const Call& call) {
  const auto& [value, at] = call.arguments[0];
  const TypeKind kind = call.callee == "as_i" ? TypeKind::signed_ : TypeKind::unsigned_;
  if (value.kind == Value::Kind::integer) return value;
  if (!value.is_typed()) return unknown_type(value, at);
  const Type type{kind, value.type.bits};
  return typed(builder_.make(Op::bitcast, type, {value.node}), type);
}

Value Checker::fn_half(const Call& call) {
  const auto& [value, at] = call.arguments[0];
  if (!value.is_typed()) return unknown_type(value, at);
  const Type from = plain(value.type);
  const bool is_float = value.type.is_float() && value.type.elements == 1;
  if (is_float || from.bits % 2 != 0 || from.bits > 128 || value.type.elements > 2) {
    return error(at, name_of(value.type) + " has no two halves", "take a slice: x[15:0]");
  }
  const Type bits{TypeKind::bits, from.bits / 2u};
  const u64 low = call.callee == "hi" ? bits.bits : 0;
  const Type part = value.type.elements == 2 ? element_of(value.type) : bits;
  return typed(builder_.make(Op::bitcast, part, {builder_.make(Op::extract, bits, {value.node}, low)}), part);
}

Value Checker::fn_pack(const Call& call) {
  std::vector<Argument> halves = call.arguments;
  if (unified(halves, call.at).kind == TypeKind::none) return {};
  return packed_from({halves[0].value, halves[1].value}, call.at);
}

Value Checker::fn_active(const Call& call) {
  const auto lane = word(call.arguments[0].value, call.arguments[0].at, count_type);
  return lane ? typed(builder_.make(Op::active, boolean, {*lane}), boolean) : Value();
}

Value Checker::fn_first_active(const Call&) { return typed(builder_.make(Op::first_active, count_type), count_type); }

}  // namespace gfxisa::core

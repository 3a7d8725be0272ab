// What has its time: memory, the data share, registers by number, barriers and the rest. And calls that take a
// function.
#include <algorithm>

#include "core/checker.h"

namespace gfxisa::core {
namespace {

constexpr Type word_type{TypeKind::unsigned_, 32};
constexpr Type address_type{TypeKind::unsigned_, 64};
constexpr Type barrier_type{TypeKind::signed_, 32};

bool is_data_share(Op op) { return op == Op::lds_load || op == Op::lds_store || op == Op::lds_update; }

bool fits_memory(Type type, Op op) {
  const unsigned most = op == Op::scalar_load ? 512 : 128;
  return type.kind != TypeKind::none && type.kind != TypeKind::mask && type.bits % 8 == 0 && type.bits <= most;
}

}  // namespace

Value Checker::timed(Op op, Type type, std::initializer_list<NodeId> arguments, u64 immediate) {
  const NodeId node = builder_.make_timed(op, plain(type), arguments, immediate);
  Statement statement{.kind = Statement::Kind::evaluate};
  statement.node = node;
  emit(statement);
  return typed(node, type);
}

bool Checker::may_have_effects(const Call& call) {
  if (in_procedures()) return true;
  error(call.at, "'" + call.callee + "' has an effect, and functions have none", "call it from the body");
  return false;
}

bool Checker::reaches_memory(const Call& call) {
  if (!may_have_effects(call)) return false;
  if (body_.kind != BodyKind::wave || !lanes_.empty() || call.callee.starts_with("scalar.")) return true;
  error(call.at, "'" + call.callee + "' is done by a lane, and there is none here", "put it into `for lane in active`");
  return false;
}

/// The type that the memory wants of an address; nothing, and an error, when `value` cannot be one.
std::optional<Type> Checker::address_type_of(const Value& value, Location at, Op op) {
  const Type wanted = is_data_share(op) ? word_type : address_type;
  const bool good =
      !value.is_typed() || (value.type.is_integer() && value.type.bits == wanted.bits && value.type.elements == 1);
  if (good) return wanted;
  error(at, "an address here is a " + name_of(wanted) + ", not " + described(value));
  return {};
}

Value Checker::load(const Call& call, Op op, std::string_view type_name) {
  const Type type = type_named(type_name);
  if (!fits_memory(type, op)) {
    return error(call.at, "'" + call.callee + "' loads no '" + std::string(type_name) + "'",
                 "a type of 8 to 128 bits follows: mem.load.b32(address)");
  }
  if (!arity(call, 1, 1) || !reaches_memory(call)) return {};
  const auto& [value, at] = call.arguments[0];
  const auto wanted = address_type_of(value, at, op);
  if (!wanted) return {};
  const auto address = word(value, at, *wanted);
  if (!address) return {};
  return op == Op::scalar_load ? timed(op, type, {*address}) : timed(op, type, {*address, lane_argument()});
}

Value Checker::fn_store(const Call& call) {
  const Op op = find_builtin(call.callee)->op;
  if (!reaches_memory(call)) return {};
  const auto& [where, where_at] = call.arguments[0];
  const auto& [value, at] = call.arguments[1];
  const auto wanted = address_type_of(where, where_at, op);
  if (!wanted) return {};
  if (!value.is_typed()) return unknown_type(value, at);
  if (!fits_memory(value.type, op))
    return error(at, "cannot store " + name_of(value.type), "8 to 128 bits, in whole bytes");
  const auto address = word(where, where_at, *wanted);
  return address ? timed(op, {}, {*address, value.node, lane_argument()}) : Value();
}

/// `each(f, x, ...)` and `mem.update(address, f, x, ...)`: one argument is the name of a function.
Value Checker::call_with_function(const Expression& e, const std::string& callee) {
  const std::size_t place = callee == "each" ? 0 : 1;
  if (e.args.size() < place + 2) {
    return error(
        e.at, "'" + callee + "' takes " + (place == 0 ? "a function and values" : "an address, a function and values"));
  }
  const Expression& f = *e.args[place];
  if (f.kind != Expression::Kind::name)
    return error(f.at, "the name of a function is wanted here",
                 callee == "each" ? "each(fadd, a, b)" : callee + "(address, fadd, data)");
  Call call{e.at, callee, {}};
  bool known = true;
  for (std::size_t i = 0; i < e.args.size(); ++i) {
    if (i == place) continue;
    call.arguments.push_back({expression(*e.args[i]), e.args[i]->at});
    known = known && !call.arguments.back().value.is_error();
  }
  if (!known) return {};
  const std::string function = resolved(f.text);
  return callee == "each" ? each(call, function) : update(call, function);
}

Value Checker::update(const Call& call, const std::string& function) {
  const Op op = call.callee == "lds.update" ? Op::lds_update : Op::mem_update;
  if (!reaches_memory(call)) return {};
  const auto& [where, where_at] = call.arguments[0];
  const auto& [value, at] = call.arguments[1];
  const auto wanted = address_type_of(where, where_at, op);
  if (!wanted) return {};
  if (!value.is_typed()) return unknown_type(value, at);
  if (!fits_memory(value.type, op)) return error(at, "cannot update " + name_of(value.type) + " in memory");
  const Type type = value.type;
  const u64 number = updates_++;
  Call change{call.at, function, {{typed(builder_.make(Op::old_value, plain(type), {}, number), type), at}}};
  change.arguments.insert(change.arguments.end(), call.arguments.begin() + 1, call.arguments.end());
  const Value result = adapted(apply(change), type, call.at);
  const auto address = word(where, where_at, *wanted);
  if (result.is_error() || !address) return {};
  return timed(op, type, {*address, result.node, lane_argument()}, number);
}

/// Applies a function to each part of packed values. Bits of the same width go along as parts of bits.
Value Checker::each(const Call& call, const std::string& function) {
  Type whole;
  for (const auto& [value, at] : call.arguments) {
    if (whole.kind == TypeKind::none && value.is_typed() && value.type.elements > 1) whole = value.type;
  }
  if (whole.kind == TypeKind::none) {
    return error(call.at, "each wants packed values, such as f16x2",
                 "operands are packed when their format is, like pk_f16");
  }
  std::vector<Value> results;
  for (unsigned part = 0; part < whole.elements; ++part) {
    Call one{call.at, function, {}};
    for (const auto& [value, at] : call.arguments) {
      const bool is_packed = value.is_typed() && value.type.elements == whole.elements;
      const bool is_bits =
          value.is_typed() && value.type.elements == 1 && value.type.is_integer() && value.type.bits == whole.bits;
      if (!is_packed && !is_bits) {
        if (value.is_typed()) return mismatch(whole, value.type, at);
        one.arguments.push_back({value, at});
        continue;
      }
      const unsigned width = plain(value.type).bits / whole.elements;
      const Type type = is_packed ? element_of(value.type) : Type(TypeKind::bits, width);
      const NodeId bits = builder_.make(Op::extract, {TypeKind::bits, width}, {value.node}, u64{width} * part);
      one.arguments.push_back({typed(builder_.make(Op::bitcast, type, {bits}), type), at});
    }
    results.push_back(apply(one));
    if (!results.back().is_typed()) return results.back().is_error() ? Value() : unknown_type(results.back(), call.at);
  }
  return packed_from(std::move(results), call.at);
}

Value Checker::fn_effect(const Call& call) {
  if (!may_have_effects(call)) return {};
  const Op op = find_builtin(call.callee)->op;
  std::array<NodeId, 4> nodes{no_node, no_node, no_node, no_node};
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const bool is_barrier = i == 0 && (op == Op::barrier_arrive || op == Op::barrier_wait ||
                                       op == Op::barrier_members || op == Op::barrier_clear || op == Op::barrier_join);
    const Type type = op == Op::wave_branch ? address_type : is_barrier ? barrier_type : word_type;
    const auto node = word(call.arguments[i].value, call.arguments[i].at, type);
    if (!node) return {};
    nodes[i] = *node;
  }
  return timed(op, {}, {nodes[0], nodes[1], nodes[2], nodes[3]});
}

Value Checker::fn_clock(const Call& call) {
  return may_have_effects(call) ? timed(Op::clock, address_type, {}) : Value();
}

Value Checker::fn_copy_tile(const Call& call) {
  return may_have_effects(call) ? timed(Op::copy_tile, {}, {}, call.callee == "tensor.store" ? 1 : 0) : Value();
}

Value Checker::fn_read_barrier(const Call& call) {
  if (!may_have_effects(call)) return {};
  constexpr std::string_view questions[] = {"barrier.arrived", "barrier.members", "barrier.joined", "barrier.count"};
  const auto question = std::find(std::begin(questions), std::end(questions), call.callee) - std::begin(questions);
  auto barrier = std::optional<NodeId>(builder_.constant(barrier_type, 0));
  if (!call.arguments.empty()) barrier = word(call.arguments[0].value, call.arguments[0].at, barrier_type);
  return barrier ? timed(Op::read_barrier, word_type, {*barrier}, static_cast<u64>(question)) : Value();
}

Value Checker::fn_read_hwreg(const Call& call) {
  if (!may_have_effects(call)) return {};
  NodeId nodes[3] = {no_node, no_node, no_node};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto node = word(call.arguments[i].value, call.arguments[i].at, word_type);
    if (!node) return {};
    nodes[i] = *node;
  }
  return timed(Op::read_hwreg, {TypeKind::bits, 32}, {nodes[0], nodes[1], nodes[2]});
}

}  // namespace gfxisa::core

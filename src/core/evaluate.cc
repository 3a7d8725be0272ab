#include "core/evaluate.h"

#include <algorithm>

#include "core/integer.h"

namespace gfxisa::core {

u128 low_bits(const WideValue& value) { return static_cast<u128>(value[1]) << 64 | value[0]; }
WideValue wide_value(u128 value) { return {static_cast<u64>(value), static_cast<u64>(value >> 64)}; }

namespace {

constexpr u64 most_steps = u64{1} << 24;

class Evaluator {
 public:
  Evaluator(const Body& body, Environment& environment)
      : body_(body),
        environment_(environment),
        entry_slots_(environment.slots),
        entry_lanes_(environment.lanes),
        values_(body.nodes.size()),
        stamps_(body.nodes.size(), 0),
        mode_(body.is_ieee ? ieee_mode : environment.mode) {
    for (const ArrayInfo& array : body.arrays) arrays_.emplace_back(array.size, 0);
    environment_.slots.resize(body.slots.size());
    entry_slots_.resize(body.slots.size());
    environment_.lanes.resize(body.slots.size());
    entry_lanes_.resize(body.slots.size());
  }

  Result<bool> run() {
    block(0, body_.statements.size());
    if (problem_.empty()) return true;
    return Error{problem_, "the body is malformed"};
  }

 private:
  static constexpr u32 ieee_mode = 0xf0;   // to nearest even, denormals kept
  static constexpr u64 forever = ~u64{0};  // stamp of timed values: they last until they are made again

  void fail(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
  }
  bool stopped() {
    if (++steps_ > most_steps) fail("too many steps");
    return !problem_.empty();
  }

  u128 value(NodeId id);
  bool is_ready(NodeId id) const { return stamps_[id] == forever || stamps_[id] == generation_; }
  u128 computed(const Node& node);
  u128 leaf(const Node& node);
  u128 argument(const Node& node, unsigned i) const {
    return node.args[i] == no_node ? 0 : low_bits(values_[node.args[i]]);
  }
  Type argument_type(const Node& node, unsigned i) const {
    return node.args[i] == no_node ? Type() : body_.nodes[node.args[i]].type;
  }

  void block(std::size_t at, std::size_t end);
  std::size_t statement(std::size_t at, std::size_t end);
  void assign(const Statement& s);
  void rounds(const Statement& s, std::size_t at);
  void one_round(const Statement& s, std::size_t at, u32 number);
  void evaluate(NodeId id);
  WideValue timed(const Node& node);
  WideValue memory(const Node& node);
  WideValue updated(const Node& node, Space space);
  WideValue recorded(const Node& node);

  u128 lane_of(const std::vector<std::vector<u128>>& lanes, u64 slot, u128 lane) const;
  WideValue part(const Node& node);
  WideValue element(const Node& node);
  u128 visible_bits(u128 value, Type type) const;
  bool has_slot(u64 slot) const { return slot < body_.slots.size(); }

  const Body& body_;
  Environment& environment_;
  std::vector<WideValue> entry_slots_;
  std::vector<std::vector<u128>> entry_lanes_;
  std::vector<WideValue> values_;
  std::vector<u64> stamps_;
  std::vector<u32> variables_;
  std::vector<WideValue> old_values_;
  std::vector<std::vector<u128>> arrays_;
  u32 mode_;
  u64 generation_ = 1;
  u64 steps_ = 0;
  u32 depth_ = 0;
  std::string problem_;
};

/// Computes what the node depends on first, without recursion: trees may be deep.
u128 Evaluator::value(NodeId id) {
  std::vector<NodeId> waiting{id};
  while (!waiting.empty()) {
    if (stopped()) return 0;
    const NodeId next = waiting.back();
    if (next >= body_.nodes.size()) {
      fail("no such node");
      return 0;
    }
    const Node& node = body_.nodes[next];
    if (is_ready(next)) {
      waiting.pop_back();
      continue;
    }
    if (is_timed(node.op)) {
      fail("a timed node is used before its statement");
      return 0;
    }
    bool ready = true;
    for (const NodeId argument : node.args) {
      if (argument == no_node) continue;
      if (argument >= next) {
        fail("a node depends on a later one");
        return 0;
      }
      if (is_ready(argument)) continue;
      waiting.push_back(argument);
      ready = false;
    }
    if (!ready) continue;
    values_[next] = wide_value(computed(node) & wide_ones(std::min<unsigned>(node.type.bits, 128)));
    stamps_[next] = generation_;
  }
  return low_bits(values_[id]);
}

u128 Evaluator::lane_of(const std::vector<std::vector<u128>>& lanes, u64 slot, u128 lane) const {
  if (!has_slot(slot)) return 0;
  const std::size_t number = static_cast<std::size_t>(lane) & (environment_.wave_size - 1);
  const Type type = body_.slots[slot].type;
  if (type.kind == TypeKind::mask) {
    const auto& masks = &lanes == &entry_lanes_ ? entry_slots_ : environment_.slots;
    return low_bits(masks[slot]) >> number & 1;
  }
  return number < lanes[slot].size() ? lanes[slot][number] : 0;
}

u128 Evaluator::leaf(const Node& node) {
  switch (node.op) {
    case Op::constant:
      return constant_value(node);
    case Op::input:
      return has_slot(node.immediate) ? low_bits(entry_slots_[node.immediate]) : 0;
    case Op::loop_variable:
      return node.immediate < variables_.size() ? variables_[node.immediate] : 0;
    case Op::old_value:
      return node.immediate < old_values_.size() ? low_bits(old_values_[node.immediate]) : 0;
    case Op::lane:
      return environment_.lane;
    case Op::wave_size:
      return environment_.wave_size;
    case Op::next_pc:
      return environment_.next_pc;
    case Op::register_number:
      return environment_.register_number ? environment_.register_number(static_cast<u32>(node.immediate)) : 0;
    default:
      return environment_.exec == 0 ? 0 : static_cast<u128>(__builtin_ctzll(environment_.exec));
  }
}

u128 Evaluator::computed(const Node& node) {
  if (node.op == Op::lane_input) return lane_of(entry_lanes_, node.immediate, argument(node, 0));
  if (node.op == Op::active) return environment_.exec >> (argument(node, 0) & 63) & 1;
  if (argument_count(node.op) == 0) return leaf(node);
  const auto result = value_of_operation(
      node.op, node.type, node.immediate,
      {argument_type(node, 0), argument_type(node, 1), argument_type(node, 2), argument_type(node, 3)},
      {argument(node, 0), argument(node, 1), argument(node, 2), argument(node, 3)}, mode_);
  if (node.op == Op::bitcast && result) return visible_bits(*result, argument_type(node, 0));
  if (!result) fail("no value for " + std::string(name_of(node.op)));
  return result.value_or(0);
}

// ------------------------------------------------------------------------------------------------ statements

void Evaluator::block(std::size_t at, std::size_t end) {
  if (end > body_.statements.size()) return fail("a block reaches beyond the body");
  if (depth_ > 1000) return fail("blocks nest too deeply");
  ++depth_;
  while (at < end && !stopped()) at = statement(at, end);
  --depth_;
}

/// Runs one statement with what belongs to it; gives the place of the next.
std::size_t Evaluator::statement(std::size_t at, std::size_t end) {
  const Statement& s = body_.statements[at];
  const std::size_t body = at + 1, other = body + s.body_count, next = other + s.other_count;
  if (next > end) {
    fail("a block reaches beyond the one around it");
    return end;
  }
  switch (s.kind) {
    case Statement::Kind::evaluate:
      evaluate(s.node);
      break;
    case Statement::Kind::assign:
      assign(s);
      break;
    case Statement::Kind::branch:
      if (value(s.node) != 0) {
        block(body, other);
      } else {
        block(other, next);
      }
      break;
    case Statement::Kind::loop:
    case Statement::Kind::lanes:
      rounds(s, at);
      break;
  }
  return next;
}

void Evaluator::assign(const Statement& s) {
  const u128 number = s.index == no_node ? 0 : value(s.index);
  const u128 low = value(s.node);
  if (!has_slot(s.slot) || stopped()) return fail("no such slot");
  if (s.index == no_node) {
    environment_.slots[s.slot] = values_[s.node];
    return;
  }
  const unsigned lane = static_cast<unsigned>(number) & (environment_.wave_size - 1);
  if (body_.slots[s.slot].type.kind == TypeKind::mask) {
    const u128 bit = u128{1} << lane, old = low_bits(environment_.slots[s.slot]);
    environment_.slots[s.slot] = wide_value((old & ~bit) | (low != 0 ? bit : 0));
    return;
  }
  auto& lanes = environment_.lanes[s.slot];
  if (lanes.size() <= lane) lanes.resize(lane + 1);
  lanes[lane] = low;
}

void Evaluator::rounds(const Statement& s, std::size_t at) {
  if (s.variable > most_steps) return fail("no such loop");
  if (variables_.size() <= s.variable) variables_.resize(s.variable + 1);
  if (s.kind == Statement::Kind::loop) {
    for (i32 i = s.first; i < s.last && !stopped(); ++i) one_round(s, at, static_cast<u32>(i));
    return;
  }
  for (u32 lane = 0; lane < environment_.wave_size && !stopped(); ++lane) {
    const bool on = s.first != 0 || (environment_.exec >> (lane & 63) & 1) != 0;
    if (on) one_round(s, at, lane);
  }
}

void Evaluator::one_round(const Statement& s, std::size_t at, u32 number) {
  variables_[s.variable] = number;
  ++generation_;  // what depends on the variable is another value now
  block(at + 1, at + 1 + s.body_count);
}

void Evaluator::evaluate(NodeId id) {
  if (id >= body_.nodes.size()) return fail("no such node");
  const Node& node = body_.nodes[id];
  if (!is_timed(node.op)) {
    value(id);
    return;
  }
  // An update's new value can only be computed once the old one is known.
  const bool is_update = node.op == Op::mem_update || node.op == Op::lds_update;
  for (unsigned i = 0; i < node.args.size(); ++i) {
    if (node.args[i] == no_node || (is_update && i == 1)) continue;
    if (node.args[i] >= id) return fail("a node depends on a later one");
    value(node.args[i]);
  }
  if (!problem_.empty()) return;
  values_[id] = timed(node);
  stamps_[id] = forever;
  // Pure nodes above a timed one are stale when it is evaluated again in a loop.
  ++generation_;
}

WideValue Evaluator::timed(const Node& node) {
  const u32 first = static_cast<u32>(argument(node, 0)), second = static_cast<u32>(argument(node, 1));
  switch (node.op) {
    case Op::current:
      return has_slot(node.immediate) ? environment_.slots[node.immediate] : WideValue{};
    case Op::lane_current:
      return wide_value(lane_of(environment_.lanes, node.immediate, argument(node, 0)));
    case Op::read_sgpr:
      return wide_value(environment_.read_sgpr ? environment_.read_sgpr(first) : 0);
    case Op::read_vgpr:
      return wide_value(environment_.read_vgpr ? environment_.read_vgpr(first, second) : 0);
    case Op::clock:
      return wide_value(environment_.clock ? environment_.clock() : 0);
    case Op::read_barrier:
      return wide_value(environment_.read_barrier
                            ? environment_.read_barrier(static_cast<i32>(first), static_cast<u32>(node.immediate))
                            : 0);
    case Op::read_hwreg: {
      const u32 size = static_cast<u32>(argument(node, 2));
      return wide_value(environment_.read_hwreg ? environment_.read_hwreg(first, second, size) : 0);
    }
    case Op::mem_load:
    case Op::lds_load:
    case Op::scalar_load:
    case Op::mem_store:
    case Op::lds_store:
      return memory(node);
    case Op::item:
    case Op::item_store:
      return part(node);
    case Op::array_load:
    case Op::array_store:
      return element(node);
    case Op::mem_update:
      return updated(node, Space::memory);
    case Op::lds_update:
      return updated(node, Space::data_share);
    default:
      return recorded(node);
  }
}

/// In a body whose floats are IEEE's, what is seen of a NaN is the default one.
u128 Evaluator::visible_bits(u128 value, Type type) const {
  if (!body_.is_ieee || !type.is_float()) return value;
  const auto is_nan =
      value_of_operation(Op::fclass, {TypeKind::bits, 1}, 0, {type, {TypeKind::unsigned_, 32}}, {value, 3}, mode_);
  if (is_nan.value_or(0) == 0) return value;
  const unsigned mantissa = type.kind == TypeKind::bfloat ? 7 : type.bits == 16 ? 10 : type.bits == 32 ? 23 : 52;
  return (wide_ones(type.bits - mantissa) >> 1) << mantissa | u128{1} << (mantissa - 1);
}

WideValue Evaluator::part(const Node& node) {
  const bool is_store = node.op == Op::item_store;
  const Type type = is_store ? argument_type(node, 2) : node.type;
  const u32 slot = static_cast<u32>(node.immediate);
  const u32 lane = static_cast<u32>(argument(node, 0));
  if (lane >= environment_.wave_size) {
    fail("a part of a lane that there is not");
    return {};
  }
  const u64 first = static_cast<u64>(argument(node, 1)) * type.bits;
  const u32 word = static_cast<u32>(first / 32), shift = static_cast<u32>(first % 32);
  u128 held = 0;
  for (u32 i = 0; i < 3 && 32 * i < shift + type.bits; ++i) {
    const u32 one = environment_.read_word ? environment_.read_word(slot, lane, word + i) : 0;
    held |= static_cast<u128>(one) << (32 * i);
  }
  if (!is_store) return wide_value(held >> shift & wide_ones(type.bits));
  const u128 value = visible_bits(argument(node, 2), type);
  held = (held & ~(wide_ones(type.bits) << shift)) | value << shift;
  for (u32 i = 0; environment_.write_word && i < 3 && 32 * i < shift + type.bits; ++i)
    environment_.write_word(slot, lane, word + i, static_cast<u32>(held >> (32 * i)));
  return {};
}

WideValue Evaluator::element(const Node& node) {
  const u64 index = static_cast<u64>(argument(node, 0));
  if (node.immediate >= arrays_.size() || index >= arrays_[node.immediate].size()) {
    fail("there is no such element of an array");
    return {};
  }
  u128& place = arrays_[node.immediate][index];
  if (node.op == Op::array_load) return wide_value(place);
  place = argument(node, 1);
  return {};
}

WideValue Evaluator::memory(const Node& node) {
  const u64 address = static_cast<u64>(argument(node, 0));
  const bool is_store = node.op == Op::mem_store || node.op == Op::lds_store;
  const unsigned lane_place = is_store ? 2 : 1;
  const u32 lane = node.args[lane_place] == no_node ? environment_.lane : static_cast<u32>(argument(node, lane_place));
  const bool is_shared = node.op == Op::lds_load || node.op == Op::lds_store;
  const Space space = is_shared ? Space::data_share : node.op == Op::scalar_load ? Space::scalar : Space::memory;
  if (!is_store) return environment_.load ? environment_.load(space, address, node.type.bits, lane) : WideValue{};
  if (environment_.store) environment_.store(space, address, argument_type(node, 1).bits, argument(node, 1), lane);
  return {};
}

WideValue Evaluator::updated(const Node& node, Space space) {
  const u64 address = static_cast<u64>(argument(node, 0));
  const u32 lane = node.args[2] == no_node ? environment_.lane : static_cast<u32>(argument(node, 2));
  if (node.immediate > most_steps || node.args[1] == no_node) {
    fail("no such update");
    return {};
  }
  if (old_values_.size() <= node.immediate) old_values_.resize(node.immediate + 1);
  const WideValue old = environment_.load ? environment_.load(space, address, node.type.bits, lane) : WideValue{};
  old_values_[node.immediate] = old;
  ++generation_;
  const u128 changed = value(node.args[1]);
  if (problem_.empty() && environment_.store) environment_.store(space, address, node.type.bits, changed, lane);
  return old;
}

WideValue Evaluator::recorded(const Node& node) {
  Effect effect{node.op, {}};
  for (unsigned i = 0; i < node.args.size(); ++i) effect.arguments[i] = static_cast<u64>(argument(node, i));
  environment_.effects.push_back(effect);
  return {};
}

}  // namespace

Result<bool> run(const Body& body, Environment& environment) {
  if (environment.wave_size != 32 && environment.wave_size != 64) return Error{"a wave has 32 or 64 lanes", ""};
  return Evaluator(body, environment).run();
}

}  // namespace gfxisa::core

// Lane bodies that load, or store once, in a straight line: their accesses are made for all lanes at once, by the
// functions of exec/level/lane_memory.h. What stands before an access fills rows of places, what comes after reads the
// rows loaded.
#include <algorithm>

#include "gen/kernels_body.h"

namespace gfxisa::gen {

using core::Node;
using core::NodeId;
using core::Op;
using core::Statement;
using core::Type;

namespace {

bool is_load(Op op) { return op == Op::mem_load || op == Op::lds_load; }
bool is_store(Op op) { return op == Op::mem_store || op == Op::lds_store; }
bool is_share(Op op) { return op == Op::lds_load || op == Op::lds_store; }
unsigned words_of(Type type) { return std::max(1u, (type.bits + 31u) / 32u); }

/// `u16, 1` or `u32, 3`: what an element consists of.
std::string element_of(Type type) {
  return type.bits < 32 ? place_type(type.bits) + ", 1" : "u32, " + std::to_string(words_of(type));
}

/// `{first(0), first(1)}` as an array of rows.
template <class F>
std::string list(unsigned count, F first) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) text += (i == 0 ? "{" : ", ") + first(i);
  return text + "}";
}

}  // namespace

/// Several stores, and loads together with them, are done a lane after the other: lanes may meet.
bool BodyWriter::accesses_rows() const {
  unsigned loads = 0, stores = 0;
  for (const Statement& statement : body_.statements) {
    if (statement.kind == Statement::Kind::assign && statement.index == core::no_node) continue;
    if (statement.kind != Statement::Kind::evaluate || statement.node >= body_.nodes.size()) return false;
    const Node& node = body_.nodes[statement.node];
    if (!is_load(node.op) && !is_store(node.op)) return false;
    const NodeId lane = node.args[is_load(node.op) ? 1 : 2];
    const Type type = is_load(node.op) ? node.type : body_.nodes[node.args[1]].type;
    if (lane != core::no_node || type.bits > 128 || (type.bits > 32 && type.bits % 32 != 0)) return false;
    ++(is_load(node.op) ? loads : stores);
  }
  return needs_.controls.empty() && (stores == 0 ? loads != 0 : stores == 1 && loads == 0);
}

/// Adds the rows from `row` on to the loads that a value is put together from; false where it is something else.
bool BodyWriter::add_loaded_rows(NodeId id, unsigned row, LoadedRows& rows) const {
  const Node& node = body_.nodes[id];
  if (is_load(node.op) && node.type.bits % 32 == 0) return rows.emplace(id, row).second;
  if (node.op != Op::concat || body_.nodes[node.args[1]].type.bits % 32 != 0) return false;
  return add_loaded_rows(node.args[1], row, rows) &&
         add_loaded_rows(node.args[0], row + words_of(body_.nodes[node.args[1]].type), rows);
}

/// Whether a value depends on what is loaded.
bool BodyWriter::reads_load(NodeId id) const {
  const Node& node = body_.nodes[id];
  return is_load(node.op) || std::any_of(node.args.begin(), node.args.end(), [this](NodeId argument) {
           return argument != core::no_node && reads_load(argument);
         });
}

/// The first output row of each load where all that the body does is to load slots as they stand; else none.
BodyWriter::LoadedRows BodyWriter::loaded_rows() const {
  LoadedRows rows;
  std::size_t loads = 0;
  std::vector<bool> is_assigned(places_.size());
  for (const Statement& statement : body_.statements) {
    if (statement.kind != Statement::Kind::assign) {
      const Node& node = body_.nodes[statement.node];
      if (!is_load(node.op) || reads_load(node.args[0])) return {};
      ++loads;
      continue;
    }
    const SlotPlace& place = places_[statement.slot];
    const Type type = body_.nodes[statement.node].type;
    const bool is_whole = type.bits == 32 * place.rows && body_.slots[statement.slot].type.bits == type.bits;
    if (place.output < 0 || !is_whole || is_assigned[statement.slot]) return {};
    is_assigned[statement.slot] = true;
    if (!add_loaded_rows(statement.node, static_cast<unsigned>(place.output_row), rows)) return {};
  }
  return rows.size() == loads ? rows : LoadedRows{};
}

void BodyWriter::row_accesses() {
  const auto& statements = body_.statements;
  // All places are formed before the first row is loaded, which may be one that they are formed from.
  if (const LoadedRows rows = loaded_rows(); !rows.empty()) {
    std::vector<std::string> places;
    for (const auto& [id, row] : rows)
      places.push_back(rows_of(body_.nodes[id].args[0], "places" + std::to_string(id), rows.size() == 1));
    for (const auto& [id, row] : rows) {
      const std::string name = "to" + std::to_string(id);
      const auto out = [first = row](unsigned i) { return "out" + std::to_string(first + i); };
      line("u32* const " + name + "[] = " + list(words_of(body_.nodes[id].type), out) + ";");
      load_rows(id, places[static_cast<std::size_t>(std::distance(rows.begin(), rows.find(id)))], name);
    }
    return;
  }
  for (const Statement& statement : statements) {
    if (statement.kind != Statement::Kind::evaluate) continue;
    const NodeId id = statement.node;
    const Node& node = body_.nodes[id];
    if (is_store(node.op)) {
      store_rows(id);
      continue;
    }
    const std::string where = rows_of(node.args[0], "places" + std::to_string(id));
    const std::string name = "loaded" + std::to_string(id);
    const unsigned words = words_of(node.type);
    line("alignas(64) Row " + name + "[" + std::to_string(words) + "] = {};");
    const auto row = [&](unsigned i) { return name + "[" + std::to_string(i) + "]"; };
    line("u32* const to" + std::to_string(id) + "[] = " + list(words, row) + ";");
    load_rows(id, where, "to" + std::to_string(id));
    loaded_.push_back(id);
  }
  if (std::none_of(places_.begin(), places_.end(), [](const SlotPlace& place) { return place.output >= 0; })) return;
  lane_rounds();
  lane_inputs();
  name_loaded();
  if (assigns_once()) {
    for (const Statement& statement : statements) {
      if (statement.kind != Statement::Kind::assign) continue;
      const SlotPlace& place = places_[statement.slot];
      for (unsigned i = 0; i < place.rows; ++i) {
        const std::string row = "out" + std::to_string(static_cast<unsigned>(place.output_row) + i);
        line(row + "[i] = " + word_of(statement.node, i) + ";");
      }
    }
  } else {
    present_values();
    for (const Statement& statement : statements) {
      if (statement.kind == Statement::Kind::assign) assign(statement);
    }
    lane_outputs();
  }
  close();
}

/// Whether each slot is assigned once and as a whole: then its words need not be put together first.
bool BodyWriter::assigns_once() const {
  std::vector<bool> is_assigned(places_.size());
  for (const Statement& statement : body_.statements) {
    if (statement.kind != Statement::Kind::assign) continue;
    const SlotPlace& place = places_[statement.slot];
    const Type type = body_.nodes[statement.node].type;
    if (is_assigned[statement.slot] || place.is_named || type.bits != 32 * place.rows || type.is_float()) return false;
    if (body_.slots[statement.slot].type.bits != type.bits) return false;
    is_assigned[statement.slot] = true;
  }
  return true;
}

/// Word `word` of a value; of what is put together from words, or was loaded, without shifts.
std::string BodyWriter::word_of(NodeId id, unsigned word) {
  const Node& node = body_.nodes[id];
  if (node.op == Op::concat && body_.nodes[node.args[1]].type.bits % 32 == 0) {
    const unsigned low = words_of(body_.nodes[node.args[1]].type);
    return word < low ? word_of(node.args[1], word) : word_of(node.args[0], word - low);
  }
  if (std::find(loaded_.begin(), loaded_.end(), id) != loaded_.end() && node.type.bits % 32 == 0)
    return "loaded" + std::to_string(id) + "[" + std::to_string(word) + "][i]";
  return "static_cast<u32>(" + bits_of_node(id) + " >> " + std::to_string(32 * word) + "u)";
}

/// Names for what was loaded so far, in a loop over lanes.
void BodyWriter::name_loaded() {
  for (const NodeId id : loaded_) {
    const std::string name = "loaded" + std::to_string(id);
    const Type type = body_.nodes[id].type;
    const unsigned words = words_of(type);
    const auto word = [&](unsigned i) { return name + "[" + std::to_string(i) + "][i]"; };
    std::string text = word(0);
    for (unsigned i = 1; i < words; ++i) text += ", " + word(i);
    if (words > 1) text = std::string(words == 2 ? "join<u64>(" : "join<u128>(") + text + ")";
    keep(id, from_bits(text, type));
  }
}

/// The rows that hold a value's words, as arguments: those of an input where it may be so, or rows made here.
std::string BodyWriter::rows_of(NodeId id, const std::string& name, bool may_be_input) {
  const Node& node = body_.nodes[id];
  const unsigned words = words_of(node.type);
  if (node.op == Op::input && may_be_input) {
    const SlotPlace& place = places_[node.immediate];
    if (place.input >= 0 && place.rows == words && names_[id].empty()) {
      std::string text;
      for (unsigned i = 0; i < words; ++i)
        text += (i == 0 ? "in" : ", in") + std::to_string(static_cast<unsigned>(place.input_row) + i);
      return text;
    }
  }
  line("alignas(64) Row " + name + "[" + std::to_string(words) + "];");
  lane_rounds();
  lane_inputs();
  name_loaded();
  const std::string raw = words == 1 ? "u32" : words == 2 ? "u64" : "u128";
  line("const " + raw + " bits = " + bits_of_node(id) + ";");
  for (unsigned i = 0; i < words; ++i) {
    const std::string number = std::to_string(i);
    line(name + "[" + number + "][i] = static_cast<u32>(bits >> " + std::to_string(32 * i) + "u);");
  }
  close();
  std::string text;
  for (unsigned i = 0; i < words; ++i) text += (i == 0 ? "" : ", ") + name + "[" + std::to_string(i) + "]";
  return text;
}

void BodyWriter::load_rows(NodeId id, const std::string& where, const std::string& to) {
  const Node& node = body_.nodes[id];
  const std::string function = is_share(node.op) ? "load_lds_rows<" : "load_memory_rows<";
  line(function + element_of(node.type) + ">(call, " + where + ", " + to + ");");
}

void BodyWriter::store_rows(NodeId id) {
  const Node& node = body_.nodes[id];
  const std::string where = rows_of(node.args[0], "places" + std::to_string(id));
  const std::string values = rows_of(node.args[1], "values" + std::to_string(id));
  line("const u32* const from[] = {" + values + "};");
  const std::string function = is_share(node.op) ? "store_lds_rows<" : "store_memory_rows<";
  line(function + element_of(body_.nodes[node.args[1]].type) + ">(call, " + where + ", from);");
}

}  // namespace gfxisa::gen

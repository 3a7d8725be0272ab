// One body as the C++ text of one kernel. See exec/kernel_abi.h for what a kernel is, core/ops.inc for what nodes mean,
// exec/lane_ops.h for the functions the text calls.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/core.h"

namespace gfxisa::gen {

/// The C++ type that stores a value of `type`.
std::string storage_of(core::Type type);
/// The C++ type of a place in memory.
std::string place_type(unsigned bits);

/// What of MODE a body's float operations obey: 0 nothing, 1 the f32 fields, 2 those of f16 and f64, 3 both. With 3 the
/// kernel sets the host's control word itself.
u8 float_mode_of(const core::Body& body);
/// Whether the body does more than compute outputs from inputs: memory, the data share, barriers, messages, ...
bool has_effects(const core::Body& body);

/// Writes one body. `problem` is empty when the text is complete; otherwise it says what no kernel can do.
struct KernelText {
  bool is_lane = false;
  std::string text;  ///< from the parameter list on; the name goes before it
  std::string problem;
};
KernelText kernel_text(const core::Body& body);

/// Where a slot's value comes from and goes to; numbers count as kernel_abi.h says, -1 for none.
struct SlotPlace {
  bool is_named = false;
  int input = -1, output = -1, immediate = -1;
  int field = -1;  ///< modifier fields: see exec/step.h
  int input_row = -1, output_row = -1;
  unsigned rows = 1;
};
std::vector<SlotPlace> places_of(const core::Body& body);

/// Which fields of MODE make up the host's control word for an operation. Classes: 1 f32, 2 f16 and f64.
struct FloatControl {
  unsigned rounding = 0;  ///< 0 as MODE says for rounding_class, 1..4 fixed as int_to_float has it
  unsigned rounding_class = 1, input_class = 1, output_class = 1;
  bool operator==(const FloatControl&) const = default;
  std::string text() const;  ///< as template arguments
};

/// What the float operations of a body ask of its kernel's frame.
struct FloatNeeds {
  unsigned classes = 0;                ///< as float_mode_of
  FloatControl common;                 ///< what holds where an operation does not care
  std::vector<FloatControl> controls;  ///< all different ones; empty when what the engine sets for the class is right
};
FloatNeeds float_needs(const core::Body& body);
FloatControl float_control_of(const core::Body& body, const core::Node& node, const FloatNeeds& needs);

/// State of writing one body: text so far, and which nodes have a C++ name in the blocks that are open.
class BodyWriter {
 public:
  explicit BodyWriter(const core::Body& body);
  KernelText write();

 private:
  using NodeId = core::NodeId;

  // kernels_body.cc: text, scopes, the two frames
  void line(const std::string& text);
  void open(const std::string& head);
  void close(const std::string& tail = "}");
  void name_node(NodeId id, const std::string& name);
  void fail(const std::string& why);
  void lane_kernel();
  void lane_loops();
  bool is_one_float_operation() const;
  void quick_loop();
  void lane_loop();
  void lane_outputs();
  void scalar_kernel();
  std::string prelude(const std::string& text) const;
  std::string float_environment() const;

  // kernels_input.cc: values of slots
  void uniform_inputs();
  void lane_inputs();
  void scalar_inputs();
  void present_values();
  std::string row_value(const SlotPlace& place, core::Type type, const std::string& lane = "i") const;
  std::string scalar_value(const SlotPlace& place, core::Type type) const;
  std::string named_value(const std::string& slot, core::Type type) const;
  std::string lane_input(const core::Node& node);
  std::string lane_words(const std::string& source, unsigned rows, core::Type type) const;
  std::string initial_value(unsigned slot);
  void items_and_arrays();

  // kernels_expression.cc: pure nodes
  std::string value(NodeId id);
  std::string define(NodeId id);
  std::string constant(const core::Node& node) const;
  std::string operand(NodeId id, core::Type type);
  std::string expression(const core::Node& node);
  std::string leaf(const core::Node& node);
  std::string integer_expression(const core::Node& node);
  std::string bit_test(const core::Node& node);
  std::string funnel_shift(const core::Node& node);
  std::string bit_expression(const core::Node& node);
  std::string conversion(const core::Node& node);
  std::string float_expression(const core::Node& node);
  std::string float_call(std::string_view function, const core::Node& node, bool takes_mode);
  std::string mode_argument(const core::Node& node) const;
  std::string fitted(const std::string& text, core::Type type) const;

  // kernels_effect.cc: nodes that have a time
  void effect(NodeId id);
  void load(NodeId id, std::string_view function);
  void store(NodeId id, std::string_view function);
  void update(NodeId id, std::string_view function);
  void scalar_load(NodeId id);
  void wave_effect(NodeId id);
  std::string access_arguments(const core::Node& node, std::string_view function);
  void item(NodeId id);
  std::string item_lane(NodeId id);
  void array(NodeId id);
  void keep(NodeId id, const std::string& text);
  std::string lane_argument(NodeId argument);
  std::string bits_of_node(NodeId id);
  std::string from_bits(const std::string& text, core::Type type) const;
  std::string lane_number(NodeId id);

  // kernels_rows.cc: loads and stores of all lanes at once
  bool accesses_rows() const;
  void row_accesses();
  void load_rows(NodeId id, const std::string& where, const std::string& to);
  void store_rows(NodeId id);
  using LoadedRows = std::map<NodeId, unsigned>;
  bool add_loaded_rows(NodeId id, unsigned row, LoadedRows& rows) const;
  bool reads_load(NodeId id) const;
  LoadedRows loaded_rows() const;
  std::string rows_of(NodeId id, const std::string& name, bool may_be_input = true);
  void lane_rounds();
  void name_loaded();
  bool assigns_once() const;
  std::string word_of(NodeId id, unsigned word);

  // kernels_statement.cc: statements
  void block(std::size_t first, std::size_t count);
  void branch(const core::Statement& statement, std::size_t first);
  void loop(const core::Statement& statement, std::size_t first);
  void assign(const core::Statement& statement);
  void assign_lane(const core::Statement& statement, const SlotPlace& place);
  void assign_named(const core::Statement& statement);
  void assign_scalar(const core::Statement& statement, const SlotPlace& place);

  const core::Body& body_;
  std::vector<SlotPlace> places_;
  std::vector<std::string> names_;           ///< by node; empty when the node has none in an open block
  std::vector<std::vector<NodeId>> scopes_;  ///< nodes named in each open block
  std::string text_;
  std::string problem_;
  unsigned indent_ = 1;
  bool is_lane_ = false;
  const FloatNeeds needs_;
  bool is_quick_ = false;       ///< the text at hand is for results that are not NaN
  bool is_exact_ = false;       ///< each float operation sets the control word for itself
  std::vector<NodeId> loaded_;  ///< loads whose rows are there
  bool has_snapshots_ = false;  ///< wave bodies: lane inputs are copied first, because lanes are written
};

}  // namespace gfxisa::gen

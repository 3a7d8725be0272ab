// What a body's float operations ask of MODE.
#include <algorithm>

#include "gen/kernels_body.h"

namespace gfxisa::gen {
namespace {

using core::Node;
using core::Op;
using core::Type;

/// Operations that look at bits only, or only move values.
bool is_bitwise(Op op) {
  switch (op) {
    case Op::constant:
    case Op::input:
    case Op::lane_input:
    case Op::current:
    case Op::lane_current:
    case Op::old_value:
    case Op::select:
    case Op::bitcast:
    case Op::fneg:
    case Op::fabs:
    case Op::fclass:
    case Op::fquiet:
      return true;
    default:
      return op >= Op::mem_load;
  }
}

/// 1 for the f32 fields of MODE, 2 for those of f16 and f64, 0 for what is no float.
unsigned class_of(Type type) {
  if (type.kind == core::TypeKind::bfloat) return 1;
  if (type.kind != core::TypeKind::float_) return 0;
  return type.bits == 32 ? 1 : 2;
}
bool is_native(Type type) { return type.kind == core::TypeKind::float_ && type.bits >= 32; }

Type first_argument(const core::Body& body, const Node& node) {
  return node.args[0] < body.nodes.size() ? body.nodes[node.args[0]].type : Type();
}

/// The fields of MODE that one operation obeys through the host's control word; 0 where it does not matter.
FloatControl demand_of(const core::Body& body, const Node& node) {
  FloatControl control{0, 0, 0, 0};
  if (is_bitwise(node.op)) return control;
  const Type argument = first_argument(body, node);
  if (is_native(argument)) control.input_class = class_of(argument);
  if (is_native(node.type)) control.output_class = class_of(node.type);
  const bool widens = node.op == Op::float_to_float && node.type.bits > argument.bits;
  if (!widens) control.rounding_class = class_of(node.type);
  const bool converts = node.op == Op::int_to_float || node.op == Op::float_to_float;
  if (converts && control.rounding_class != 0) control.rounding = static_cast<unsigned>(node.immediate);
  if (control.rounding != 0) control.rounding_class = 1;
  return control;
}

/// `control` with `other` where it says nothing.
FloatControl completed(FloatControl control, const FloatControl& other) {
  if (control.rounding_class == 0) control.rounding = other.rounding, control.rounding_class = other.rounding_class;
  if (control.input_class == 0) control.input_class = other.input_class;
  if (control.output_class == 0) control.output_class = other.output_class;
  return control;
}

}  // namespace

std::string FloatControl::text() const {
  return "<" + std::to_string(rounding) + ", " + std::to_string(rounding_class) + ", " + std::to_string(input_class) +
         ", " + std::to_string(output_class) + ">";
}

FloatNeeds float_needs(const core::Body& body) {
  FloatNeeds needs;
  if (body.is_ieee) return needs;
  FloatControl common{0, 0, 0, 0};
  bool is_fixed = false;
  for (const Node& node : body.nodes) {
    if (is_bitwise(node.op)) continue;
    needs.classes |= class_of(first_argument(body, node)) | class_of(node.type);
    const FloatControl demand = demand_of(body, node);
    common = completed(common, demand);
    is_fixed |= demand.rounding != 0;
  }
  if (needs.classes != 3 && !is_fixed) return needs;
  needs.common = completed(common, {0, 1, 1, 1});
  for (const Node& node : body.nodes) {
    const FloatControl control = float_control_of(body, node, needs);
    if (std::find(needs.controls.begin(), needs.controls.end(), control) == needs.controls.end())
      needs.controls.push_back(control);
  }
  return needs;
}

FloatControl float_control_of(const core::Body& body, const Node& node, const FloatNeeds& needs) {
  return completed(demand_of(body, node), needs.common);
}

u8 float_mode_of(const core::Body& body) { return static_cast<u8>(float_needs(body).classes); }

}  // namespace gfxisa::gen

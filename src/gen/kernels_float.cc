// What a body's float operations ask of MODE.
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

/// Notes one operation.
void note(const Type argument, const Node& node, FloatNeeds& needs) {
  needs.classes |= class_of(argument) | class_of(node.type);
  if (is_native(argument)) needs.input_class = class_of(argument);
  if (is_native(node.type)) needs.output_class = class_of(node.type);
  if (class_of(node.type) != 0) needs.rounding_class = class_of(node.type);
  const bool converts = node.op == Op::int_to_float || node.op == Op::float_to_float;
  if (converts && node.immediate != 0) needs.rounding = static_cast<unsigned>(node.immediate);
}

}  // namespace

FloatNeeds float_needs(const core::Body& body) {
  FloatNeeds needs;
  for (const Node& node : body.nodes) {
    if (!is_bitwise(node.op)) note(first_argument(body, node), node, needs);
  }
  needs.sets_control = needs.classes == 3 || needs.rounding != 0;
  return needs;
}

u8 float_mode_of(const core::Body& body) { return static_cast<u8>(float_needs(body).classes); }

}  // namespace gfxisa::gen

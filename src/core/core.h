// The typed semantic tree: what a body means, with every name and width resolved.
//
// One tree per instruction and body. Everything that gives an instruction meaning is derived from it: C++ lane
// functions (gen), the slow reference evaluator (core/evaluate.h), and later the JIT and proofs. No consumer knows an
// instruction by name.
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"

namespace gfxisa::core {

/// What an expression's value is. `mask` is one bit a lane (a scalar of wave_size bits outside lane bodies; the lane's
/// own bit inside them).
enum class TypeKind : u8 { none, bits, unsigned_, signed_, float_, bfloat, mask };

/// A type with its width in bits: 1..128, and up to 512 for bits that are only loaded into a slot. `elements` above 1
/// make it a packed type (`f16x2`) of as many equal parts; packed types are types of slots, nodes have bits instead.
struct Type {
  TypeKind kind = TypeKind::none;
  u8 elements = 1;
  u16 bits = 0;
  constexpr Type() = default;
  constexpr Type(TypeKind k, unsigned b, unsigned parts = 1)
      : kind(k), elements(static_cast<u8>(parts)), bits(static_cast<u16>(b)) {}
  bool operator==(const Type&) const = default;
  bool is_float() const { return kind == TypeKind::float_ || kind == TypeKind::bfloat; }
  bool is_integer() const { return kind == TypeKind::bits || kind == TypeKind::unsigned_ || kind == TypeKind::signed_; }
};
std::string name_of(Type type);
/// `u32`, `b1`, `f16`, `mask`, `address` (u64), packed `f16x2` or `pk_f16`, ...; kind none when the text is no type.
Type type_named(std::string_view text);

/// Every operation of the tree; one line each in ops.inc (name, number of arguments, meaning).
enum class Op : u8 {
#define GFXISA_OP(name, arguments, meaning) name,
#include "core/ops.inc"
#undef GFXISA_OP
};
std::string_view name_of(Op op);
/// Number of arguments, and the meaning as ops.inc has it.
unsigned argument_count(Op op);
std::string_view meaning_of(Op op);
/// Whether nodes of this operation have a time: they stand in `evaluate` statements and are never shared.
bool is_timed(Op op);

using NodeId = u32;
inline constexpr NodeId no_node = ~NodeId{0};

/// One operation. Pure nodes are shared (hash-consed); nodes with effects stand in statements, in order.
///   immediate: value of a constant, slot index, slice low bit, comparison, loop number, update number, ...; see
///   ops.inc.
struct Node {
  Op op;
  Type type;
  std::array<NodeId, 4> args{no_node, no_node, no_node, no_node};
  u64 immediate = 0;
};

/// A statement; blocks are ranges of Body::statements so that a body is two flat arrays.
struct Statement {
  enum class Kind : u8 {
    evaluate,  ///< node has an effect (memory, barrier, ...); its value may be used later
    assign,    ///< slot `slot` = node; with `index` != no_node, lane or register index
    branch,    ///< if node: the next body_count statements, else the other_count after them
    loop,      ///< for variable in first..last: the next body_count statements
    lanes,     ///< for variable in active lanes (first = 0) or all lanes (first = 1): likewise
  };
  Kind kind;
  u16 slot = 0;
  NodeId node = no_node;
  NodeId index = no_node;
  u32 variable = 0;
  i32 first = 0, last = 0;
  u32 body_count = 0, other_count = 0;
};

enum class BodyKind : u8 { scalar, lane, wave };

/// A slot as a body sees it.
struct SlotInfo {
  std::string name;
  Type type;
  bool is_read = false;
  bool is_written = false;
  bool is_immediate = false;
  bool is_field = false;  ///< an immediate that is a modifier field: at most eight bits
  /// Of a stage's or an address's inputs: the same for all lanes, so that only the first lane's word need be there.
  bool is_uniform = false;
};

/// A row of values that a body keeps while it runs; none is defined before it is assigned.
struct ArrayInfo {
  Type type;
  u32 size = 0;
};

/// The meaning of one instruction on one set of generations.
struct Body {
  BodyKind kind = BodyKind::scalar;
  /// Floats obey IEEE 754 and not MODE: to nearest even, denormals kept, and every NaN that is made is the default one.
  bool is_ieee = false;
  std::vector<ArrayInfo> arrays;
  std::vector<SlotInfo> slots;
  std::vector<Node> nodes;
  std::vector<Statement> statements;
};

}  // namespace gfxisa::core

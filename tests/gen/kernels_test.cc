#include "gen/kernels.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "core/builder.h"
#include "gen/kernels_body.h"
#include "gen/load.h"

namespace gfxisa::gen {
namespace {

using core::Body;
using core::BodyKind;
using core::Builder;
using core::NodeId;
using core::Op;
using core::SlotInfo;
using core::Statement;
using core::Type;
using core::TypeKind;

constexpr Type u32_type{TypeKind::unsigned_, 32};
constexpr Type f32_type{TypeKind::float_, 32};
constexpr Type f16_type{TypeKind::float_, 16};

SlotInfo out(const std::string& name, Type type) { return {name, type, false, true, false}; }
SlotInfo in(const std::string& name, Type type) { return {name, type, true, false, false}; }
SlotInfo imm(const std::string& name, Type type) { return {name, type, true, false, true}; }

Statement assign(u16 slot, NodeId node) {
  Statement statement{.kind = Statement::Kind::assign};
  statement.slot = slot;
  statement.node = node;
  return statement;
}

/// d = op(a, b), all of one type.
Body binary(BodyKind kind, Op op, Type type) {
  Body body;
  body.kind = kind;
  body.slots = {out("d", type), in("a", type), in("b", type)};
  Builder builder(body);
  const NodeId a = builder.make(Op::input, type, {}, 1), b = builder.make(Op::input, type, {}, 2);
  body.statements = {assign(0, builder.make(op, type, {a, b}))};
  return body;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(KernelText, LaneBodyIsALoopOverRows) {
  const KernelText kernel = kernel_text(binary(BodyKind::lane, Op::add, u32_type));
  EXPECT_TRUE(kernel.is_lane);
  EXPECT_EQ(kernel.problem, "");
  EXPECT_TRUE(contains(kernel.text, "GFXISA_VECTORISE\n  for (u32 i = 0; i < lanes_per_call; ++i) {")) << kernel.text;
  EXPECT_TRUE(contains(kernel.text, "row(call.in[1])")) << kernel.text;
  EXPECT_TRUE(contains(kernel.text, "add(n0, n1)")) << kernel.text;
  EXPECT_FALSE(contains(kernel.text, "wave")) << "a pure kernel does not look at the wave\n" << kernel.text;
}

TEST(KernelText, ScalarBodyReadsAllBeforeItWrites) {
  Body body = binary(BodyKind::scalar, Op::add, u32_type);
  body.slots.push_back(out("scc", {TypeKind::bits, 1}));
  Builder builder(body);
  const NodeId sum = body.statements[0].node;
  body.statements.push_back(
      assign(3, builder.make(Op::lt, {TypeKind::bits, 1}, {sum, builder.make(Op::input, u32_type, {}, 1)})));
  const KernelText kernel = kernel_text(body);
  EXPECT_FALSE(kernel.is_lane);
  EXPECT_TRUE(contains(kernel.text, "wave.scc = ")) << kernel.text;
  EXPECT_LT(kernel.text.rfind("read_scalar<u32>"), kernel.text.find("write_scalar<u32>")) << kernel.text;
  EXPECT_TRUE(contains(kernel.text, "return next;")) << kernel.text;
}

TEST(KernelText, WideSlotsHaveARowAWord) {
  const Type u64_type{TypeKind::unsigned_, 64};
  const KernelText kernel = kernel_text(binary(BodyKind::lane, Op::add, u64_type));
  EXPECT_TRUE(contains(kernel.text, "join<u64>(in2[i], in3[i])")) << kernel.text;
  EXPECT_TRUE(contains(kernel.text, "out1[i] = static_cast<u32>(bits_d >> 32u)")) << kernel.text;
}

TEST(KernelText, HalvesTakeTheModeAndRowsAreCut) {
  const KernelText kernel = kernel_text(binary(BodyKind::lane, Op::fadd, f16_type));
  EXPECT_TRUE(contains(kernel.text, "float_add(n0, n1, half_mode)")) << kernel.text;
  EXPECT_TRUE(contains(kernel.text, "value_of_bits<Half>(fit<u32, 16>(in0[i]))")) << kernel.text;
}

TEST(KernelText, NarrowResultsAreCutToTheirWidth) {
  const KernelText kernel = kernel_text(binary(BodyKind::lane, Op::add, {TypeKind::signed_, 8}));
  EXPECT_TRUE(contains(kernel.text, "fit<i32, 8>(add(n0, n1))")) << kernel.text;
  EXPECT_TRUE(contains(kernel.text, "const u32 bits_d = fit<u32, 8>(bits_of_value(now_d))")) << kernel.text;
}

/// d = lds.load(addr + offset), twice or once.
Body share_loads(unsigned count) {
  Body body;
  body.kind = BodyKind::lane;
  body.slots = {out("d", u32_type), in("addr", u32_type), imm("offset", u32_type)};
  Builder builder(body);
  const NodeId at = builder.make(Op::add, u32_type,
                                 {builder.make(Op::input, u32_type, {}, 1), builder.make(Op::input, u32_type, {}, 2)});
  NodeId load = at;
  for (unsigned i = 0; i < count; ++i) {
    load = builder.make_timed(Op::lds_load, u32_type, {load});
    Statement evaluate{.kind = Statement::Kind::evaluate};
    evaluate.node = load;
    body.statements.push_back(evaluate);
  }
  body.statements.push_back(assign(0, load));
  return body;
}

TEST(KernelText, LoadsAreDoneForAllLanesAtOnce) {
  EXPECT_TRUE(has_effects(share_loads(1)));
  const std::string one = kernel_text(share_loads(1)).text;
  EXPECT_TRUE(contains(one, "u32* const to3[] = {out0};")) << one;
  EXPECT_TRUE(contains(one, "load_lds_rows<u32, 1>(call, places3[0], to3);")) << one;
  const std::string two = kernel_text(share_loads(2)).text;
  EXPECT_TRUE(contains(two, "const u32 n3 = fit<u32, 32>(loaded3[0][i]);")) << two;
  EXPECT_LT(two.find("load_lds_rows"), two.find("fit<u32, 32>(loaded3[0][i])")) << two;
}

// d = {load(a), load(a)}: the rows of d are loaded, which may be those of a, so both places are kept first.
TEST(KernelText, PlacesAreFormedBeforeRowsAreLoaded) {
  constexpr Type b64_type{TypeKind::bits, 64};
  Body body;
  body.kind = BodyKind::lane;
  body.slots = {out("d", b64_type), in("a", u32_type)};
  Builder builder(body);
  const NodeId at = builder.make(Op::input, u32_type, {}, 1);
  std::array<NodeId, 2> loads;
  for (NodeId& load : loads) {
    Statement statement{.kind = Statement::Kind::evaluate};
    load = statement.node = builder.make_timed(Op::lds_load, u32_type, {at});
    body.statements.push_back(statement);
  }
  body.statements.push_back(assign(0, builder.make(Op::concat, b64_type, {loads[1], loads[0]})));
  const std::string text = kernel_text(body).text;
  EXPECT_TRUE(contains(text, "{out0}") && contains(text, "{out1}")) << text;
  EXPECT_FALSE(contains(text, "(call, in0")) << text;
  EXPECT_LT(text.rfind("Row places"), text.find("load_lds_rows")) << text;
}

// First all lanes as if no result were NaN.
TEST(KernelText, OneFloatOperationIsQuickWhereNothingIsNan) {
  const std::string text = kernel_text(binary(BodyKind::lane, Op::fadd, f32_type)).text;
  EXPECT_TRUE(contains(text, "if (strange == 0) return copy_row(out0, quick);")) << text;
  EXPECT_TRUE(contains(text, "float_add(")) << text;
  EXPECT_FALSE(contains(kernel_text(binary(BodyKind::lane, Op::fmin, f32_type)).text, "quick"));
}

TEST(KernelText, LanesThatMayMeetAreDoneOneByOne) {
  Body body = share_loads(1);
  Builder builder(body);
  const NodeId at = builder.make(Op::input, u32_type, {}, 1);
  Statement store{.kind = Statement::Kind::evaluate};
  store.node = builder.make_timed(Op::lds_store, Type{}, {at, body.statements[0].node});
  body.statements.insert(body.statements.begin() + 1, store);
  const KernelText kernel = kernel_text(body);
  EXPECT_TRUE(contains(kernel.text, "each_lane(call.active")) << kernel.text;
  EXPECT_TRUE(contains(kernel.text, "load_lds<u32>(data_share, n2, lane)")) << kernel.text;
  EXPECT_LT(kernel.text.find("immediate(step, 0)"), kernel.text.find("each_lane")) << kernel.text;
}

TEST(KernelText, WhatCannotRunIsSaid) {
  Body body = binary(BodyKind::lane, Op::add, u32_type);
  body.slots[0] = out("m0", u32_type);
  EXPECT_NE(kernel_text(body).problem, "");
  Body wide = binary(BodyKind::lane, Op::mul_hi, {TypeKind::unsigned_, 128});
  EXPECT_NE(kernel_text(wide).problem, "");
}

TEST(PlacesOf, CountsSlotsAndRowsInOrder) {
  Body body;
  body.slots = {out("d", {TypeKind::unsigned_, 64}), out("sd", {TypeKind::mask, 64}), in("a", {TypeKind::bits, 96}),
                in("vcc", {TypeKind::mask, 64}),     imm("offset", u32_type),         in("b", f16_type)};
  const auto places = places_of(body);
  EXPECT_EQ(places[0].output_row, 0);
  EXPECT_EQ(places[0].rows, 2u);
  EXPECT_EQ(places[1].output, 1);
  EXPECT_EQ(places[1].output_row, 2);
  EXPECT_EQ(places[2].rows, 3u);
  EXPECT_TRUE(places[3].is_named);
  EXPECT_EQ(places[3].input, -1);
  EXPECT_EQ(places[4].immediate, 0);
  EXPECT_EQ(places[5].input, 1);
  EXPECT_EQ(places[5].input_row, 3);
}

TEST(FloatMode, NamesTheFieldsABodyObeys) {
  EXPECT_EQ(float_mode_of(binary(BodyKind::lane, Op::add, u32_type)), 0);
  EXPECT_EQ(float_mode_of(binary(BodyKind::lane, Op::fadd, f32_type)), 1);
  EXPECT_EQ(float_mode_of(binary(BodyKind::lane, Op::fadd, f16_type)), 2);
  Body body;
  body.kind = BodyKind::lane;
  body.slots = {out("d", f16_type), in("a", f32_type)};
  Builder builder(body);
  body.statements = {assign(0, builder.make(Op::float_to_float, f16_type, {builder.make(Op::input, f32_type, {}, 1)}))};
  EXPECT_EQ(float_mode_of(body), 3);
  EXPECT_TRUE(contains(kernel_text(body).text, "float_control<0, 2, 1, 1>(mode_bits)")) << kernel_text(body).text;
}

/// A folder that is removed at the end.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("gfxisa_kernels_" + std::to_string(getpid()))) {}
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

TEST(GenerateKernels, OneFileASpecFileAndATable) {
  model::Isa isa;
  for (const char* name : {"v_add", "v_also_add", "s_add"}) {
    model::Instruction instruction;
    instruction.name = name;
    instruction.file = "vector/add.isa";
    model::Semantics semantics;
    semantics.body = binary(name[0] == 'v' ? BodyKind::lane : BodyKind::scalar, Op::add, u32_type);
    instruction.semantics.push_back(semantics);
    isa.instructions.push_back(instruction);
  }
  Folder folder;
  OutputFolder output(folder.path());
  EXPECT_TRUE(generate_kernels(isa, {"vector/add.isa", "arch.isa"}, output).empty());
  EXPECT_EQ(output.error().message, "");
  EXPECT_EQ(output.names(), (std::set<std::string>{"kernels.cc", "kernels_arch_isa.cc", "kernels_vector_add_isa.cc"}));
  const std::string table = *read_file(folder.path() + "/kernels.cc");
  EXPECT_TRUE(contains(table, "{nullptr, op_v_add},  // v_add\n")) << table;
  EXPECT_TRUE(contains(table, "{nullptr, op_v_add},  // v_also_add\n")) << "equal bodies share a function\n" << table;
  EXPECT_TRUE(contains(table, "{op_s_add, nullptr},  // s_add\n")) << table;
}

}  // namespace
}  // namespace gfxisa::gen

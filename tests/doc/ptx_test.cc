// Relations of data/ptx*.ref that claim equality: the PTX instruction, written in the language of bodies, and the AMD
// instruction's body are run by the reference evaluator on edge cases and 100,000 random inputs.
#include "doc/ptx.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "core/blob.h"
#include "core/evaluate.h"
#include "doc/embedded.h"
#include "doc/reference_text.h"
#include "inst/instruction.h"
#include "lang/parser.h"
#include "model/isa.h"

namespace gfxisa {
namespace {

constexpr unsigned random_inputs = 100000;

std::string read_spec(const std::string& name) {
  std::ifstream in(std::string(GFXISA_SOURCE_DIR) + "/spec/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// An encoding of the test's own gives the PTX instruction's operands a place.
constexpr std::string_view encoding = R"(
encoding PTX 64 on rdna4
  title    PTX
  63:54    = 0b1010101010
  53:44    op
  43:36    vdst  vgpr  is d
  35:27    src2  src   is c
  26:18    src1  src   is b
  17:9     src0  src   is a
  8:0      reserved
  syntax   d a b c

encoding PTXM 64 on rdna4
  title    PTX with a predicate
  63:54    = 0b1010101011
  53:44    op
  43:37    sdst  sdst  is d
  36       reserved
  35:27    src2  src   is c
  26:18    src1  src   is b
  17:9     src0  src   is a
  8:0      reserved
  syntax   d a b c
)";

struct Case {
  std::string name, amd;
  std::vector<std::string> order;                         ///< PTX operands in the order of the AMD slots
  std::vector<std::string> sources;                       ///< PTX operands
  std::vector<unsigned> widths;                           ///< their bits
  std::vector<std::pair<std::string, u64>> restrictions;  ///< operand and mask
  std::string result;                                     ///< format of the result
};

/// Bits of f32, u16, f16x2.
unsigned width_of(std::string_view format) {
  if (format == "mask") return 1;  // of a lane
  const std::size_t digit = format.find_first_of("0123456789");
  const unsigned bits = static_cast<unsigned>(std::stoul(std::string(format.substr(digit))));
  return format.find('x', digit) == std::string_view::npos ? bits : bits * 2;
}

/// The block as a family of the spec language, and what to compare it with.
Case case_of(const ReferenceBlock& block, unsigned opcode, std::string& spec) {
  Case out;
  out.name = block.name;
  spec += fmt::format("\nfamily ptx_{}\n  about    PTX.\n  ptx      none\n\n", opcode);
  const std::string takes = block.text("takes"), like = block.text("like");
  const auto words = split_words(takes);
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    spec += fmt::format("  {} {} {}\n", words[i], words[i] == "d" ? "out" : "in", words[i + 1]);
    if (words[i] == "d") {
      out.result = words[i + 1];
    } else {
      out.sources.emplace_back(words[i]);
      out.widths.push_back(width_of(words[i + 1]));
    }
  }
  spec += fmt::format("\n  {} rdna4\n      {}\n\n  exec lane\n", out.result == "mask" ? "PTXM" : "PTX", opcode);
  for (const ReferenceLine& line : block.lines) {
    if (line.word == "meaning") spec += fmt::format("    {}\n", line.rest);
    if (line.word != "when") continue;
    const auto when = split_words(line.rest);
    EXPECT_EQ(when.size(), 3u) << "when takes `OPERAND & MASK`";
    if (when.size() == 3) out.restrictions.emplace_back(when[0], std::stoull(std::string(when[2]), nullptr, 0));
  }
  const auto order = split_words(like);
  out.amd = order.front();
  for (std::size_t i = 1; i < order.size(); ++i) out.order.emplace_back(order[i]);
  return out;
}

/// The body on the newest generation that has the instruction.
core::Body amd_body(const std::string& mnemonic) {
  const Tables& all = tables();
  for (std::size_t c = all.chips.size(); c-- > 0;) {
    const ChipRow& chip = all.chips[c];
    for (u32 i = chip.first_name; i < chip.first_name + chip.name_count; ++i) {
      if (all.text(all.name_index[i].name) != mnemonic) continue;
      const u16 semantics = all.forms[all.name_index[i].form].semantics;
      if (semantics == no_semantics) break;
      const SemanticsRow& row = all.semantics[semantics];
      auto body = core::deserialise(all.tree_words.subspan(row.first_blob, row.blob_words));
      if (body) return std::move(*body);
    }
  }
  ADD_FAILURE() << mnemonic << " has no body";
  return {};
}

u32 slot_named(const core::Body& body, std::string_view name) {
  for (u32 i = 0; i < body.slots.size(); ++i) {
    if (body.slots[i].name == name) return i;
  }
  ADD_FAILURE() << "no slot " << name;
  return 0;
}

/// The result of a body on sources by slot name, `width` bits of it.
u64 result_of(const core::Body& body, const std::vector<std::pair<std::string, u64>>& sources, unsigned width) {
  core::Environment environment;
  environment.mode = 0x3f0;
  environment.slots.resize(body.slots.size());
  for (const auto& [name, value] : sources) environment.slots[slot_named(body, name)] = core::wide_value(value);
  EXPECT_TRUE(static_cast<bool>(core::run(body, environment)));
  const core::WideValue& result = environment.slots[slot_named(body, "d")];
  return static_cast<u64>(result[0]) & low_ones(width);
}

bool is_nan(u64 bits, unsigned width) {
  if (width == 64) return (bits & 0x7fffffffffffffff) > 0x7ff0000000000000;
  return width == 32 ? (bits & 0x7fffffff) > 0x7f800000 : (bits & 0x7fff) > 0x7c00;
}

/// Equal, or both a NaN: PTX gives one NaN, AMD the quieted operand.
bool agree(std::string_view format, u64 wanted, u64 given) {
  if (wanted == given) return true;
  if (format == "f16x2") {
    return agree("f16", wanted & 0xffff, given & 0xffff) && agree("f16", wanted >> 16, given >> 16);
  }
  return format.starts_with("f") && is_nan(wanted, width_of(format)) && is_nan(given, width_of(format));
}

void compare(const Case& c, const core::Body& ptx, const core::Body& amd, std::vector<u64> values) {
  std::vector<std::pair<std::string, u64>> to_ptx, to_amd;
  for (std::size_t i = 0; i < c.sources.size(); ++i) {
    values[i] &= low_ones(c.widths[i]);
    for (const auto& [operand, mask] : c.restrictions) {
      if (operand == c.sources[i]) values[i] &= mask;
    }
    to_ptx.emplace_back(c.sources[i], values[i]);
  }
  static constexpr std::string_view slots[] = {"a", "b", "c"};
  for (std::size_t i = 0; i < c.order.size(); ++i) {
    for (std::size_t s = 0; s < c.sources.size(); ++s) {
      if (c.sources[s] == c.order[i]) to_amd.emplace_back(slots[i], values[s]);
    }
  }
  const u64 wanted = result_of(ptx, to_ptx, width_of(c.result)), given = result_of(amd, to_amd, width_of(c.result));
  ASSERT_TRUE(agree(c.result, wanted, given))
      << c.name << " against " << c.amd
      << fmt::format(" on {:#x}: {:#x}, not {:#x}", fmt::join(values, ", "), given, wanted);
}

std::vector<u64> edges_of(unsigned width) {
  if (width == 1) return {0, 1};
  if (width == 64) {
    return {0,
            1,
            2,
            63,
            64,
            0x7fffffffffffffff,
            0x8000000000000000,
            ~u64{0},
            0xffffffff,
            0x100000000,
            1ull << 52,
            0x3ff0000000000000,
            0x7ff0000000000000,
            0x7ff8000000000000,
            0x7ff0000000000001,
            0x000fffffffffffff,
            0xc1e0000000000000,
            0x41efffffffe00000};
  }
  if (width == 16) {
    return {0,      1,      2,      15,     16,     0x7fff, 0x8000, 0x8001, 0xffff,
            0x3c00, 0x7bff, 0x7c00, 0x7e00, 0x7c01, 0x03ff, 0x0400, 0xbc00, 0xfc00};
  }
  return {0,          1,          2,          31,         32,         33,         255,        256,
          0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0x0000ffff, 0xffff0000, 0x00ffffff, 0x3f800000,
          0x7f800000, 0x7fc00000, 0x7f800001, 0x807fffff, 0x4f000000, 0xcf000000};
}

void compare_all(const Case& c, const core::Body& ptx) {
  const core::Body amd = amd_body(c.amd);
  const std::size_t count = c.sources.size();
  std::size_t combinations = 1;
  for (const unsigned width : c.widths) combinations *= edges_of(width).size();
  for (std::size_t n = 0; n < combinations && !testing::Test::HasFailure(); ++n) {
    std::vector<u64> values;
    std::size_t rest = n;
    for (std::size_t i = 0; i < count; ++i) {
      const auto edges = edges_of(c.widths[i]);
      values.push_back(edges[rest % edges.size()]);
      rest /= edges.size();
    }
    compare(c, ptx, amd, std::move(values));
  }
  std::mt19937_64 random(7);
  for (unsigned n = 0; n < random_inputs && !testing::Test::HasFailure(); ++n) {
    std::vector<u64> values(count);
    for (std::size_t i = 0; i < count; ++i) {
      values[i] = random() & low_ones(c.widths[i]);
      if (n % 2 != 0) values[i] >>= random() % c.widths[i];
    }
    compare(c, ptx, amd, std::move(values));
  }
}

TEST(Ptx, EqualOnesAreEqual) {
  std::string spec(encoding);
  std::vector<Case> cases;
  for (const ReferenceBlock& block : ptx_blocks()) {
    if (!block.text("like").empty()) cases.push_back(case_of(block, static_cast<unsigned>(cases.size()), spec));
  }
  ASSERT_GT(cases.size(), 100u);
  Sources sources;
  Diagnostics diagnostics(sources);
  std::vector<lang::File> files;
  for (const char* name : {"arch.isa", "types.isa", "operands.isa", "prelude.isa"}) {
    files.push_back(lang::parse(sources.add(name, read_spec(name)), sources, diagnostics));
  }
  files.push_back(lang::parse(sources.add("ptx.isa", spec), sources, diagnostics));
  ASSERT_FALSE(diagnostics.has_errors()) << diagnostics.text(false);
  const model::Isa isa = model::build_isa(files, sources, diagnostics);
  ASSERT_FALSE(diagnostics.has_errors()) << diagnostics.text(false);
  ASSERT_EQ(isa.instructions.size(), cases.size());
  for (const model::Instruction& instruction : isa.instructions) {
    ASSERT_EQ(instruction.semantics.size(), 1u);
    const std::size_t number = std::stoul(instruction.name.substr(instruction.name.find('_') + 1));
    compare_all(cases[number], instruction.semantics.front().body);
  }
}

// What is called equivalent and tested may not be denied by the spec; names of instructions in the data exist.
TEST(Ptx, EntriesSayWhatThereIs) {
  for (const PtxEntry& entry : ptx_entries()) {
    EXPECT_FALSE(entry.counterparts.empty() && entry.sequences.empty() && entry.none.empty() && entry.tested.empty())
        << entry.name;
  }
}

TEST(Ptx, NamesAreThoseOfPtx) {
  EXPECT_EQ(ptx_name("add.i32"), "add.s32");
  EXPECT_EQ(ptx_name("shfl.sync.idx.b32"), "shfl.sync.idx.b32");
  EXPECT_EQ(ptx_name("setp.nge.f32"), "setp.ltu.f32");
  EXPECT_EQ(ptx_name("setp.o.f16"), "setp.num.f16");
  EXPECT_EQ(ptx_name("setp.lt.i32"), "setp.lt.s32");
  EXPECT_EQ(ptx_name("setp.f.f32"), "mov.pred");
}

TEST(Ptx, BothDirections) {
  const auto entry = find_ptx("bfe.u32");
  ASSERT_TRUE(static_cast<bool>(entry));
  const auto has = [&](std::string_view name) {
    for (const PtxCounterpart& c : entry->counterparts) {
      if (c.mnemonic == name) return true;
    }
    return false;
  };
  EXPECT_TRUE(has("v_bfe_u32"));
  EXPECT_TRUE(has("s_bfe_u32"));
  const auto wrong = find_ptx("bfe.u33");
  ASSERT_FALSE(static_cast<bool>(wrong));
  EXPECT_NE(wrong.error().message.find("bfe.u32"), std::string::npos);
}

}  // namespace
}  // namespace gfxisa

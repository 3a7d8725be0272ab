#include "assembler/assemble.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/hex.h"

namespace gfxisa {
namespace {

struct Assembled {
  Sources sources;
  Diagnostics diagnostics{sources};
  Assembly assembly;
  Assembled(const char* target, const std::string& text, bool may_be_undefined = false) {
    const u32 source = sources.add("test.s", text);
    AssemblyOptions options;
    options.keeps_lines = true;
    options.may_be_undefined = may_be_undefined;
    assembly = assemble_file(target, source, sources, diagnostics, options);
  }
  const std::vector<AssembledLine>& lines() const { return assembly.lines; }
  const Instruction& instruction(std::size_t line) const {
    return assembly.instructions[assembly.lines[line].instruction];
  }
  std::string text() const { return diagnostics.text(); }
  /// The bytes of a section in hexadecimal.
  std::string bytes(std::string_view section) const {
    std::string out;
    for (const ObjectSection& candidate : assembly.object.sections) {
      if (candidate.name != section) continue;
      out += hex_of({reinterpret_cast<const u8*>(candidate.bytes.data()), candidate.bytes.size()});
    }
    return out;
  }
};

/// The bytes of .data after `text`; the errors when there are some.
std::string data(const std::string& text) {
  const Assembled code("gfx1100", ".data\n" + text + "\n");
  return code.diagnostics.has_errors() ? code.text() : code.bytes(".data");
}

/// The first words of the instructions, or the errors.
std::string words(const std::string& text) {
  const Assembled code("gfx1100", text + "\n");
  if (code.diagnostics.has_errors()) return code.text();
  std::string out;
  for (std::size_t i = 0; i < code.lines().size(); ++i) {
    char buffer[16];
    std::snprintf(buffer, sizeof buffer, "%s%08x", out.empty() ? "" : " ", code.instruction(i).words[0]);
    out += buffer;
  }
  return out;
}

std::string errors(const std::string& text, const char* target = "gfx1100") {
  return Assembled(target, text + "\n").text();
}
bool mentions(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

/// What is warned of in one line that is taken all the same.
std::string warning(const char* target, const std::string& text) {
  const Assembled code(target, text + "\n");
  EXPECT_FALSE(code.diagnostics.has_errors()) << code.text();
  EXPECT_EQ(code.lines().size(), 1U);
  return code.diagnostics.list().empty() ? "" : code.diagnostics.list()[0].message;
}

TEST(ScalarValues, AreLimitedByGeneration) {
  EXPECT_EQ(warning("gfx942", "v_add_f32_e64 v0, s0, s1"), "this reads 2 scalar values (s0, s1), and there may be 1");
  EXPECT_EQ(warning("gfx942", "v_fma_f32 v0, s0, v1, s0"), "");
  EXPECT_EQ(warning("gfx1100", "v_add_f32_e64 v0, s0, s1"), "");
  EXPECT_EQ(warning("gfx1100", "v_fma_f32 v0, s0, 0x12345678, m0"),
            "this reads 3 scalar values (s0, the literal, m0), and there may be 2");
  EXPECT_EQ(warning("gfx1100", "v_fma_f32 v0, s0, null, s2"), "");
  EXPECT_EQ(warning("gfx1100", "v_fma_f32 v0, s0, 1.0, s2"), "");
  EXPECT_EQ(warning("gfx1100", "s_add_u32 s0, s1, 0x12345678"), "");
}

TEST(ScalarValues, CountWhatNoOperandNames) {
  EXPECT_EQ(warning("gfx90a", "v_cndmask_b32_e32 v0, s0, v1, vcc"),
            "this reads 2 scalar values (s0, vcc), and there may be 1");
  EXPECT_EQ(warning("gfx1201", "v_div_fmas_f32 v0, s0, s1, v2"),
            "this reads 3 scalar values (s0, s1, vcc), and there may be 2");
  EXPECT_EQ(
      warning("gfx908", "v_add_f32_sdwa v0, s0, s1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD"),
      "this reads 2 scalar values (s0, s1), and there may be 1");
  EXPECT_EQ(warning("gfx1100", "v_dual_fmamk_f32 v0, s0, 0x12345678, v1 :: v_dual_fmaak_f32 v3, s1, v4, 0x12345678"),
            "this reads 3 scalar values (s0, the literal, s1), and there may be 2");
}

TEST(ScalarValues, CountByWidth) {
  EXPECT_EQ(warning("gfx1030", "v_fma_f64 v[0:1], 0x40200000, 0x40200000, s[2:3]"), "");
  EXPECT_EQ(warning("gfx1030", "v_mad_u64_u32 v[0:1], s4, s0, 0x12345678, 0x12345678"),
            "this reads 3 scalar values (s0, the literal, the literal), and there may be 2");
}

TEST(ScalarValues, FamiliesMaySayOtherwise) {
  EXPECT_EQ(warning("gfx1100", "v_lshlrev_b64 v[0:1], s0, s[2:3]"),
            "this reads 2 scalar values (s0, s[2:3]), and there may be 1");
  EXPECT_EQ(warning("gfx942", "v_writelane_b32 v1, s0, m0"), "");
  EXPECT_EQ(warning("gfx942", "v_writelane_b32 v1, s0, s2"), "this reads 2 scalar values (s0, s2), and there may be 1");
}

TEST(ScalarValues, AreWarnedOfInEachLine) {
  const Assembled code("gfx942", "v_add_f32_e64 v0, s0, s1\nv_add_f32_e64 v0, s0, s1\n");
  ASSERT_EQ(code.diagnostics.list().size(), 2U);
  EXPECT_EQ(code.diagnostics.list()[1].at.line, 2U);
  EXPECT_EQ(code.text().substr(0, 21), "test.s:1:1: warning: ");
}

TEST(Assembler, LabelsForwardsAndBackwards) {
  const Assembled code("rdna3",
                       "top: s_nop 0\n s_mov_b32 s0, 0x12345678\n s_cbranch_scc0 top\n s_branch end\n s_nop 1\nend:\n");
  EXPECT_FALSE(code.diagnostics.has_errors()) << code.text();
  ASSERT_EQ(code.lines().size(), 5u);
  EXPECT_EQ(code.lines()[2].offset, 12u);
  EXPECT_EQ(code.instruction(2).words[0] & 0xffff, 0xfffcu);
  EXPECT_EQ(code.instruction(3).words[0] & 0xffff, 1u);
}

TEST(Assembler, LocalLabels) {
  EXPECT_EQ(words("1: s_branch 1f\n1: s_branch 1b\ns_branch 1b\n"), "bfa00000 bfa0ffff bfa0fffe");
  EXPECT_TRUE(mentions(errors("s_branch 1b"), "no label '1:' before"));
  EXPECT_TRUE(mentions(errors("s_branch 1f"), "'1f' is not defined"));
}

TEST(Assembler, ErrorsPointAtTheirPlace) {
  const Assembled code("cdna5", "s_nop 0\ns_add_co_u32 s0, s[2:3], s1\ns_branch nowhere\n");
  EXPECT_EQ(code.lines().size(), 1u);
  EXPECT_TRUE(mentions(code.text(), "test.s:2:18: error: 's[2:3]' has 64 bits")) << code.text();
  EXPECT_TRUE(mentions(code.text(), "test.s:3:1: error: 'nowhere' is not defined")) << code.text();
}

TEST(Assembler, Data) {
  EXPECT_EQ(data(".byte 1, -1, 0xff, 'a'\n.short 0x1234\n.long 5"), "01ffff61341205000000");
  EXPECT_EQ(data(".quad -8 >> 1, 3 == 3, 2 && 4"), "fcffffffffffff7fffffffffffffffff0100000000000000");
  EXPECT_EQ(data(".ascii \"a\\tb\\101\\x41\", \"c\"\n.asciz \"x\""),
            "61096241416378"
            "00");
  EXPECT_EQ(data(".float 1.5\n.double 1e3"), "0000c03f0000000000408f40");
  EXPECT_EQ(data(".fill 2, 3, 0x1122\n.zero 2, 7\n.space 1"), "221100221100070700");
  EXPECT_EQ(data(".byte 1\n.balign 4, 0xaa\n.p2align 3,,2\n.org 6\n.byte 2"), "01aaaaaa000002");
  EXPECT_EQ(data(".uleb128 624485\n.sleb128 -123456"), "e58e26c0bb78");
  EXPECT_EQ(data("a: .long b - a, . - a\nb:"), "0800000004000000");
  EXPECT_EQ(data(".octa 0x112233445566778899aabbccddeeff00"), "00ffeeddccbbaa998877665544332211");
  EXPECT_TRUE(mentions(data(".byte 256"), "does not fit into 1 bytes"));
  EXPECT_TRUE(mentions(data(".byte 1 / 0"), "division by zero"));
  EXPECT_TRUE(mentions(data(".ascii \"\\q\""), "unknown character after"));
}

TEST(Assembler, Comments) {
  EXPECT_EQ(words("# all of it\ns_nop 1 ; end\ns_nop 2 // end\ns_nop /* in\nbetween */ 3\n"),
            "bf800001 bf800002 bf800003");
  EXPECT_EQ(data(".ascii \"; // /* #\"\n.byte ';'"), "3b202f2f202f2a20233b");
}

TEST(Assembler, Conditions) {
  EXPECT_EQ(data(".set n, 3\n.if n > 2\n.byte 1\n.else\n.byte 2\n.endif\n.ifdef n\n.byte 3\n.endif\n.ifndef n\n.byte "
                 "4\n.endif"),
            "0103");
  EXPECT_EQ(data(".if 0\n.if 1\n.byte 1\n.endif\n.elseif 1\n.byte 2\n.elseif 1\n.byte 3\n.else\n.byte 4\n.endif"),
            "02");
  EXPECT_EQ(data(".ifc a b, a b\n.byte 1\n.endif\n.ifeqs \"x\", \"y\"\n.byte 2\n.endif\n.ifb\n.byte 3\n.endif"),
            "0103");
  EXPECT_EQ(data("a:\n.byte 0\nb:\n.if b - a == 1\n.byte 7\n.endif"), "0007");
  EXPECT_TRUE(mentions(data(".if 1"), ".if without .endif"));
  EXPECT_TRUE(mentions(data(".endif"), ".endif without .if"));
  EXPECT_TRUE(mentions(data(".if later\n.endif\nlater = 1"), "must be known here"));
}

TEST(Assembler, Macros) {
  EXPECT_EQ(data(".macro m a, b=5, c:vararg\n.byte \\a, \\b\n.byte \\c\n.endm\nm 1\nm 1 2 3, 4\nm b=3, a=4"),
            "0105010203040403");
  EXPECT_EQ(data(".macro m n\n.if \\n\n.byte \\n\nm \\n-1\n.endif\n.endm\nm 3"), "030201");
  EXPECT_EQ(data(".macro m\nl\\@: .byte l\\@ - .\n.endm\nm\nm"), "0000");
  EXPECT_EQ(data(".macro m x\n.byte 1\n.if \\x\n.exitm\n.endif\n.byte 2\n.endm\nm 1\nm 0"), "010102");
  EXPECT_EQ(data(".rept 2\n.irp x, 1, 2\n.byte \\x\n.endr\n.endr\n.irpc c, 34\n.byte 0x\\c\\()0\n.endr"),
            "010201023040");
  EXPECT_TRUE(mentions(data(".macro m a:req\n.byte \\a\n.endm\nm"), "needs the parameter 'a'"));
  EXPECT_TRUE(mentions(data(".macro m\n.bite 1\n.endm\nm"), "in 'm' at line 5: '.bite 1'"));
  EXPECT_TRUE(mentions(data(".macro m\n"), ".macro without .endm"));
  EXPECT_TRUE(mentions(data(".macro m a\n.endm\nm 1, 2"), "'m' has 1 parameters"));
}

/// What was read often is known by its text. The places where the text is none of the source's statements stay so.
TEST(Assembler, KnownLines) {
  std::string known;
  for (int i = 0; i < 600; ++i) known += "s_nop 1\nv_mov_b32 v9, v1 ; a comment\n";
  const auto count = [&](const std::string& text) { return Assembled("gfx1100", known + text).lines().size() - 1200; };
  EXPECT_EQ(count("s_nop 1"), 1u);
  EXPECT_EQ(count("s_nop 1 // once\n  s_nop 1\ns_nop 1 \r\n"), 3u);
  EXPECT_EQ(count("/*\ns_nop 1\n*/ s_nop 1\n"), 1u);
  EXPECT_EQ(count(".if 0\ns_nop 1\n.else\ns_nop 1\ns_nop 1\n.endif\ns_nop 1\n"), 3u);
  EXPECT_EQ(count(".rept 4\ns_nop 1\n.endr\ns_nop 1\n"), 5u);
  EXPECT_EQ(count(".macro s_nop n\nv_nop\nv_nop\n.endm\ns_nop 1\n"), 2u);
  EXPECT_EQ(count(".end\ns_nop 1\n"), 0u);
  EXPECT_TRUE(mentions(errors(known + "s_nop 1\nwrong\n"), "test.s:1202:1: error")) << errors(known + "wrong\n");
  EXPECT_TRUE(mentions(errors(known + ".bss\ns_nop 1\n"), "test.s:1202:1: error: an instruction in a section"));
  // Registers of known lines count for what asks next.
  const Assembled code("gfx1100", known + "v_mov_b32 v9, v1\n.data\n.byte .amdgcn.next_free_vgpr\n");
  EXPECT_EQ(code.bytes(".data"), "0a");
}

TEST(Assembler, SymbolsMayBeDefinedLater) {
  EXPECT_EQ(words("s_mov_b32 s0, n\nn = 4\ns_mov_b32 s0, n"), "be8000ff be800084");
  EXPECT_EQ(data(".byte a\n.set a, b + 1\nb = 5"), "06");
  EXPECT_EQ(data(".set a, 1\n.byte a\n.set a, a + 1\n.byte a"), "0102");
  EXPECT_EQ(data(".byte max(1, later, 3), or(1, 6), alignto(5, 4)\nlater = 7"), "070708");
  EXPECT_TRUE(mentions(data(".byte a\na = b\nb = a"), "is defined by itself"));
  EXPECT_TRUE(mentions(errors("a:\na:"), "'a' is defined twice"));
}

TEST(Assembler, RegistersAreCounted) {
  EXPECT_EQ(data(".long .amdgcn.next_free_vgpr\n.text\nv_mov_b32 v7, s9\ns_mov_b64 s[20:21], 0\n.data\n.long "
                 ".amdgcn.next_free_vgpr, .amdgcn.next_free_sgpr, .amdgcn.gfx_generation_number"),
            "00000000"
            "08000000"
            "16000000"
            "0b000000");
}

TEST(Assembler, RelocationsOfAnObject) {
  const Assembled code("gfx1100", "s_add_u32 s0, s1, far@rel32@lo+4\n.data\n.quad far\n", true);
  EXPECT_FALSE(code.diagnostics.has_errors()) << code.text();
  ASSERT_EQ(code.assembly.object.sections.size(), 2u);
  const auto& relocations = code.assembly.object.sections[0].relocations;
  ASSERT_EQ(relocations.size(), 1u);
  EXPECT_EQ(relocations[0].offset, 4u);
  EXPECT_EQ(relocations[0].type, RelocationType::rel32_lo);
  EXPECT_EQ(relocations[0].addend, 4);
  EXPECT_EQ(code.assembly.object.sections[1].relocations[0].type, RelocationType::abs64);
  EXPECT_TRUE(mentions(errors(".data\n.quad far"), "'far' is not defined"));
  EXPECT_TRUE(mentions(Assembled("gfx1100", ".byte far\n", true).text(), "have no relocation"));
}

std::string kernel(const char* target, const std::string& lines) {
  const Assembled code(target, ".text\n.globl k\n.type k,@function\nk: s_endpgm\n.rodata\n.amdhsa_kernel k\n" + lines +
                                   "\n.end_amdhsa_kernel\n");
  return code.diagnostics.has_errors() ? code.text() : code.bytes(".rodata").substr(44 * 2);
}
constexpr const char* counts = ".amdhsa_next_free_vgpr 9\n.amdhsa_next_free_sgpr 20\n";

// Bytes 44 to 63 as llvm-mc 22 writes them.
TEST(Assembler, KernelDescriptors) {
  EXPECT_EQ(kernel("gfx908", counts),
            "00000000"
            "c200ac00"
            "80000000"
            "00000000"
            "00000000");
  EXPECT_EQ(kernel("gfx90a", std::string(counts) + ".amdhsa_accum_offset 8"),
            "01000000"
            "c100ac00"
            "80000000"
            "00000000"
            "00000000");
  EXPECT_EQ(kernel("gfx1100", counts),
            "00000000"
            "0100ace0"
            "80000000"
            "00040000"
            "00000000");
  EXPECT_EQ(kernel("gfx1250", counts),
            "00000000"
            "00000cc0"
            "80000000"
            "00040000"
            "00000000");
  EXPECT_TRUE(mentions(kernel("gfx1100", ""), ".amdhsa_next_free_vgpr is required"));
  EXPECT_TRUE(mentions(kernel("gfx90a", counts), ".amdhsa_accum_offset is required"));
  EXPECT_TRUE(
      mentions(kernel("gfx1201", std::string(counts) + ".amdhsa_ieee_mode 1"), "rdna4 has no .amdhsa_ieee_mode"));
  EXPECT_TRUE(mentions(kernel("gfx1100", std::string(counts) + ".amdhsa_float_round_mode_32 4"), "from 0 to 3"));
  EXPECT_TRUE(mentions(kernel("gfx1100", std::string(counts) + ".amdhsa_floot_round_mode_32 1"), "did you mean"));
  EXPECT_TRUE(mentions(kernel("gfx1100", std::string(counts) + ".amdhsa_next_free_vgpr 1"), "was given before"));
  EXPECT_TRUE(mentions(kernel("gfx1100", ".amdhsa_next_free_vgpr 513\n.amdhsa_next_free_sgpr 1"), "at most 512"));
  EXPECT_TRUE(
      mentions(kernel("gfx1100", std::string(counts) + ".amdhsa_user_sgpr_count 1\n.amdhsa_user_sgpr_queue_ptr 1"),
               "ask for 2 user registers"));
}

TEST(Assembler, Targets) {
  EXPECT_EQ(
      Assembled("cdna2", ".amdgcn_target \"amdgcn-amd-amdhsa--gfx90a:xnack+\"\n").assembly.object.target.elf_flags(),
      0x73fu);
  EXPECT_TRUE(
      mentions(errors(".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\""), "the source is for gfx942, not for gfx1100"));
  EXPECT_TRUE(mentions(errors(".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100:xnack+\""), "has no feature 'xnack'"));
  EXPECT_TRUE(mentions(errors(".amdgpu_pal_metadata"), "for graphics drivers"));
}

TEST(Assembler, MetadataIsChecked) {
  const std::string head = ".amdgpu_metadata\namdhsa.version: [1, 2]\namdhsa.kernels:\n";
  EXPECT_TRUE(mentions(errors(head + "  - .name: k\n.end_amdgpu_metadata"), "test.s:4"));
  EXPECT_TRUE(mentions(errors(head + "  - .name: k\n.end_amdgpu_metadata"), "a kernel needs .symbol"));
  EXPECT_TRUE(mentions(errors(".amdgpu_metadata\n- [\n.end_amdgpu_metadata"), "YAML"));
  EXPECT_TRUE(mentions(errors(".amdgpu_metadata\nx: 1"), ".end_amdgpu_metadata is missing"));
}

TEST(Assembler, NothingTakesForEver) {
  for (const std::string text :
       {".rept 1000000000\n\n.endr", ".rept 1000000000\n.byte 0\n.endr", ".rept 1000000000\n.set a, 1\n.endr",
        ".macro m\nm\nm\n.endm\nm", ".macro m\n.rept 100000\nm\n.endr\n.endm\nm", ".fill 1000000000000, 8, 1",
        ".space 0x7fffffffffffffff", ".p2align 63", ".org 0x7fffffffffffffff", ".zero 1 << 62, 1"}) {
    EXPECT_FALSE(errors(text).empty()) << text;
  }
  EXPECT_FALSE(errors(".data\n.byte " + std::string(100000, '(')).empty());
  EXPECT_FALSE(errors(".data\n.byte " + std::string(100000, '-') + "1").empty());
  std::string chain = "a0 = later + 1\n";
  for (int i = 1; i < 300; ++i)
    chain += "a" + std::to_string(i) + " = a" + std::to_string(i - 1) + " + a" + std::to_string(i - 1) + "\n";
  EXPECT_FALSE(errors(chain + ".long a299\nlater = 1").empty());
}

TEST(Assembler, AnyTextGivesAnAnswer) {
  for (const char* text : {"",
                           ":",
                           "::",
                           "a:b:c:",
                           ".",
                           "..",
                           ".set",
                           ".set a",
                           ".set a,",
                           "= 1",
                           "a =",
                           "\"",
                           "\"a\"",
                           "\"a\":",
                           ".section",
                           ".section ,",
                           ".section \"\"",
                           ".section a,\"q\"",
                           ".type",
                           ".size a",
                           ".comm a",
                           ".if",
                           ".macro",
                           ".irp",
                           ".irpc",
                           ".fill",
                           ".amdhsa_kernel",
                           ".amdhsa_kernel k\n.amdhsa_",
                           ".end",
                           "/*",
                           ".ascii \"",
                           ".ascii \"\\",
                           ".byte '",
                           ".popsection",
                           ".purgem x",
                           ".include \"x\"",
                           ".incbin \"x\"",
                           "s_branch .",
                           "1:",
                           "99999999999999999999:",
                           ".long 1f",
                           ".amdgpu_metadata\n.end_amdgpu_metadata"}) {
    (void)errors(text);
    (void)errors(std::string(".macro m x\n") + text + "\\x\n.endm\nm 1\nm");
  }
}

}  // namespace
}  // namespace gfxisa

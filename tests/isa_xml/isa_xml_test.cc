// AMD's machine-readable ISA compared with ours, on small files in its schema: one that agrees, one that is wrong in
// every way that is reported.
#include <gtest/gtest.h>
#include <zip.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "inst/instruction.h"
#include "isa_xml/compare.h"
#include "isa_xml/descriptions.h"
#include "isa_xml/document.h"
#include "isa_xml/files.h"
#include "isa_xml/names.h"

namespace gfxisa::isa_xml {
namespace {

const std::string cases = GFXISA_SOURCE_DIR "/tests/isa_xml/cases/";

std::string read_text(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

Comparison compare_case(const std::string& name) {
  const auto document = read_document(read_text(cases + name), name);
  EXPECT_TRUE(static_cast<bool>(document)) << (document ? "" : document.error().message);
  return compare(*document, static_cast<unsigned>(chip_of(*document)));
}

/// `KIND ENCODING INSTRUCTION ABOUT: XML / HERE` of all differences but what the small files leave out.
std::vector<std::string> lines_of(const Comparison& comparison) {
  std::vector<std::string> out;
  for (const Difference& d : comparison.differences) {
    if (d.kind == Kind::only_here || (d.kind == Kind::encoding && d.xml == "none")) continue;
    out.push_back(std::string(kind_word(d.kind)) + " " + d.encoding + " " + d.instruction + " " + d.about + ": " +
                  d.xml + " / " + d.here);
  }
  return out;
}

TEST(IsaXml, WhatAgreesIsNoDifference) {
  const Comparison found = compare_case("amdgpu_isa_rdna4.xml");
  EXPECT_EQ(found.chip, static_cast<unsigned>(find_chip("rdna4")));
  EXPECT_EQ(found.encodings, 4u);
  EXPECT_EQ(found.instructions, 4u);  // one of them by the alias that the XML gives
  EXPECT_EQ(found.operands, 15u);     // SCC of an addition with carry, which stands there twice, once
  EXPECT_EQ(lines_of(found), std::vector<std::string>());
  EXPECT_GT(found.counts()[static_cast<std::size_t>(Kind::only_here)], 50u);
}

// DPP's word has its own name for the source and eight selections, VCC has no field, immediates have parts.
TEST(IsaXml, WordsBehindAndPartsOfImmediates) {
  const Comparison found = compare_case("amdgpu_isa_rdna3.xml");
  EXPECT_EQ(found.encodings, 3u);
  EXPECT_EQ(found.instructions, 1u);
  EXPECT_EQ(found.operands, 4u);
  EXPECT_EQ(lines_of(found), std::vector<std::string>());
}

/// What is said of the file when a piece of it, at its first or a later place, is replaced.
std::vector<std::string> lines_with(const std::string& from, const std::string& to, std::size_t begin = 0) {
  std::string text = read_text(cases + "amdgpu_isa_rdna3.xml");
  const std::size_t at = text.find(from, begin);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  const auto document = read_document(text, "amdgpu_isa_rdna3.xml");
  EXPECT_TRUE(static_cast<bool>(document));
  return lines_of(compare(*document, static_cast<unsigned>(find_chip("rdna3"))));
}

TEST(IsaXml, EachWordBehindAndEachPartIsCompared) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(lines_with("<BitCount>3</BitCount><BitOffset>61<", "<BitCount>3</BitCount><BitOffset>59<"),
            Lines{"field VOP2_VOP_DPP8  LANE_SEL_7: [61:59] / [63:40]"});
  EXPECT_EQ(lines_with("LANE_SEL_7", "LANE_SELECT_7"), Lines{"field VOP2_VOP_DPP8  LANE_SELECT_7: [63:61] / none"});
  EXPECT_EQ(lines_with("<BitCount>8</BitCount><BitOffset>32<", "<BitCount>7</BitCount><BitOffset>32<"),
            Lines{"field VOP2_VOP_DPP8  VSRC0: [38:32] / [39:32]"});
  EXPECT_EQ(lines_with("<BitCount>1</BitCount><BitOffset>50<", "<BitCount>1</BitCount><BitOffset>49<"),
            Lines{"field VOP2_VOP_DPP16  FI: [49] / [50]"});
  EXPECT_EQ(lines_with("<FieldName>LGKM<", "<FieldName>LDS<"),
            (Lines{"field OPR_WAITCNT  LDS: [9:4] / none", "field OPR_WAITCNT  lgkmcnt: none / [9:4]"}));
  EXPECT_EQ(lines_with("<BitCount>6</BitCount><BitOffset>10<", "<BitCount>4</BitCount><BitOffset>10<"),
            Lines{"field OPR_WAITCNT  VM: [13:10] / [15:10]"});
  EXPECT_EQ(lines_with("<FieldName>VA_VCC<", "<FieldName>VA_VCC_LO<"),
            (Lines{"field OPR_WAIT_ALU  VA_VCC_LO: [1] / none", "field OPR_WAIT_ALU  depctr_va_vcc: none / [1]"}));
  EXPECT_EQ(lines_with("OPR_VCC", "OPR_PC"), Lines{"operand ENC_VOP2 v_cndmask_b32 pc: read / not touched"});
}

TEST(IsaXml, EverySortOfDifferenceIsReported) {
  const std::vector<std::string> expected = {
      "encoding ENC_SOP2  bits: 96 / 32",
      "identifier ENC_SOP2  : 0xc0000000 / 0x80000000 in the bits 0xc0000000",
      "field ENC_SOP2  SDST: [21:16] / [22:16]",
      "field ENC_SOP2  EXTRA: [7:0] / none",
      "field ENC_SOP2  ssrc0: none / [7:0]",
      "encoding ENC_SOP9  : 32 bits / none",
      "name ENC_SOP2 s_bfe_u32 : s_bfe_u32 / s_bfe_i32",
      "follows SOP2_INST_LITERAL s_bfe_u32 LITERAL: may follow / no such instruction",
      "name ENC_SOP2 s_frob_u32 : s_frob_u32 / s_add_co_u32",
      "only_xml ENC_SOP2 s_new_u32 : opcode 127 / none",
      "direction ENC_SOP2 s_and_b32 SDST: read and written / written",
      "size ENC_SOP2 s_and_b32 SDST: 64 / 32",
      "untyped ENC_SOP2 s_and_b32 SDST: FMT_NUM_F32 / b32",
      "untyped ENC_SOP2 s_and_b32 SSRC0: FMT_NUM_U16 / b32",
      "operand ENC_SOP2 s_and_b32 SDST2: written / not used",
      "operand ENC_SOP2 s_and_b32 ssrc1: not used / read",
      "operand ENC_SOP2 s_and_b32 scc: not touched / written",
      "follows SOP2_VOP_DPP8 s_and_b32 DPP8: may follow / may not",
  };
  const auto found = lines_of(compare_case("wrong_rdna4.xml"));
  for (const std::string& line : expected) EXPECT_NE(std::find(found.begin(), found.end(), line), found.end()) << line;
  const auto counts = compare_case("wrong_rdna4.xml").counts();
  EXPECT_EQ(counts[static_cast<std::size_t>(Kind::values)], 2u);
  EXPECT_EQ(counts[static_cast<std::size_t>(Kind::size)], 2u);
}

TEST(IsaXml, AnOpcodeElsewhereIsSaid) {
  std::string text = read_text(cases + "amdgpu_isa_rdna4.xml");
  const std::size_t at = text.find("<Opcode Radix=\"10\">38<");
  ASSERT_NE(at, std::string::npos);
  text.replace(at + 19, 2, "6f");
  text.replace(at + 15, 2, "16");
  const auto document = read_document(text, "x");
  ASSERT_TRUE(static_cast<bool>(document));
  const auto found = lines_of(compare(*document, static_cast<unsigned>(chip_of(*document))));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0], "opcode ENC_SOP2 s_bfe_u32 : 111 / 38");
}

// AMD's files repeat ways of encoding word for word.
TEST(IsaXml, AWayThatIsSaidTwiceIsComparedOnce) {
  std::string text = read_text(cases + "wrong_rdna4.xml");
  const auto once = read_document(text, "x");
  const std::size_t begin = text.find("<InstructionEncoding>");
  const std::string_view close = "</InstructionEncoding>";
  const std::size_t end = text.find(close, begin) + close.size();
  ASSERT_NE(begin, std::string::npos);
  text.insert(end, text.substr(begin, end - begin));
  const auto twice = read_document(text, "x");
  ASSERT_TRUE(once && twice);
  const auto chip = static_cast<unsigned>(chip_of(*once));
  EXPECT_EQ(lines_of(compare(*twice, chip)), lines_of(compare(*once, chip)));
  EXPECT_EQ(compare(*twice, chip).instructions, compare(*once, chip).instructions);
}

TEST(IsaXml, JsonHasCountsAndDifferences) {
  const auto json = nlohmann::json::parse(render_json({compare_case("wrong_rdna4.xml")}));
  ASSERT_EQ(json.size(), 1u);
  EXPECT_EQ(json[0]["arch"], "rdna4");
  EXPECT_EQ(json[0]["counts"]["name"], 2);
  u32 total = 0;
  for (const auto& [kind, count] : json[0]["counts"].items()) total += count.get<u32>();
  EXPECT_EQ(json[0]["differences"].size(), total);
}

TEST(IsaXml, WhatIsNoSuchFileIsAnErrorWithAPlace) {
  const auto cut = read_document("<Spec>\n  <ISA>", "cut.xml");
  ASSERT_FALSE(static_cast<bool>(cut));
  EXPECT_EQ(cut.error().message.substr(0, 10), "cut.xml:2:");
  EXPECT_FALSE(static_cast<bool>(read_document("", "empty.xml")));
  EXPECT_FALSE(static_cast<bool>(read_document("<Other/>", "other.xml")));
  const auto later =
      read_document("<Spec><Document><SchemaVersion>2.0</SchemaVersion></Document><ISA/></Spec>", "x.xml");
  ASSERT_FALSE(static_cast<bool>(later));
  EXPECT_NE(later.error().message.find("2.0"), std::string::npos);
  const auto unknown = read_document("<Spec><ISA/></Spec>", "x.xml");
  ASSERT_TRUE(static_cast<bool>(unknown));
  EXPECT_EQ(chip_of(*unknown), -1);
}

TEST(IsaXml, GenerationsAreToldApart) {
  Document document;
  for (const auto& [name, chip] : std::vector<std::pair<std::string, std::string>>{
           {"AMD RDNA 3", "rdna3"}, {"AMD RDNA 3.5", "rdna3.5"}, {"AMD CDNA 1", "cdna1"}, {"AMD CDNA 5", "cdna5"}}) {
    document.architecture = name;
    EXPECT_EQ(chip_of(document), find_chip(chip)) << name;
  }
  document.architecture = "";
  document.file = "amdgpu_isa_rdna3_5.xml";
  EXPECT_EQ(chip_of(document), find_chip("rdna3.5"));
}

TEST(IsaXml, NamesOfEncodings) {
  const auto text = [](std::string_view name) {
    const EncodingName found = encoding_name(name);
    return found.group + "+" + found.suffix;
  };
  EXPECT_EQ(text("ENC_SOP2"), "SOP2+");
  EXPECT_EQ(text("VOP3_SDST_ENC"), "VOP3SD+");
  EXPECT_EQ(text("VOP3_SDST_ENC_INST_LITERAL"), "VOP3SD+LITERAL");
  EXPECT_EQ(text("VOP2_VOP_SDWA_SDST_ENC"), "VOP2+SDWAB");
  EXPECT_EQ(text("VOP3_VOP_DPP16"), "VOP3+DPP16");
  EXPECT_EQ(text("ENC_FLAT_GLBL"), "GLOBAL+");
  EXPECT_TRUE(is_in_group("VOP3P_MFMA", "VOP3P"));
  EXPECT_FALSE(is_in_group("VOP3P", "VOP3"));
}

void add_to(zipFile zip, const char* name, const std::string& text) {
  ASSERT_EQ(zipOpenNewFileInZip(zip, name, nullptr, nullptr, 0, nullptr, 0, nullptr, Z_DEFLATED, Z_BEST_SPEED), ZIP_OK);
  ASSERT_EQ(zipWriteInFileInZip(zip, text.data(), static_cast<unsigned>(text.size())), ZIP_OK);
  ASSERT_EQ(zipCloseFileInZip(zip), ZIP_OK);
}

TEST(IsaXml, FolderArchiveAndDescriptions) {
  namespace fs = std::filesystem;
  const fs::path work = fs::temp_directory_path() / "gfxisa_isa_xml_test";
  fs::remove_all(work);
  fs::create_directories(work / "empty");
  const std::string archive = (work / "all.zip").string();
  const zipFile zip = zipOpen64(archive.c_str(), APPEND_STATUS_CREATE);
  ASSERT_NE(zip, nullptr);
  const std::string text = read_text(cases + "amdgpu_isa_rdna4.xml");
  add_to(zip, "inside/amdgpu_isa_rdna4.xml", text);
  add_to(zip, "readme.txt", "x");
  ASSERT_EQ(zipClose(zip, nullptr), ZIP_OK);
  for (const std::string& path : {cases, archive, cases + "amdgpu_isa_rdna4.xml"}) {
    unsigned files = 0;
    const auto done =
        for_each_file(path, [&](const std::string&, const std::string&) { return ++files, Result<bool>(true); });
    EXPECT_TRUE(static_cast<bool>(done)) << path;
    EXPECT_EQ(files, path == cases ? 3u : 1u) << path;
  }
  const auto chip = static_cast<unsigned>(find_chip("rdna4"));
  const auto words = official_description(archive, chip, "s_bfe_u32");
  ASSERT_TRUE(static_cast<bool>(words));
  EXPECT_EQ(*words, "Official words about a bit field.");
  EXPECT_EQ(*official_description(archive, chip, "s_add_co_u32"), "Official words about a sum.");
  EXPECT_EQ(*official_description(archive, chip, "s_or_b32"), "");
  EXPECT_EQ(*official_description(archive, static_cast<unsigned>(find_chip("rdna3")), "s_bfe_u32"), "");
  const auto nothing = [](const std::string&, const std::string&) { return Result<bool>(true); };
  EXPECT_FALSE(static_cast<bool>(for_each_file((work / "empty").string(), nothing)));
  EXPECT_FALSE(static_cast<bool>(for_each_file((work / "absent").string(), nothing)));
  fs::resize_file(archive, fs::file_size(archive) / 2);
  EXPECT_FALSE(static_cast<bool>(for_each_file(archive, nothing)));
  fs::remove_all(work);
}

}  // namespace
}  // namespace gfxisa::isa_xml

// What list, search and diff find.
#include "doc/catalogue.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "doc/diff.h"
#include "doc/page.h"
#include "doc/search.h"
#include "inst/instruction.h"

namespace gfxisa {
namespace {

std::vector<std::string> names(const std::vector<SearchHit>& hits) {
  std::vector<std::string> out;
  for (const SearchHit& hit : hits) out.push_back(hit.mnemonic);
  return out;
}

std::string first_of(std::string_view query) {
  const auto hits = search(query, -1, 1);
  return hits.empty() ? "" : hits.front().mnemonic;
}

TEST(Search, FindsByWordsInAnyOrder) {
  EXPECT_EQ(first_of("bfe scalar"), "s_bfe_u32");
  EXPECT_EQ(first_of("scalar bfe"), "s_bfe_u32");
  EXPECT_EQ(first_of("S_BFE_U32"), "s_bfe_u32");
  EXPECT_EQ(first_of("v_add_f32"), "v_add_f32");
}

TEST(Search, ForgivesTypingMistakes) {
  EXPECT_EQ(first_of("bfe scaler"), "s_bfe_u32");
  EXPECT_EQ(first_of("bitfeild scalar bfe"), "s_bfe_u32");
  EXPECT_NE(first_of("barier"), "");
}

TEST(Search, NamesBeforeTexts) {
  for (const std::string& name : names(search("barrier signal", -1, 3)))
    EXPECT_NE(name.find("barrier"), name.npos) << name;
}

TEST(Search, OldNamesFindTheInstruction) { EXPECT_EQ(first_of("global_load_dword"), "global_load_b32"); }

TEST(Search, NothingOfNothing) {
  EXPECT_TRUE(search("", -1, 5).empty());
  EXPECT_TRUE(search("!!", -1, 5).empty());
  EXPECT_TRUE(search("zzzzqqqq", -1, 5).empty());
}

TEST(Search, OfOneGeneration) {
  const unsigned rdna3 = static_cast<unsigned>(find_chip("rdna3"));
  for (const SearchHit& hit : search("split barrier signal", static_cast<int>(rdna3), 50)) EXPECT_EQ(hit.chip, rdna3);
}

TEST(List, FiltersMeetEachOther) {
  Filter filter;
  filter.chip = find_chip("rdna4");
  filter.encoding = "sop2";
  filter.format = "u64";
  filter.registers = "sgpr";
  const auto entries = list_entries(filter);
  ASSERT_FALSE(entries.empty());
  for (const Entry& entry : entries) {
    EXPECT_EQ(tables().text(tables().encodings[tables().forms[entry.form].encoding].name), "SOP2");
  }
  filter.name = "s_bfe_*";
  EXPECT_EQ(list_entries(filter).size(), 1u);
}

TEST(List, WordsThatNothingHasAreErrors) {
  Filter filter;
  filter.encoding = "SOP9";
  const auto known = check_filter(filter);
  ASSERT_FALSE(known);
  EXPECT_NE(known.error().hint.find("SOP2"), std::string::npos);
  filter.encoding.clear();
  filter.category = "scalar bit";
  EXPECT_TRUE(static_cast<bool>(check_filter(filter)));
}

TEST(Diff, NothingChangesFromAGenerationToItself) {
  for (unsigned chip = 0; chip < tables().chips.size(); ++chip) {
    const Diff diff = diff_chips(chip, chip);
    EXPECT_TRUE(diff.added.empty() && diff.removed.empty() && diff.renamed.empty() && diff.encoded.empty() &&
                diff.operands.empty() && diff.semantics.empty());
    EXPECT_GT(diff.same, 0u);
  }
}

TEST(Diff, AddedOneWayIsRemovedTheOther) {
  const unsigned a = static_cast<unsigned>(find_chip("rdna3")), b = static_cast<unsigned>(find_chip("rdna4"));
  const Diff there = diff_chips(a, b), back = diff_chips(b, a);
  EXPECT_EQ(there.added.size(), back.removed.size());
  EXPECT_EQ(there.removed.size(), back.added.size());
  EXPECT_EQ(there.renamed.size(), back.renamed.size());
  const auto has = [](const std::vector<DiffItem>& items, std::string_view name) {
    return std::any_of(items.begin(), items.end(), [&](const DiffItem& item) { return item.mnemonic == name; });
  };
  EXPECT_TRUE(has(there.added, "s_barrier_signal"));
  EXPECT_TRUE(has(there.removed, "s_barrier"));
  const auto json = nlohmann::json::parse(render_json(there));
  EXPECT_EQ(json["added"].size(), there.added.size());
}

TEST(Diff, OneInstructionSideBySide) {
  const unsigned a = static_cast<unsigned>(find_chip("cdna3")), b = static_cast<unsigned>(find_chip("cdna5"));
  const auto text = diff_text("s_bfe_u32", a, b, 100);
  ASSERT_TRUE(static_cast<bool>(text));
  EXPECT_NE(text->find("0x92800000"), std::string::npos);
  EXPECT_NE(text->find("0x93000000"), std::string::npos);
  const auto json = diff_json("s_bfe_u32", a, b);
  ASSERT_TRUE(static_cast<bool>(json));
  EXPECT_EQ(nlohmann::json::parse(*json)["to"]["encodings"][0]["opcode"], 38);
  EXPECT_FALSE(static_cast<bool>(diff_text("s_bfe_u33", a, b, 100)));
}

}  // namespace
}  // namespace gfxisa

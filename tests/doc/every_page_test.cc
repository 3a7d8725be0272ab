// Walks every instruction of every generation: no part of its page is missing or empty.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "doc/embedded.h"
#include "doc/page.h"
#include "doc/reference_text.h"
#include "doc/run_example.h"
#include "inst/instruction.h"
#include "text/assemble.h"

namespace gfxisa {
namespace {

std::set<std::string> mnemonics_of(unsigned chip) {
  const Tables& all = tables();
  const ChipRow& row = all.chips[chip];
  std::set<std::string> out;
  for (u32 i = row.first_form; i < row.first_form + row.form_count; ++i) out.emplace(all.text(all.forms[i].mnemonic));
  return out;
}

void check_layout(const std::string& where, const std::vector<PageField>& fields, unsigned bits) {
  unsigned expected = bits;
  for (const PageField& field : fields) {
    EXPECT_EQ(field.high + 1, expected) << where << ": a gap or an overlap above bit " << field.high;
    expected = field.low;
    if (field.kind == PageField::Kind::field) {
      EXPECT_NE(field.name, "") << where;
    }
    if (field.kind == PageField::Kind::fixed) {
      EXPECT_EQ(field.bits.size(), field.high - field.low + 1) << where;
    }
  }
  EXPECT_EQ(expected, 0u) << where;
}

void check_encoding(const std::string& where, const PageEncoding& encoding, unsigned chip) {
  EXPECT_NE(encoding.name, "") << where;
  EXPECT_NE(encoding.title, "") << where << " " << encoding.name << " has no title";
  EXPECT_NE(encoding.identifier, "") << where;
  check_layout(where + " " + encoding.name, encoding.fields, encoding.bits);
  for (const PageOperand& operand : encoding.operands) {
    EXPECT_NE(operand.name, "") << where;
    EXPECT_NE(operand.field, "") << where;
    EXPECT_NE(operand.access, "") << where;
    EXPECT_NE(operand.format, "") << where;
  }
  for (const PageSuffix& suffix : encoding.suffixes) {
    EXPECT_NE(suffix.title, "") << where << " " << suffix.name;
    EXPECT_NE(suffix.selected_by, "") << where << " " << suffix.name;
    check_layout(where + " " + suffix.name, suffix.fields, suffix.bits);
  }
  EXPECT_GT(encoding.bits, 0u) << where;
  // A number of addresses that is never, or only ever, in these words leaves some of them without a text of their own.
  const bool may_lack = encoding.name.starts_with("MIMG_NSA");
  if (may_lack && encoding.example.empty()) return;
  EXPECT_NE(encoding.example, "") << where << " has no example in " << encoding.name;
  const auto made = assemble_line(chip, encoding.example);
  EXPECT_TRUE(static_cast<bool>(made)) << where << ": " << encoding.example;
  for (const PageSuffix& suffix : encoding.suffixes) {
    if (suffix.example.empty()) continue;
    EXPECT_TRUE(static_cast<bool>(assemble_line(chip, suffix.example))) << where << ": " << suffix.example;
  }
}

/// Every other generation is spoken of once: it has the instruction alike, otherwise (and how), or not at all.
void check_elsewhere(const std::string& where, const Page& page) {
  EXPECT_EQ(page.elsewhere.size() + 1, tables().chips.size()) << where;
  for (const PageElsewhere& other : page.elsewhere) {
    EXPECT_NE(other.chip, "") << where;
    EXPECT_EQ(other.exists && !other.same, !other.differences.empty()) << where << " on " << other.chip;
  }
}

void check_targets(const std::string& where, const Page& page, unsigned chip) {
  std::set<std::string> named;
  bool has_own = false;
  for (const auto& [target, has] : page.targets) {
    named.insert(target);
    has_own = has_own || (has && find_chip(target) == static_cast<int>(chip));
  }
  EXPECT_TRUE(has_own) << where << ": no target of its generation has it";
  for (const ChipRow& row : tables().chips) {
    for (u32 i = 0; i < row.target_count; ++i)
      EXPECT_TRUE(named.count(std::string(tables().text(tables().texts[row.first_target + i])))) << where;
  }
}

void check_page(const std::string& where, const Page& page, unsigned chip) {
  EXPECT_NE(page.summary, "") << where;
  EXPECT_NE(page.description, "") << where << " has no description";
  EXPECT_FALSE(page.related.empty()) << where << " has no related instruction";
  EXPECT_NE(page.category, "") << where << " has no category";
  EXPECT_NE(page.family, "") << where;
  EXPECT_FALSE(page.behaviour.empty()) << where;
  EXPECT_FALSE(page.reads.empty()) << where;
  EXPECT_FALSE(page.writes.empty()) << where;
  EXPECT_NE(page.counter, "") << where;
  EXPECT_NE(page.fidelity, "") << where;
  EXPECT_FALSE(page.ptx.empty()) << where << " does not say what PTX has";
  for (const PagePtx& ptx : page.ptx) {
    const bool needs_reason = ptx.relation == "partial" || ptx.relation == "equivalent with restrictions";
    EXPECT_TRUE(!needs_reason || !ptx.why.empty()) << where << ": " << ptx.name << " without a reason";
  }
  EXPECT_GE(page.sources.size(), 2u) << where;
  for (const std::string& source : page.sources) EXPECT_NE(source, "") << where;
  check_elsewhere(where, page);
  check_targets(where, page, chip);
  EXPECT_NE(page.fidelity == "not executable" ? page.fidelity_why : page.semantics, "") << where;
  EXPECT_TRUE(page.run.why_not.empty() != page.run.after.empty()) << where;
  EXPECT_EQ(page.run.why_not.find("no general example"), std::string::npos) << where;
  // Where the example's memory lies differs from run to run, and so must not show.
  EXPECT_EQ(page.run.why_not.find("access to memory"), std::string::npos) << where << ": " << page.run.why_not;
  ASSERT_FALSE(page.encodings.empty()) << where;
  for (const PageEncoding& encoding : page.encodings) check_encoding(where, encoding, chip);
}

/// What the page says came out comes out again, in memory that lies elsewhere.
void check_run(const std::string& where, const Page& page, unsigned chip) {
  if (!page.run.why_not.empty()) return;
  const auto instruction = assemble_line(chip, page.run.program);
  ASSERT_TRUE(static_cast<bool>(instruction)) << where << ": " << page.run.program;
  const PageRun again = run_example(chip, page.run.program, instruction->row());
  EXPECT_EQ(page.run.after, again.after) << where;
  EXPECT_EQ(page.run.before, again.before) << where;
}

TEST(EveryPage, HasEveryPart) {
  unsigned pages = 0, run = 0, with_example = 0;
  for (unsigned chip = 0; chip < tables().chips.size(); ++chip) {
    for (const std::string& mnemonic : mnemonics_of(chip)) {
      const auto found = make_pages(mnemonic, static_cast<int>(chip));
      const std::string where = mnemonic + " on " + std::string(tables().text(tables().chips[chip].name));
      ASSERT_TRUE(static_cast<bool>(found)) << where;
      for (const Page& page : *found) {
        check_page(where, page, chip);
        check_run(where, page, chip);
        ++pages;
        run += page.run.why_not.empty();
        with_example += !page.encodings.front().example.empty();
      }
    }
  }
  RecordProperty("pages", static_cast<int>(pages));
  printf("%u pages, %u with an example, %u with an executed one\n", pages, with_example, run);
}

// Each form stands on some page: nothing that the decoder knows is hidden.
TEST(EveryPage, ShowsEveryForm) {
  const Tables& all = tables();
  for (unsigned chip = 0; chip < all.chips.size(); ++chip) {
    std::size_t shown = 0;
    for (const std::string& mnemonic : mnemonics_of(chip)) {
      const auto found = make_pages(mnemonic, static_cast<int>(chip));
      ASSERT_TRUE(static_cast<bool>(found));
      for (const Page& page : *found) shown += page.encodings.size();
    }
    EXPECT_EQ(shown, all.chips[chip].form_count) << all.text(all.chips[chip].name);
  }
}

TEST(Page, KnownRun) {
  const auto page = make_page("s_bfe_u32", find_chip("cdna5"));
  ASSERT_TRUE(static_cast<bool>(page));
  ASSERT_EQ(page->run.why_not, "");
  // s1 = 0x12345678, s2 = 0x00080004: eight bits from bit 4.
  ASSERT_EQ(page->run.after.size(), 2u);
  EXPECT_EQ(page->run.after[0].second, "0x00000067");
  EXPECT_EQ(page->run.after[1].second, "1");
}

TEST(Page, Counters) {
  const auto counter = [](const char* mnemonic, const char* chip) {
    const auto page = make_page(mnemonic, find_chip(chip));
    return page ? page->counter.substr(0, page->counter.find(';')) : std::string("no page");
  };
  EXPECT_EQ(counter("global_load_b32", "cdna3"), "vmcnt");
  EXPECT_EQ(counter("global_store_b32", "cdna3"), "vmcnt");
  EXPECT_EQ(counter("global_store_b32", "rdna2"), "vscnt");
  EXPECT_EQ(counter("global_load_b32", "rdna4"), "loadcnt");
  EXPECT_EQ(counter("ds_load_b32", "rdna3"), "lgkmcnt");
  EXPECT_EQ(counter("ds_load_b32", "rdna4"), "dscnt");
  EXPECT_EQ(counter("s_load_b32", "cdna5").substr(0, 5), "kmcnt");
  EXPECT_EQ(counter("global_load_async_to_lds_b32", "cdna5").substr(0, 8), "asynccnt");
  EXPECT_EQ(counter("v_add_f32", "rdna4").substr(0, 4), "none");
}

// Names in data/counters.ref are names: sets of generations, encodings, instructions, and counters that something waits
// for.
TEST(Counters, NamesExist) {
  const Tables& all = tables();
  const auto blocks = parse_reference(embedded_text(embedded_data(), "counters.ref"));
  ASSERT_GT(blocks.size(), 10u);
  for (const ReferenceBlock& block : blocks) {
    std::string_view unknown;
    chips_of_set(block.set, &unknown);
    EXPECT_EQ(unknown, "") << block.name;
    EXPECT_NE(block.text("about"), "") << block.name;
    EXPECT_NE(block.text("wait"), "") << block.name;
    for (const ReferenceLine& line : block.lines) {
      const bool known = line.word == "about" || line.word == "wait" || line.word == "all" || line.word == "loads" ||
                         line.word == "stores" || line.word == "named" || line.word == "except";
      EXPECT_TRUE(known) << line.number << ": " << line.word;
    }
    const std::string waits = block.text("wait");
    for (const std::string_view wait : split_words(waits)) {
      bool found = false;
      for (const NameRow& row : all.name_index) found = found || all.text(row.name) == wait;
      EXPECT_TRUE(found) << wait;
    }
  }
}

}  // namespace
}  // namespace gfxisa

// Walks every instruction of every generation: no part of its page is missing or empty.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "codec/decode.h"
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

/// Whether an instruction was assembled with a word of this kind behind it.
bool has_suffix(const Instruction& made, std::string_view name) {
  return made.has_suffix() && tables().text(tables().encodings[made.suffix].name) == name;
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
  EXPECT_NE(encoding.example.empty(), encoding.example_why_not.empty())
      << where << " in " << encoding.name << " needs either an example or a reason";
  if (!encoding.example.empty()) {
    const auto made = assemble_line(chip, encoding.example);
    ASSERT_TRUE(static_cast<bool>(made)) << where << ": " << encoding.example;
    const auto second = second_of(*made);
    const bool is_second = second && tables().text(second->encoding().name) == encoding.name;
    EXPECT_TRUE(is_second || tables().text(made->encoding().name) == encoding.name)
        << where << ": " << encoding.example << " is no " << encoding.name;
  }
  for (const PageSuffix& suffix : encoding.suffixes) {
    EXPECT_NE(suffix.example.empty(), suffix.example_why_not.empty()) << where << " with " << suffix.name;
    if (suffix.example.empty()) continue;
    const auto made = assemble_line(chip, suffix.example);
    ASSERT_TRUE(static_cast<bool>(made)) << where << ": " << suffix.example;
    EXPECT_TRUE(has_suffix(*made, suffix.name)) << where << ": " << suffix.example << " has no " << suffix.name;
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
        with_example += std::any_of(page.encodings.begin(), page.encodings.end(),
                                    [](const PageEncoding& e) { return !e.example.empty(); });
      }
    }
  }
  EXPECT_EQ(with_example, pages);
  RecordProperty("pages", static_cast<int>(pages));
  printf("%u pages, %u with an example, %u with an executed one\n", pages, with_example, run);
}

/// What is left when one part of a page is taken away.
struct Damage {
  const char* part;
  void (*apply)(Page&);
};

PageEncoding& first(Page& page) { return page.encodings.front(); }

constexpr Damage damages[] = {
    {"summary", [](Page& page) { page.summary.clear(); }},
    {"description", [](Page& page) { page.description.clear(); }},
    {"related", [](Page& page) { page.related.clear(); }},
    {"category", [](Page& page) { page.category.clear(); }},
    {"family", [](Page& page) { page.family.clear(); }},
    {"behaviour", [](Page& page) { page.behaviour.clear(); }},
    {"reads", [](Page& page) { page.reads.clear(); }},
    {"writes", [](Page& page) { page.writes.clear(); }},
    {"counter", [](Page& page) { page.counter.clear(); }},
    {"fidelity", [](Page& page) { page.fidelity.clear(); }},
    {"semantics", [](Page& page) { page.semantics.clear(); }},
    {"ptx", [](Page& page) { page.ptx.clear(); }},
    {"reason of ptx",
     [](Page& page) {
       page.ptx = {{"add.f32", "partial", ""}};
     }},
    {"sources", [](Page& page) { page.sources.clear(); }},
    {"a source", [](Page& page) { page.sources.back().clear(); }},
    {"a generation", [](Page& page) { page.elsewhere.pop_back(); }},
    {"a difference", [](Page& page) { page.elsewhere.front().differences.clear(); }},
    {"a target", [](Page& page) { page.targets.pop_back(); }},
    {"results", [](Page& page) { page.run.after.clear(); }},
    {"a result", [](Page& page) { page.run.after.front().second += "0"; }},
    {"encodings", [](Page& page) { page.encodings.clear(); }},
    {"title", [](Page& page) { first(page).title.clear(); }},
    {"identifier", [](Page& page) { first(page).identifier.clear(); }},
    {"width", [](Page& page) { first(page).bits = 0; }},
    {"a field", [](Page& page) { first(page).fields.pop_back(); }},
    {"a field's name", [](Page& page) { first(page).fields.back().name.clear(); }},
    {"an operand's name", [](Page& page) { first(page).operands.front().name.clear(); }},
    {"an operand's field", [](Page& page) { first(page).operands.front().field.clear(); }},
    {"an operand's access", [](Page& page) { first(page).operands.front().access.clear(); }},
    {"an operand's format", [](Page& page) { first(page).operands.front().format.clear(); }},
    {"example", [](Page& page) { first(page).example.clear(); }},
    {"an example that assembles", [](Page& page) { first(page).example += " nonsense"; }},
    {"an example of its own", [](Page& page) { first(page).example = page.encodings[1].example; }},
    {"a suffix's title", [](Page& page) { first(page).suffixes.front().title.clear(); }},
    {"a suffix's choice", [](Page& page) { first(page).suffixes.front().selected_by.clear(); }},
    {"a suffix's field", [](Page& page) { first(page).suffixes.front().fields.pop_back(); }},
    {"a suffix's example", [](Page& page) { first(page).suffixes.front().example.clear(); }},
    {"a suffix in its example", [](Page& page) { first(page).suffixes.front().example = first(page).example; }},
};

unsigned failures_of(const Page& page, unsigned chip) {
  testing::TestPartResultArray results;
  {
    testing::ScopedFakeTestPartResultReporter reporter(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
    check_page("v_add_f32", page, chip);
    check_run("v_add_f32", page, chip);
  }
  return static_cast<unsigned>(results.size());
}

// The checks above notice each part that a page lacks.
TEST(EveryPage, AMissingPartIsFound) {
  const auto chip = static_cast<unsigned>(find_chip("rdna4"));
  const auto page = make_page("v_add_f32", static_cast<int>(chip));
  ASSERT_TRUE(static_cast<bool>(page));
  EXPECT_EQ(failures_of(*page, chip), 0u);
  for (const Damage& damage : damages) {
    Page damaged = *page;
    damage.apply(damaged);
    EXPECT_GT(failures_of(damaged, chip), 0u) << "without " << damage.part;
  }
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

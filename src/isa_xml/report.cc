#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "inst/tables.h"
#include "isa_xml/compare.h"

namespace gfxisa::isa_xml {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kind_count = static_cast<std::size_t>(Kind::count);

struct KindText {
  std::string_view word, title;
};
constexpr std::array<KindText, kind_count> kinds = {{
    {"encoding", "Encodings that one side has not, or in another size"},
    {"identifier", "Bits that select an encoding"},
    {"field", "Fields of encodings, parts of immediates"},
    {"only_xml", "Instructions in the XML alone"},
    {"only_here", "Instructions here alone"},
    {"name", "Names"},
    {"opcode", "Opcodes"},
    {"follows", "Words that may follow: literals, DPP, SDWA"},
    {"operand", "Operands that one side has not"},
    {"direction", "Operands read or written"},
    {"size", "Sizes of operands"},
    {"format", "Data formats of operands"},
    {"untyped", "Data formats of which one side gives only the width"},
    {"values", "Values that types of operands take"},
}};

std::string place_text(const Difference& d) {
  std::string out = d.encoding;
  if (d.opcode >= 0) out += fmt::format(" {}", d.opcode);
  if (!d.instruction.empty()) out += " " + d.instruction;
  if (!d.about.empty()) out += ", " + d.about;
  return out;
}

std::string chip_name(unsigned chip) { return std::string(tables().text(tables().chips[chip].name)); }

}  // namespace

std::string_view kind_word(Kind kind) { return kinds[static_cast<std::size_t>(kind)].word; }
std::string_view kind_title(Kind kind) { return kinds[static_cast<std::size_t>(kind)].title; }

std::string render_text(const Comparison& comparison, bool counts_alone) {
  std::string out = fmt::format(
      "{}: {} ({}), schema {}, of {}\n  {} encodings, {} instructions in their encodings, {} operands compared: {} "
      "differences\n",
      comparison.file, comparison.architecture, chip_name(comparison.chip),
      comparison.schema.empty() ? "unknown" : comparison.schema, comparison.date.empty() ? "no date" : comparison.date,
      comparison.encodings, comparison.instructions, comparison.operands, comparison.differences.size());
  const auto counts = comparison.counts();
  for (std::size_t k = 0; k < kind_count; ++k)
    fmt::format_to(std::back_inserter(out), "  {:>6}  {}\n", counts[k], kinds[k].title);
  for (std::size_t k = 0; k < kind_count && !counts_alone; ++k) {
    if (counts[k] == 0) continue;
    fmt::format_to(std::back_inserter(out), "\n{}\n", kinds[k].title);
    for (const Difference& d : comparison.differences) {
      if (static_cast<std::size_t>(d.kind) == k)
        fmt::format_to(std::back_inserter(out), "  {}: XML {}; here {}\n", place_text(d), d.xml, d.here);
    }
  }
  return out;
}

std::string render_json(const std::vector<Comparison>& comparisons) {
  Json out = Json::array();
  for (const Comparison& comparison : comparisons) {
    Json file{{"file", comparison.file},
              {"architecture", comparison.architecture},
              {"arch", chip_name(comparison.chip)},
              {"schema", comparison.schema},
              {"date", comparison.date},
              {"compared",
               {{"encodings", comparison.encodings},
                {"instructions", comparison.instructions},
                {"operands", comparison.operands}}},
              {"counts", Json::object()},
              {"differences", Json::array()}};
    const auto counts = comparison.counts();
    for (std::size_t k = 0; k < kind_count; ++k) file["counts"][std::string(kinds[k].word)] = counts[k];
    for (const Difference& d : comparison.differences) {
      Json row{{"kind", kind_word(d.kind)}, {"encoding", d.encoding}};
      if (!d.instruction.empty()) row["instruction"] = d.instruction;
      if (d.opcode >= 0) row["opcode"] = d.opcode;
      if (!d.about.empty()) row["about"] = d.about;
      row["xml"] = d.xml;
      row["here"] = d.here;
      file["differences"].push_back(std::move(row));
    }
    out.push_back(std::move(file));
  }
  // A name in the file may be any bytes.
  return out.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gfxisa::isa_xml

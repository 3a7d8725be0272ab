#include <nlohmann/json.hpp>

#include "doc/page.h"

namespace gfxisa {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const PageField& field) {
  Json out{{"high", field.high}, {"low", field.low}};
  switch (field.kind) {
    case PageField::Kind::fixed:
      out["fixed"] = field.bits;
      if (!field.name.empty()) out["name"] = field.name;
      break;
    case PageField::Kind::unassigned:
      out["unassigned"] = true;
      break;
    case PageField::Kind::field:
      out["name"] = field.name;
      break;
  }
  return out;
}

Json json_of(const PageOperand& o) {
  return {{"name", o.name},     {"field", o.field}, {"access", o.access}, {"kind", o.kind},
          {"format", o.format}, {"size", o.size},   {"note", o.note}};
}

Json json_of(const PageSuffix& s) {
  Json out{
      {"name", s.name}, {"title", s.title}, {"selected_by", s.selected_by}, {"bits", s.bits}, {"example", s.example}};
  if (!s.example_why_not.empty()) out["example_why_not"] = s.example_why_not;
  out["fields"] = Json::array();
  for (const PageField& field : s.fields) out["fields"].push_back(json_of(field));
  return out;
}

Json json_of(const PageRun& run) {
  if (!run.why_not.empty()) return {{"why_not", run.why_not}};
  Json out{{"program", run.program}, {"before", Json::object()}, {"after", Json::object()}};
  for (const auto& [place, value] : run.before) out["before"][place] = value;
  for (const auto& [place, value] : run.after) out["after"][place] = value;
  return out;
}

Json json_of(const PageEncoding& e) {
  Json out{{"format", e.name},          {"title", e.title},           {"bits", e.bits},
           {"opcode", e.opcode},        {"identifier", e.identifier}, {"fields", Json::array()},
           {"operands", Json::array()}, {"example", e.example},       {"address", e.address}};
  if (!e.example_why_not.empty()) out["example_why_not"] = e.example_why_not;
  for (const PageField& field : e.fields) out["fields"].push_back(json_of(field));
  for (const PageOperand& operand : e.operands) out["operands"].push_back(json_of(operand));
  out["modifiers"] = e.modifiers;
  out["suffixes"] = Json::array();
  for (const PageSuffix& suffix : e.suffixes) out["suffixes"].push_back(json_of(suffix));
  return out;
}

Json json_of(const PageElsewhere& e) {
  return {{"generation", e.chip},
          {"exists", e.exists},
          {"same", e.same},
          {"mnemonic", e.mnemonic},
          {"differences", e.differences}};
}

Json json_of(const Page& page) {
  Json out{{"mnemonic", page.mnemonic},      {"generation", page.chip_title}, {"arch", page.chip},
           {"family", page.family},          {"category", page.category},     {"summary", page.summary},
           {"description", page.description}};
  if (!page.official.empty()) out["official_description"] = page.official;
  for (const PageEncoding& e : page.encodings) out["encodings"].push_back(json_of(e));
  for (const PageElsewhere& e : page.elsewhere) out["other_generations"].push_back(json_of(e));
  for (const auto& [target, has] : page.targets) out["targets"][target] = has;
  out["notes"] = page.notes;
  out["open"] = page.open_points;
  out["behaviour"] = page.behaviour;
  out["reads"] = page.reads;
  out["writes"] = page.writes;
  out["wait_counter"] = page.counter;
  out["executed_example"] = json_of(page.run);
  out["semantics"] = {{"text", page.semantics}, {"runs", page.semantics_kind}};
  out["fidelity"] = {{"level", page.fidelity}, {"why", page.fidelity_why}};
  out["ptx"] = Json::array();
  for (const PagePtx& p : page.ptx) out["ptx"].push_back({{"name", p.name}, {"relation", p.relation}, {"why", p.why}});
  out["related"] = page.related;
  out["aliases"] = page.aliases;
  out["sources"] = page.sources;
  return out;
}

}  // namespace

std::string render_json(const Page& page) { return json_of(page).dump(2) + '\n'; }

std::string render_json(const std::vector<Page>& pages) {
  Json out = json_of(pages.front());
  for (std::size_t i = 1; i < pages.size(); ++i) out["variants"].push_back(json_of(pages[i]));
  return out.dump(2) + '\n';
}

}  // namespace gfxisa

#include "isa_xml/names.h"

#include <algorithm>
#include <map>

#include "doc/embedded.h"
#include "doc/reference_text.h"

namespace gfxisa::isa_xml {
namespace {

struct Names {
  std::map<std::string, ReferenceBlock> encodings, suffixes, fields, formats, registers, immediates;
};

const Names& names() {
  static const Names known = [] {
    Names out;
    for (ReferenceBlock& block : parse_reference(embedded_text(embedded_data(), "isa_xml.ref"))) {
      auto& kind = block.kind == "encoding"    ? out.encodings
                   : block.kind == "suffix"    ? out.suffixes
                   : block.kind == "field"     ? out.fields
                   : block.kind == "format"    ? out.formats
                   : block.kind == "immediate" ? out.immediates
                                               : out.registers;
      std::string name(block.name);
      kind.emplace(std::move(name), std::move(block));
    }
    return out;
  }();
  return known;
}

std::string ours(const std::map<std::string, ReferenceBlock>& kind, const std::string& name, std::string_view word) {
  const auto found = kind.find(name);
  return found == kind.end() ? std::string() : found->second.text(word);
}

std::string field_key(std::string_view name) {
  std::string out = lower_case(name);
  out.erase(std::remove(out.begin(), out.end(), '_'), out.end());
  return out;
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

EncodingName encoding_name(std::string_view official) {
  EncodingName out;
  // The longest: VOP_SDWA_SDST_ENC ends in what VOP3_SDST_ENC ends in.
  std::size_t length = 0;
  for (const auto& [suffix, block] : names().suffixes) {
    if (suffix.size() <= length || official.size() <= suffix.size() + 1 || !official.ends_with("_" + suffix)) continue;
    length = suffix.size();
    out.suffix = block.text("is");
  }
  std::string base(official.substr(0, length == 0 ? official.size() : official.size() - length - 1));
  if (base.starts_with("ENC_")) base.erase(0, 4);
  out.group = ours(names().encodings, base, "is");
  if (out.group.empty()) out.group = base;
  out.written_for = ours(names().encodings, base, "written");
  out.written_now = ours(names().encodings, base, "here");
  return out;
}

bool is_in_group(std::string_view encoding, std::string_view group) {
  return encoding.starts_with(group) && (encoding.size() == group.size() || encoding[group.size()] == '_');
}

std::string official_field_key(std::string_view name) {
  std::string other = ours(names().fields, std::string(name), "is");
  if (other.empty()) other = ours(names().fields, std::string(name), "part");
  return field_key(other.empty() ? name : std::string_view(other));
}

std::string our_field_key(std::string_view name) {
  std::string upper(name);
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return official_field_key(upper);
}

int place_in_field(std::string_view name) {
  const std::string at = ours(names().fields, std::string(name), "at");
  return at.empty() ? -1 : std::stoi(at);
}

std::vector<std::string> format_names(std::string_view official) {
  std::vector<std::string> out;
  if (const auto found = names().formats.find(std::string(official)); found != names().formats.end()) {
    const std::string list = found->second.text("is");
    for (const std::string_view name : split_words(list)) out.emplace_back(name);
    return out;
  }
  constexpr std::string_view number = "FMT_NUM_";
  if (!official.starts_with(number)) return out;
  const std::string rest = lower_case(official.substr(number.size()));
  if (!rest.starts_with("pk")) return {rest};
  // PK2_F16: two of them.
  const std::size_t line = rest.find('_');
  if (line == std::string::npos) return out;
  return {rest.substr(line + 1) + "x" + rest.substr(2, line - 2)};
}

std::string immediate_table(std::string_view type) { return ours(names().immediates, std::string(type), "is"); }

std::string immediate_part_key(std::string_view name) {
  std::string out = field_key(name);
  if (out.starts_with("depctr")) out.erase(0, 6);
  if (out.ends_with("cnt")) out.resize(out.size() - 3);
  return out;
}

std::string implied_register(std::string_view type) { return ours(names().registers, std::string(type), "is"); }

}  // namespace gfxisa::isa_xml

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <pugixml.hpp>

#include "inst/instruction.h"
#include "isa_xml/document.h"

namespace gfxisa::isa_xml {
namespace {

std::string text_of(const pugi::xml_node& node, const char* child) {
  std::string_view text = node.child_value(child);
  while (!text.empty() && (text.front() == ' ' || text.front() == '\n' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n' || text.back() == '\t')) text.remove_suffix(1);
  return std::string(text);
}

unsigned radix_of(const pugi::xml_node& node) {
  const unsigned radix = node.attribute("Radix").as_uint(10);
  return radix == 2 || radix == 16 ? radix : 10;
}

unsigned digit_of(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  return c >= 'A' && c <= 'F' ? static_cast<unsigned>(c - 'A') + 10 : 16;
}

Word word_of(const pugi::xml_node& node) {
  const unsigned radix = radix_of(node);
  unsigned __int128 value = 0;
  for (const char c : std::string_view(node.child_value())) {
    const unsigned digit = digit_of(c);
    if (digit < radix) value = value * radix + digit;
  }
  return {static_cast<u64>(value), static_cast<u64>(value >> 64)};
}

u32 number_of(const pugi::xml_node& node) { return static_cast<u32>(word_of(node).low); }

bool is_true(const pugi::xml_attribute& attribute) {
  const std::string_view text = attribute.value();
  return text == "true" || text == "TRUE" || text == "True" || text == "1";
}

Field read_field(const pugi::xml_node& node) {
  Field field{text_of(node, "FieldName"), {}};
  std::vector<std::pair<unsigned, Range>> ranges;
  for (const pugi::xml_node& range : node.child("BitLayout").children("Range")) {
    ranges.push_back({range.attribute("Order").as_uint(),
                      {number_of(range.child("BitOffset")), number_of(range.child("BitCount"))}});
  }
  std::sort(ranges.begin(), ranges.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [order, range] : ranges) field.ranges.push_back(range);
  return field;
}

Encoding read_encoding(const pugi::xml_node& node) {
  Encoding out;
  out.name = text_of(node, "EncodingName");
  out.bits = number_of(node.child("BitCount"));
  out.mask = word_of(node.child("EncodingIdentifierMask"));
  for (const pugi::xml_node& identifier : node.child("EncodingIdentifiers").children("EncodingIdentifier"))
    out.identifiers.push_back(word_of(identifier));
  for (const pugi::xml_node& field : node.child("MicrocodeFormat").child("BitMap").children("Field"))
    out.fields.push_back(read_field(field));
  return out;
}

Operand read_operand(const pugi::xml_node& node) {
  Operand out;
  out.field = text_of(node, "FieldName");
  out.format = text_of(node, "DataFormatName");
  out.type = text_of(node, "OperandType");
  out.bits = number_of(node.child("OperandSize"));
  out.is_read = is_true(node.attribute("Input"));
  out.is_written = is_true(node.attribute("Output"));
  out.is_implicit = is_true(node.attribute("IsImplicit"));
  return out;
}

Instruction read_instruction(const pugi::xml_node& node) {
  Instruction out;
  out.name = text_of(node, "InstructionName");
  out.description = text_of(node, "Description");
  for (const pugi::xml_node& alias : node.child("AliasedInstructionNames").children("InstructionName"))
    out.aliases.emplace_back(alias.child_value());
  for (const pugi::xml_node& encoding : node.child("InstructionEncodings").children("InstructionEncoding")) {
    InstructionEncoding way;
    way.encoding = text_of(encoding, "EncodingName");
    way.condition = text_of(encoding, "EncodingCondition");
    way.opcode = number_of(encoding.child("Opcode"));
    for (const pugi::xml_node& operand : encoding.child("Operands").children("Operand"))
      way.operands.push_back(read_operand(operand));
    out.encodings.push_back(std::move(way));
  }
  return out;
}

OperandType read_type(const pugi::xml_node& node) {
  OperandType out{text_of(node, "OperandTypeName"), {}, {}};
  for (const pugi::xml_node& value : node.child("OperandPredefinedValues").children("PredefinedValue"))
    out.values.push_back(number_of(value.child("Value")));
  for (const pugi::xml_node& field : node.child("MicrocodeFormat").child("BitMap").children("Field"))
    out.parts.push_back(read_field(field));
  std::sort(out.values.begin(), out.values.end());
  out.values.erase(std::unique(out.values.begin(), out.values.end()), out.values.end());
  return out;
}

/// Line and column of a byte of `text`, from 1.
std::pair<std::size_t, std::size_t> place_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return {static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1, offset - start + 1};
}

/// Letters and digits alone, in lower case: `AMD RDNA 3.5` and `amdgpu_isa_rdna3_5.xml` share `rdna35`.
std::string squeezed(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c >= 'A' && c <= 'Z') out += static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) out += c;
  }
  return out;
}

}  // namespace

Result<Document> read_document(std::string_view text, std::string file) {
  pugi::xml_document xml;
  const pugi::xml_parse_result parsed = xml.load_buffer(text.data(), text.size());
  if (!parsed) {
    const auto [line, column] = place_of(text, std::min(static_cast<std::size_t>(parsed.offset), text.size()));
    return Error{fmt::format("{}:{}:{}: not XML: {}", file, line, column, parsed.description()), ""};
  }
  const pugi::xml_node spec = xml.child("Spec"), isa = spec.child("ISA");
  if (!isa) {
    return Error{fmt::format("{}: no instruction set: there is no <Spec> with an <ISA> in it", file),
                 "the files are those of AMD's machine-readable ISA from gpuopen.com/machine-readable-isa"};
  }
  Document out;
  out.file = std::move(file);
  out.schema = text_of(spec.child("Document"), "SchemaVersion");
  out.date = text_of(spec.child("Document"), "ReleaseDate");
  out.architecture = text_of(isa.child("Architecture"), "ArchitectureName");
  const bool is_known = out.schema.empty() || out.schema.starts_with("1.0") || out.schema.starts_with("1.1") ||
                        out.schema.starts_with("1.2");
  if (!is_known) {
    return Error{fmt::format("{}: version {} of the schema is not known here", out.file, out.schema),
                 "versions 1.0 to 1.2 are"};
  }
  for (const pugi::xml_node& node : isa.child("Encodings").children("Encoding"))
    out.encodings.push_back(read_encoding(node));
  for (const pugi::xml_node& node : isa.child("Instructions").children("Instruction"))
    out.instructions.push_back(read_instruction(node));
  for (const pugi::xml_node& node : isa.child("OperandTypes").children("OperandType"))
    out.types.push_back(read_type(node));
  return out;
}

int chip_of(const Document& document) {
  // The longest name wins: RDNA 3.5 has RDNA 3 in it.
  for (const std::string& text : {squeezed(document.architecture), squeezed(document.file)}) {
    int found = -1;
    std::size_t length = 0;
    for (unsigned chip = 0; chip < tables().chips.size(); ++chip) {
      const std::string name = squeezed(tables().text(tables().chips[chip].name));
      if (text.find(name) == std::string::npos || name.size() <= length) continue;
      found = static_cast<int>(chip);
      length = name.size();
    }
    if (found >= 0) return found;
  }
  return -1;
}

}  // namespace gfxisa::isa_xml

#include "cli/dis_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/hex.h"
#include "query/describe.h"

namespace gfxisa::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t flush_at = std::size_t{1} << 16;
constexpr u64 word_bytes = 4;

std::string_view fault_name(DecodeFault fault) {
  switch (fault) {
    case DecodeFault::none:
      return "none";
    case DecodeFault::truncated:
      return "truncated";
    case DecodeFault::unknown_encoding:
      return "unknown_encoding";
    case DecodeFault::unknown_opcode:
      return "unknown_opcode";
    case DecodeFault::bad_operand:
      return "bad_operand";
    case DecodeFault::bad_suffix:
      return "bad_suffix";
  }
  return "";
}

std::string_view access_name(u8 access) {
  static constexpr std::string_view names[] = {"none", "read", "write", "read_write"};
  return names[access & 3];
}

std::string_view class_name(u8 cls) {
  static constexpr std::string_view names[] = {"none", "sgpr", "vgpr", "agpr", "ttmp", "special"};
  return cls < std::size(names) ? names[cls] : "none";
}

std::string_view kind_name(u8 kind) {
  static constexpr std::string_view names[] = {"register", "constant", "literal", "immediate"};
  return kind < std::size(names) ? names[kind] : "";
}

std::string_view role_name(u8 role) {
  static constexpr std::string_view names[] = {"constant", "opcode", "unused", "operand", "modifier"};
  return role < std::size(names) ? names[role] : "";
}

std::string_view fidelity_name(u8 fidelity) {
  static constexpr std::string_view names[] = {"exact", "approximate", "none"};
  return fidelity < std::size(names) ? names[fidelity] : "";
}

Json text_or_null(const char* text) { return text == nullptr ? Json() : Json(text); }

Json modifiers_of(const gfxisa_operand& operand) {
  Json list = Json::array();
  if (operand.is_negated != 0) list.push_back("neg");
  if (operand.is_absolute != 0) list.push_back("abs");
  if (operand.is_sign_extended != 0) list.push_back("sext");
  if (operand.is_high_half != 0) list.push_back("high_half");
  return list;
}

Json operand_json(const gfxisa_operand& operand) {
  Json json = {{"role", operand.role},
               {"field", text_or_null(operand.field)},
               {"type", operand.type},
               {"kind", kind_name(operand.kind)},
               {"access", access_name(operand.access)},
               {"bits", operand.bits},
               {"implicit", operand.is_implicit != 0}};
  if (operand.kind == GFXISA_REGISTER) {
    json["class"] = class_name(operand.register_class);
    if (operand.register_class == GFXISA_SPECIAL) json["name"] = operand.name;
    json["first"] = operand.first;
    json["count"] = operand.count;
  } else if (operand.kind == GFXISA_IMMEDIATE) {
    json["value"] = static_cast<i64>(operand.value);
  } else {
    json["value"] = fmt::format("{:#x}", operand.value);
  }
  json["modifiers"] = modifiers_of(operand);
  return json;
}

Json field_json(const gfxisa_field& field) {
  return {{"name", field.name},   {"role", role_name(field.role)},  {"low", field.low},
          {"width", field.width}, {"suffix", field.in_suffix != 0}, {"value", field.value}};
}

void put_details(Json& json, const gfxisa_details& details) {
  json["mnemonic"] = details.mnemonic;
  json["name"] = details.name;
  json["encoding"] = details.encoding;
  json["opcode"] = details.opcode;
  json["suffix"] = text_or_null(details.suffix);
  json["category"] = details.category;
  json["fidelity"] = fidelity_name(details.fidelity);
  json["operands"] = Json::array();
  for (u32 i = 0; i < details.operand_count; ++i) json["operands"].push_back(operand_json(details.operands[i]));
  json["fields"] = Json::array();
  for (u32 i = 0; i < details.field_count; ++i) json["fields"].push_back(field_json(details.fields[i]));
  Json reads = Json::array(), writes = Json::array();
  for (u32 i = 0; i < details.implicit_count; ++i) {
    if ((details.implicit[i].access & GFXISA_READ) != 0) reads.push_back(details.implicit[i].name);
    if ((details.implicit[i].access & GFXISA_WRITE) != 0) writes.push_back(details.implicit[i].name);
  }
  json["implicit_reads"] = reads;
  json["implicit_writes"] = writes;
}

Json record_head(std::span<const u8> bytes, const RecordPlace& place) {
  Json json = {{"address", place.address}, {"size", bytes.size()}, {"bytes", hex_of(bytes)}};
  if (!place.entry.empty()) json["entry"] = place.entry;
  if (!place.section.empty()) json["section"] = place.section;
  for (const CodeLabel& label : place.labels) json["labels"].push_back(label.name);
  return json;
}

void append_line(std::string& out, const Json& json) {
  // Names in a file may be any bytes; JSON is UTF-8.
  out += json.dump(-1, ' ', false, Json::error_handler_t::replace);
  out += '\n';
}

void append_data(std::string& out, std::span<const u8> bytes, const RecordPlace& place) {
  Json json = record_head(bytes, place);
  json["kind"] = "data";
  append_line(out, json);
}

}  // namespace

void append_invalid(std::string& out, std::span<const u8> bytes, const RecordPlace& place, std::string_view fault,
                    std::string_view reason) {
  Json json = record_head(bytes, place);
  json["kind"] = "invalid";
  json["fault"] = fault;
  json["reason"] = reason;
  append_line(out, json);
}

void append_record(std::string& out, const Decoded& decoded, std::span<const u8> bytes, const RecordPlace& place,
                   const TextOptions& options) {
  if (!decoded) return append_invalid(out, bytes, place, fault_name(decoded.fault), describe_fault(decoded));
  const Instruction& instruction = decoded.instruction;
  gfxisa_details details;
  describe(instruction, options, details);
  const std::string text = to_text(instruction, options);
  Json json = record_head(bytes, place);
  json["kind"] = "instruction";
  json["text"] = text;
  put_details(json, details);
  if (details.is_branch != 0) json["branch_target"] = place.address + static_cast<u64>(details.branch_distance);
  if (const std::optional<Instruction> second = second_of(instruction)) {
    describe(*second, options, details);
    put_details(json["second"], details);
  }
  const std::string why = not_canonical(instruction, text, options);
  json["canonical"] = why.empty();
  if (!why.empty()) json["not_canonical"] = why;
  append_line(out, json);
}

void write_records(const CodeRange& range, const RecordPlace& place, const TextOptions& options, const TextSink& sink) {
  std::string out;
  std::size_t next = 0;
  RecordPlace here = place;
  for (const CodePart& part : parts_of(range)) {
    u64 at = part.start;
    while (at < part.end) {
      const std::size_t first = next;
      while (next < range.labels.size() && range.labels[next].offset <= at) ++next;
      here.labels = std::span(range.labels).subspan(first, next - first);
      here.address = place.address + at;
      const u64 left = part.end - at;
      u64 size = left;
      if (part.is_data) {
        append_data(out, range.bytes.subspan(at, size), here);
      } else {
        const Decoded decoded = decode(range.chip, range.bytes.subspan(at, left), options.wave_size);
        size = decoded ? decoded.instruction.size : std::min(word_bytes, left);
        append_record(out, decoded, range.bytes.subspan(at, size), here, options);
      }
      at += size;
      if (out.size() > flush_at) sink(out), out.clear();
    }
  }
  sink(out);
}

}  // namespace gfxisa::cli

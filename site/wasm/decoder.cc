// The live decoder: the library behind two functions that take and give text, compiled to WebAssembly.
#include <emscripten.h>
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "gfxisa/gfxisa.h"

namespace {

std::string quoted(const char* text) {
  std::string out = "\"";
  for (const char* c = text == nullptr ? "" : text; *c != '\0'; ++c) {
    if (*c == '"' || *c == '\\') out += '\\';
    out += static_cast<unsigned char>(*c) < 0x20 ? ' ' : *c;
  }
  return out + '"';
}

std::string fields_json(const gfxisa_details& details) {
  std::string out;
  for (unsigned i = 0; i < details.field_count; ++i) {
    const gfxisa_field& field = details.fields[i];
    out += fmt::format("{}{{\"name\":{},\"value\":\"{}\",\"low\":{},\"width\":{},\"suffix\":{},\"role\":{}}}", i == 0 ? "" : ",",
                       quoted(field.name), field.value, field.low, field.width, field.in_suffix, field.role);
  }
  return out;
}

std::string instruction_json(const gfxisa_instruction& instruction) {
  char text[512] = {};
  gfxisa_format(&instruction, nullptr, text, sizeof text);
  static gfxisa_details details;
  gfxisa_describe(&instruction, nullptr, &details);
  std::string words;
  for (unsigned i = 0; i < instruction.size / 4u; ++i) words += fmt::format("{}\"{:08x}\"", i == 0 ? "" : ",", instruction.words[i]);
  return fmt::format("{{\"text\":{},\"words\":[{}],\"name\":{},\"encoding\":{},\"title\":{},\"suffix\":{},\"opcode\":{},\"summary\":{},"
                     "\"fields\":[{}]}}",
                     quoted(text), words, quoted(details.name), quoted(details.encoding), quoted(details.encoding_title),
                     quoted(details.suffix), details.opcode, quoted(details.summary), fields_json(details));
}

std::string error_json(std::string_view message, std::string_view hint = {}) {
  return fmt::format("{{\"error\":{},\"hint\":{}}}", quoted(std::string(message).c_str()), quoted(std::string(hint).c_str()));
}

std::string answer;

}  // namespace

extern "C" {

/// JSON of the instructions in `size` bytes, one after the other.
EMSCRIPTEN_KEEPALIVE const char* decode_bytes(const char* isa, const unsigned char* bytes, unsigned size) {
  const int number = gfxisa_find_isa(isa);
  answer = "[";
  for (unsigned at = 0; number >= 0 && at < size;) {
    gfxisa_instruction instruction;
    const gfxisa_status status = gfxisa_decode(static_cast<unsigned>(number), bytes + at, size - at, &instruction);
    if (at != 0) answer += ',';
    answer += status == 0 ? instruction_json(instruction) : error_json(gfxisa_status_text(status));
    if (instruction.size == 0) break;
    at += instruction.size;
  }
  answer += ']';
  return answer.c_str();
}

/// JSON of one line of assembly.
EMSCRIPTEN_KEEPALIVE const char* assemble_text(const char* isa, const char* text) {
  const int number = gfxisa_find_isa(isa);
  gfxisa_instruction instruction;
  gfxisa_error error = {};
  const std::string_view line(text);
  const gfxisa_status status =
      gfxisa_assemble(number < 0 ? 0 : static_cast<unsigned>(number), line.data(), line.size(), nullptr, &instruction, &error);
  answer = status == 0 ? instruction_json(instruction) : error_json(error.message, error.hint);
  return answer.c_str();
}
}

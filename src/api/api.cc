#include <algorithm>
#include <cstring>
#include <new>

#include "codec/decode.h"
#include "codec/encode.h"
#include "gfxisa/gfxisa.h"
#include "inst/registers.h"
#include "query/describe.h"
#include "text/assemble.h"
#include "text/listing.h"
#include "text/mnemonic.h"

namespace {

using namespace gfxisa;

static_assert(sizeof(gfxisa_instruction::words) == sizeof(Instruction::words), "the words of an instruction");

gfxisa_status status_of(DecodeFault fault) {
  switch (fault) {
    case DecodeFault::none:
      return GFXISA_OK;
    case DecodeFault::truncated:
      return GFXISA_TRUNCATED;
    case DecodeFault::unknown_encoding:
      return GFXISA_UNKNOWN_ENCODING;
    case DecodeFault::unknown_opcode:
      return GFXISA_UNKNOWN_OPCODE;
    case DecodeFault::bad_operand:
      return GFXISA_BAD_OPERAND;
    case DecodeFault::bad_suffix:
      return GFXISA_BAD_SUFFIX;
  }
  return GFXISA_UNKNOWN_ENCODING;
}

void put(const Instruction& from, gfxisa_instruction& out) {
  std::memcpy(out.words, from.words.data(), sizeof out.words);
  out.form = from.form;
  out.suffix = from.suffix;
  out.suffix_word = from.suffix_word;
  out.size = from.size;
  out.isa = from.chip;
  std::memset(out.reserved, 0, sizeof out.reserved);
}

/// False for what no function of the library made: its numbers would lead outside the tables.
bool take(const gfxisa_instruction* from, Instruction& out) {
  const Tables& all = tables();
  if (from == nullptr || from->isa >= all.chips.size()) return false;
  const ChipRow& chip = all.chips[from->isa];
  if (from->form - chip.first_form >= chip.form_count) return false;
  const u32 suffix = static_cast<u32>(from->suffix) - chip.first_encoding;
  if (from->suffix != no_suffix && (suffix >= chip.encoding_count || !all.encodings[from->suffix].is_suffix))
    return false;
  std::memcpy(out.words.data(), from->words, sizeof from->words);
  out.form = from->form;
  out.suffix = from->suffix;
  out.suffix_word = from->suffix_word;
  out.size = from->size;
  out.chip = from->isa;
  return out.size <= sizeof from->words && out.suffix_word < max_words;
}

bool is_wave_size(unsigned size) { return size == 0 || size == 32 || size == 64; }

bool take(const gfxisa_options* from, TextOptions& out) {
  if (from == nullptr) return true;
  out.wave_size = from->wave_size;
  return is_wave_size(from->wave_size);
}

/// As snprintf: as much as fits, with a NUL; the length of all of it.
std::size_t copy_text(std::string_view text, char* buffer, std::size_t capacity) {
  if (buffer == nullptr || capacity == 0) return text.size();
  const std::size_t count = std::min(text.size(), capacity - 1);
  std::memcpy(buffer, text.data(), count);
  buffer[count] = '\0';
  return text.size();
}

gfxisa_status refuse(const Error& error, std::size_t column, gfxisa_error* out) {
  if (out == nullptr) return GFXISA_REFUSED;
  out->column = static_cast<u32>(column);
  copy_text(error.message, out->message, sizeof out->message);
  copy_text(error.hint, out->hint, sizeof out->hint);
  return GFXISA_REFUSED;
}

/// Runs what may allocate; running out of memory is a status, too.
template <class Work>
gfxisa_status guarded(const Work& work) noexcept {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return GFXISA_NO_MEMORY;
  }
}

bool has_chip(unsigned isa) { return isa < tables().chips.size(); }

OperandInput input_of(const gfxisa_operand_value& value) {
  switch (value.kind) {
    case GFXISA_VALUE_CODE:
      return OperandInput::code(static_cast<u32>(value.value));
    case GFXISA_VALUE_CONSTANT:
      return OperandInput::constant(value.value);
    case GFXISA_VALUE_LITERAL:
      return OperandInput::literal(value.value);
    case GFXISA_VALUE_IMMEDIATE:
      return OperandInput::immediate(static_cast<i64>(value.value));
  }
  return OperandInput::none();
}

/// Number of the form's operand with this role; -1 when it has none.
int operand_named(const FormRow& form, std::string_view role) {
  const Tables& all = tables();
  for (unsigned i = 0; i < form.operand_count; ++i) {
    const OperandRow& operand = all.operands[form.first_operand + i];
    if (all.text(all.slots[all.instructions[form.instruction].first_slot + operand.slot].name) == role)
      return static_cast<int>(i);
  }
  return -1;
}

gfxisa_status encode_values(u32 form, const char* suffix, std::span<const gfxisa_operand_value> operands,
                            std::span<const gfxisa_field_value> fields, gfxisa_instruction& out, gfxisa_error* error) {
  const FormRow& row = tables().forms[form];
  std::vector<OperandInput> inputs(row.operand_count);
  for (const gfxisa_operand_value& value : operands) {
    if (value.role == nullptr) return GFXISA_BAD_ARGUMENT;
    const int index = operand_named(row, value.role);
    if (index < 0) {
      return refuse({std::string(tables().text(row.mnemonic)) + " has no operand '" + value.role + "'", ""}, 0, error);
    }
    inputs[static_cast<std::size_t>(index)] = input_of(value);
  }
  std::vector<FieldInput> settings;
  for (const gfxisa_field_value& value : fields) {
    if (value.name == nullptr) return GFXISA_BAD_ARGUMENT;
    settings.push_back({value.name, value.value});
  }
  u16 word = no_suffix;
  if (suffix != nullptr && (word = find_suffix(form, suffix)) == no_suffix) {
    return refuse({std::string(tables().text(row.mnemonic)) + " takes no " + suffix, ""}, 0, error);
  }
  const Result<Instruction> instruction = encode(form, inputs, settings, word);
  if (!instruction) return refuse(instruction.error(), 0, error);
  put(*instruction, out);
  return GFXISA_OK;
}

}  // namespace

extern "C" {

const char* gfxisa_version(void) { return GFXISA_VERSION; }

unsigned gfxisa_isa_count(void) { return static_cast<unsigned>(tables().chips.size()); }

int gfxisa_find_isa(const char* name) { return name == nullptr ? -1 : find_chip(name); }

const char* gfxisa_isa_name(unsigned isa) {
  return has_chip(isa) ? tables().c_string(tables().chips[isa].name) : nullptr;
}

const char* gfxisa_isa_title(unsigned isa) {
  return has_chip(isa) ? tables().c_string(tables().chips[isa].title) : nullptr;
}

const char* gfxisa_status_text(gfxisa_status status) {
  switch (status) {
    case GFXISA_OK:
      return "no error";
    case GFXISA_TRUNCATED:
      return describe(DecodeFault::truncated).data();
    case GFXISA_UNKNOWN_ENCODING:
      return describe(DecodeFault::unknown_encoding).data();
    case GFXISA_UNKNOWN_OPCODE:
      return describe(DecodeFault::unknown_opcode).data();
    case GFXISA_BAD_OPERAND:
      return describe(DecodeFault::bad_operand).data();
    case GFXISA_BAD_SUFFIX:
      return describe(DecodeFault::bad_suffix).data();
    case GFXISA_BAD_ARGUMENT:
      return "an argument is out of range or a null pointer";
    case GFXISA_REFUSED:
      return "the text or the values make no instruction";
    case GFXISA_NO_MEMORY:
      return "out of memory";
  }
  return "unknown status";
}

gfxisa_status gfxisa_decode(unsigned isa, const void* bytes, size_t size, gfxisa_instruction* out) {
  if (out == nullptr || !has_chip(isa) || (bytes == nullptr && size != 0)) return GFXISA_BAD_ARGUMENT;
  const Decoded decoded = decode(isa, {static_cast<const u8*>(bytes), size});
  put(decoded.instruction, *out);
  return status_of(decoded.fault);
}

size_t gfxisa_explain(unsigned isa, const void* bytes, size_t size, char* buffer, size_t capacity) {
  std::size_t length = 0;
  guarded([&] {
    if (!has_chip(isa) || (bytes == nullptr && size != 0)) return GFXISA_BAD_ARGUMENT;
    length = copy_text(describe_fault(decode(isa, {static_cast<const u8*>(bytes), size})), buffer, capacity);
    return GFXISA_OK;
  });
  return length;
}

int gfxisa_second(const gfxisa_instruction* instruction, gfxisa_instruction* out) {
  Instruction own;
  if (out == nullptr || !take(instruction, own)) return 0;
  const std::optional<Instruction> second = second_of(own);
  if (second) put(*second, *out);
  return second ? 1 : 0;
}

size_t gfxisa_format(const gfxisa_instruction* instruction, const gfxisa_options* options, char* buffer,
                     size_t capacity) {
  std::size_t length = 0;
  guarded([&] {
    Instruction own;
    TextOptions text_options;
    if (!take(instruction, own) || !take(options, text_options)) return GFXISA_BAD_ARGUMENT;
    thread_local std::string text;  // keeps its room from call to call
    text.clear();
    append_text(text, own, text_options);
    length = copy_text(text, buffer, capacity);
    return GFXISA_OK;
  });
  return length;
}

gfxisa_status gfxisa_assemble(unsigned isa, const char* text, size_t length, const gfxisa_options* options,
                              gfxisa_instruction* out, gfxisa_error* error) {
  return guarded([&] {
    TextOptions text_options;
    if (out == nullptr || text == nullptr || !has_chip(isa) || !take(options, text_options)) return GFXISA_BAD_ARGUMENT;
    std::size_t column = 0;
    const Result<Instruction> instruction = assemble_line(isa, {text, length}, text_options, &column);
    if (!instruction) return refuse(instruction.error(), column, error);
    put(*instruction, *out);
    return GFXISA_OK;
  });
}

gfxisa_status gfxisa_describe(const gfxisa_instruction* instruction, const gfxisa_options* options,
                              gfxisa_details* out) {
  Instruction own;
  TextOptions text_options;
  if (out == nullptr || !take(instruction, own) || !take(options, text_options)) return GFXISA_BAD_ARGUMENT;
  describe(own, text_options, *out);
  return GFXISA_OK;
}

size_t gfxisa_find_forms(unsigned isa, const char* mnemonic, uint32_t* forms, size_t capacity) {
  std::size_t count = 0;
  guarded([&] {
    if (mnemonic == nullptr || !has_chip(isa)) return GFXISA_BAD_ARGUMENT;
    for (const text::Candidate& candidate : text::candidates_of(isa, mnemonic)) {
      if (candidate.suffix != no_suffix) continue;
      if (forms != nullptr && count < capacity) forms[count] = candidate.form;
      ++count;
    }
    return GFXISA_OK;
  });
  return count;
}

gfxisa_status gfxisa_form(uint32_t form, gfxisa_instruction* out) {
  if (out == nullptr || form >= tables().forms.size()) return GFXISA_BAD_ARGUMENT;
  put(blank_instruction(form), *out);
  return GFXISA_OK;
}

int gfxisa_register_code(unsigned isa, const char* name) {
  if (name == nullptr || !has_chip(isa)) return -1;
  int code = -1;
  guarded([&] {
    if (const auto found = find_register(isa, name)) code = static_cast<int>(found->code);
    return GFXISA_OK;
  });
  return code;
}

gfxisa_status gfxisa_encode(uint32_t form, const char* suffix, const gfxisa_operand_value* operands,
                            size_t operand_count, const gfxisa_field_value* fields, size_t field_count,
                            gfxisa_instruction* out, gfxisa_error* error) {
  return guarded([&] {
    const bool has_arrays = (operands != nullptr || operand_count == 0) && (fields != nullptr || field_count == 0);
    if (out == nullptr || form >= tables().forms.size() || !has_arrays) return GFXISA_BAD_ARGUMENT;
    return encode_values(form, suffix, {operands, operand_count}, {fields, field_count}, *out, error);
  });
}

}  // extern "C"

// Any bytes: the decoder answers, and what it calls an instruction survives being written and read again.
#include <cstdlib>
#include <span>
#include <vector>

#include "codec/decode.h"
#include "codec/encode.h"
#include "inst/registers.h"

using namespace gfxisa;

/// Values of all operands and fields are read, as text and engine would.
static void read_all(const Instruction& instruction) {
  std::string names;
  for (unsigned i = 0; i < instruction.form_row().operand_count; ++i) {
    const OperandValue value = operand_of(instruction, i, 32);
    if (value.kind != no_kind) append_code_name(names, instruction.chip, value.code, value.bits);
  }
  for (const FieldRow& field : fields_of(instruction.encoding())) field_value(instruction, tables().text(field.name));
  second_of(instruction);
}

extern "C" int LLVMFuzzerTestOneInput(const u8* data, std::size_t size) {
  if (size == 0) return 0;
  const unsigned chip = data[0] % (chip_count + 1);  // one more than there are
  std::span<const u8> bytes(data + 1, size - 1);
  while (!bytes.empty()) {
    const Decoded decoded = decode(chip, bytes);
    const unsigned step = decoded.instruction.size;
    if (step == 0 || step > bytes.size()) std::abort();
    if (decoded) {
      read_all(decoded.instruction);
      std::vector<u8> own(step);
      append_bytes(decoded.instruction, own.data());
      if (decode(chip, own).instruction.form != decoded.instruction.form) std::abort();
    }
    bytes = bytes.subspan(step);
  }
  return 0;
}

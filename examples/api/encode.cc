// Builds an instruction from values, without text: v_add_f32 v5, |v6|, 1.0 with the result clamped.
#include <cstdio>
#include <gfxisa/gfxisa.hpp>
#include <iostream>

int main() {
  const auto isa = gfxisa::Isa::find("rdna4");
  if (!isa) return 1;
  // The last of the forms is the longest, which has room for signs and clamp.
  const auto forms = isa->forms("v_add_f32");
  if (forms.empty()) return 1;
  const auto v5 = isa->register_code("v5"), v6 = isa->register_code("v6");
  const gfxisa_operand_value operands[] = {
      {"d", GFXISA_VALUE_CODE, *v5}, {"a", GFXISA_VALUE_CODE, *v6}, {"b", GFXISA_VALUE_CONSTANT, 0x3f800000}};
  const gfxisa_field_value fields[] = {{"abs", 1}, {"clamp", 1}};
  gfxisa::Instruction instruction;
  gfxisa::Refusal refusal;
  if (forms.back().encode(operands, fields, instruction, &refusal) != gfxisa::Status::ok) {
    std::cerr << refusal.message << '\n';
    return 1;
  }
  std::cout << instruction.text() << "\n ";
  for (const std::byte byte : instruction.bytes()) std::printf(" %02x", static_cast<unsigned>(byte));
  std::printf("\n");
}

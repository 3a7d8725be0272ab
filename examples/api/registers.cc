// Disassembles raw code and says of each instruction which registers it reads and writes.
//
//   registers gfx942 < code.bin
//   printf '\x01\x02\x00\x68' | registers gfx942
#include <algorithm>
#include <gfxisa/gfxisa.hpp>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

namespace {

std::string name_of(const gfxisa_operand& operand) {
  static constexpr const char* letters[] = {"", "s", "v", "a", "ttmp"};
  if (operand.register_class == GFXISA_SPECIAL) return operand.name;
  std::string name = letters[operand.register_class];
  if (operand.count == 1) return name + std::to_string(operand.first);
  return name + '[' + std::to_string(operand.first) + ':' + std::to_string(operand.first + operand.count - 1) + ']';
}

void print_registers(const gfxisa::Details& details, unsigned access, const char* what) {
  std::string list;
  for (const gfxisa_operand& operand : details.operands()) {
    if (operand.kind == GFXISA_REGISTER && (operand.access & access) != 0 && operand.is_implicit == 0)
      list += ' ' + name_of(operand);
  }
  for (const gfxisa_implicit& implicit : details.implicit()) {
    if ((implicit.access & access) != 0) list += std::string(" ") + implicit.name;
  }
  if (!list.empty()) std::cout << "    " << what << list << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  const auto isa = gfxisa::Isa::find(argc > 1 ? argv[1] : "");
  if (!isa) {
    std::cerr << "usage: registers ISA < CODE, where ISA is a processor such as gfx942, or one of:";
    for (const gfxisa::Isa& known : gfxisa::Isa::all()) std::cerr << ' ' << known.name();
    std::cerr << '\n';
    return 2;
  }
  const std::vector<char> input{std::istreambuf_iterator<char>(std::cin), {}};
  const auto code = std::as_bytes(std::span(input));
  gfxisa::Instruction instruction;
  gfxisa::Details details;
  for (std::size_t at = 0; at < code.size(); at += std::max<std::size_t>(instruction.size(), 1)) {
    if (isa->decode(code.subspan(at), instruction) != gfxisa::Status::ok) {
      std::cout << "<invalid> " << isa->explain(code.subspan(at)) << '\n';
      continue;
    }
    std::cout << instruction.text() << '\n';
    instruction.describe(details);
    print_registers(details, GFXISA_READ, "reads ");
    print_registers(details, GFXISA_WRITE, "writes");
  }
}

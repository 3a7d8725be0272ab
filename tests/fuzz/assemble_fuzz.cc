// Any text: the assembler answers, and what it calls an instruction can be written as text.
#include <cstdlib>
#include <string>

#include "assembler/assemble.h"
#include "text/assemble.h"
#include "text/disassemble.h"

using namespace gfxisa;

extern "C" int LLVMFuzzerTestOneInput(const u8* data, std::size_t size) {
  if (size == 0) return 0;
  const unsigned chip = data[0] % (chip_count + 1);  // one more than there are
  Sources sources;
  Diagnostics diagnostics(sources);
  const u32 source = sources.add("fuzz.s", std::string(reinterpret_cast<const char*>(data + 1), size - 1));
  for (const Instruction& instruction : assemble(chip, source, sources, diagnostics)) {
    if (instruction.size == 0 || instruction.size > max_words * 4) std::abort();
    const std::string text = to_text(instruction);
    (void)assemble_line(chip, text);
  }
  (void)diagnostics.text();
  if (chip == chip_count) return 0;
  // The same as an object: both forms are written, or say why not.
  Diagnostics others(sources);
  AssemblyOptions options;
  options.may_be_undefined = true;
  const std::string_view name = tables().text(tables().chips[chip].name);
  const Assembly assembly = assemble_file(name, source, sources, others, options);
  if (others.has_errors()) return 0;
  (void)write_relocatable(assembly.object);
  (void)write_linked(assembly.object);
  return 0;
}

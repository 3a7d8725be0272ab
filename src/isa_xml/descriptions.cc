#include "isa_xml/descriptions.h"

#include <algorithm>

#include "isa_xml/document.h"
#include "isa_xml/files.h"
#include "isa_xml/groups.h"

namespace gfxisa::isa_xml {
namespace {

/// By name; else by what is encoded, for those that have another name there.
std::string description_in(const Document& document, unsigned chip, std::string_view mnemonic) {
  for (const Instruction& instruction : document.instructions) {
    for (const InstructionEncoding& way : instruction.encodings) {
      const auto names = Groups::mnemonics(encoding_name(way.encoding), instruction);
      if (std::find(names.begin(), names.end(), mnemonic) != names.end()) return instruction.description;
    }
  }
  const Groups groups(chip);
  for (const Instruction& instruction : document.instructions) {
    for (const InstructionEncoding& way : instruction.encodings) {
      const int form = groups.form_of(instruction, way);
      if (form >= 0 && tables().text(tables().forms[static_cast<u32>(form)].mnemonic) == mnemonic)
        return instruction.description;
    }
  }
  return {};
}

}  // namespace

Result<std::string> official_description(const std::string& path, unsigned chip, std::string_view mnemonic) {
  std::string found;
  const auto done = for_each_file(path, [&](std::string name, std::string text) -> Result<bool> {
    const auto document = read_document(text, std::move(name));
    if (!document) return document.error();
    if (chip_of(*document) == static_cast<int>(chip)) found = description_in(*document, chip, mnemonic);
    return true;
  });
  if (!done) return done.error();
  return found;
}

}  // namespace gfxisa::isa_xml

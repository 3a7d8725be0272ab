// Our encodings and forms of a chip by the vendor's names.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "inst/tables.h"
#include "isa_xml/document.h"
#include "isa_xml/names.h"

namespace gfxisa::isa_xml {

class Groups {
 public:
  explicit Groups(unsigned chip);

  unsigned chip() const { return chip_; }
  /// Our encodings of a group, the one of that very name first.
  std::vector<const EncodingRow*> encodings(const std::string& group) const;
  /// Forms of a group with an opcode, those of the encoding of that very name first.
  std::vector<u32> forms(const std::string& group, u32 opcode) const;
  const std::vector<u32>& forms(const std::string& group) const;
  /// The suffix of that name; nullptr when the chip has none.
  const EncodingRow* suffix(const std::string& name) const;

  /// Mnemonics that `name` may be here: itself, and what the encoding's line in data/isa_xml.ref makes of it.
  static std::vector<std::string> mnemonics(const EncodingName& encoding, const Instruction& instruction);
  /// Whether a form has one of these names, aliases too.
  bool is_called(u32 form, const std::vector<std::string>& names) const;
  /// The form of an instruction in one of its encodings: by opcode and name, else by opcode alone; -1 when there is
  /// none.
  int form_of(const Instruction& instruction, const InstructionEncoding& way) const;

 private:
  unsigned chip_;
  std::multimap<u32, std::string_view> aliases_;  ///< of forms
  mutable std::map<std::string, std::vector<u32>> forms_;
};

}  // namespace gfxisa::isa_xml

// Every difference between a document of the vendor's and our tables.
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "isa_xml/document.h"

namespace gfxisa::isa_xml {

enum class Kind : u8 {
  encoding,    ///< an encoding that one side has not, or of another size
  identifier,  ///< the bits that select an encoding
  field,       ///< a field that one side has not, or has elsewhere
  only_xml,    ///< an instruction that is not here, in an encoding
  only_here,   ///< one that the XML has not, in an encoding that it has
  name,        ///< the same opcode, another mnemonic
  opcode,      ///< the same mnemonic, another opcode
  follows,     ///< a word that may follow: a literal, DPP, SDWA
  operand,     ///< an operand that one side has not
  direction,   ///< read, written or both
  size,        ///< bits of an operand
  format,      ///< data format of an operand
  untyped,     ///< likewise, where one side gives only the width
  values,      ///< the values that a type of operand may have in its field
  count
};
std::string_view kind_word(Kind kind);
/// What a kind is about, as a heading.
std::string_view kind_title(Kind kind);

struct Difference {
  Kind kind;
  std::string encoding;     ///< as the XML calls it; ours where it has none
  std::string instruction;  ///< our mnemonic, or the XML's in lower case; empty where it is about an encoding
  int opcode = -1;
  std::string about;  ///< what differs: a field, an operand; may be empty
  std::string xml, here;
};

struct Comparison {
  std::string file, architecture, schema, date;
  unsigned chip = 0;
  u32 encodings = 0, instructions = 0, operands = 0;  ///< that were compared; instructions once in each encoding
  std::vector<Difference> differences;
  std::array<u32, static_cast<std::size_t>(Kind::count)> counts() const;
};

Comparison compare(const Document& document, unsigned chip);

std::string render_text(const Comparison& comparison, bool counts_alone);
std::string render_json(const std::vector<Comparison>& comparisons);

}  // namespace gfxisa::isa_xml

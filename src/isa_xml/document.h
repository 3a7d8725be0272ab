// One file of AMD's machine-readable description of an instruction set, as far as it is compared with ours.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/types.h"

namespace gfxisa::isa_xml {

/// The low 128 bits of an instruction word.
struct Word {
  u64 low = 0, high = 0;
};

struct Range {
  unsigned low = 0, width = 0;
  bool operator==(const Range&) const = default;
};

struct Field {
  std::string name;
  std::vector<Range> ranges;  ///< least significant piece first
};

struct Encoding {
  std::string name;
  unsigned bits = 0;
  Word mask;
  std::vector<Word> identifiers;
  std::vector<Field> fields;
};

struct Operand {
  std::string field;  ///< empty: no field of the word names it
  std::string format, type;
  unsigned bits = 0;
  bool is_read = false, is_written = false, is_implicit = false;
};

struct InstructionEncoding {
  std::string encoding;
  std::string condition;  ///< `default`, or when this way of encoding is the one
  u32 opcode = 0;
  std::vector<Operand> operands;
};

struct Instruction {
  std::string name, description;
  std::vector<std::string> aliases;
  std::vector<InstructionEncoding> encodings;
};

/// What an operand of this type may be, where the file says it.
struct OperandType {
  std::string name;
  std::vector<u32> values;   ///< that it may have in its field; sorted
  std::vector<Field> parts;  ///< of an immediate that has several
};

struct Document {
  std::string file, architecture, schema, date;
  std::vector<Encoding> encodings;
  std::vector<Instruction> instructions;
  std::vector<OperandType> types;
};

/// `text` is the content of `file`. Errors: not XML (with the place), not this schema, a version this does not know.
Result<Document> read_document(std::string_view text, std::string file);

/// The chip (index) that a document describes, by the name it gives and else by the name of its file; -1 when unknown.
int chip_of(const Document& document);

}  // namespace gfxisa::isa_xml

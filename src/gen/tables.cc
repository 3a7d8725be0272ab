#include "gen/tables.h"

#include "gen/tables_data.h"

namespace gfxisa::gen {

namespace {

/// Text of one C++ file with arrays of rows.
class TableWriter {
 public:
  explicit TableWriter(const TableData& data) : data_(data) {}
  std::string text();

 private:
  void pool();
  template <class Row, class Write>
  void table(const char* type, const char* name, const std::vector<Row>& rows, Write write);
  template <class Value>
  void value(const Value& value);
  template <class Value, std::size_t count>
  void value(const std::array<Value, count>& values);
  template <class... Values>
  void row(const Values&... values);
  void number(u64 value);

  void chips();
  void encodings();
  void fields();
  void stages();
  void instructions();
  void forms();
  void semantics();
  void plain();
  void all();

  const TableData& data_;
  std::string out_;
};

void TableWriter::number(u64 value) {
  char digits[24];
  int count = 0;
  do {
    digits[count++] = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value != 0);
  while (count > 0) out_ += digits[--count];
}

template <class Value>
void TableWriter::value(const Value& value) {
  if constexpr (std::is_same_v<Value, i32>) {
    out_ += std::to_string(value);
  } else if constexpr (std::is_enum_v<Value>) {
    // An enumerator cannot be written as a bare number; E converts.
    out_ += "E{";
    number(static_cast<u64>(value));
    out_ += '}';
  } else {
    number(static_cast<u64>(value));
    if (static_cast<u64>(value) > 0x7fffffffffffffff) out_ += 'u';
  }
}

template <class Value, std::size_t count>
void TableWriter::value(const std::array<Value, count>& values) {
  out_ += '{';
  for (std::size_t i = 0; i < count; ++i) {
    if (i != 0) out_ += ',';
    value(values[i]);
  }
  out_ += '}';
}

template <class... Values>
void TableWriter::row(const Values&... values) {
  out_ += '{';
  bool is_first = true;
  const auto one = [&](const auto& member) {
    if (!is_first) out_ += ',';
    is_first = false;
    value(member);
  };
  (one(values), ...);
  out_ += "},\n";
}

// An empty table still gets one row, since an array cannot be empty; its span has none.
template <class Row, class Write>
void TableWriter::table(const char* type, const char* name, const std::vector<Row>& rows, Write write) {
  out_ += std::string("constexpr ") + type + " t_" + name + "[] = {\n";
  for (const Row& row : rows) write(row);
  if (rows.empty()) out_ += "{}";
  out_ += "};\n";
}

void append_escaped(std::string& out, char c) {
  static constexpr char octal[] = "01234567";
  const u8 byte = static_cast<u8>(c);
  if (c == '"' || c == '\\' || c == '?') {
    out += '\\';
    out += c;
  } else if (byte >= 0x20 && byte < 0x7f) {
    out += c;
  } else {
    out += '\\';
    for (const int shift : {6, 3, 0}) out += octal[byte >> shift & 7];
  }
}

void TableWriter::pool() {
  out_ += "constexpr char t_pool[] =\n\"";
  std::size_t column = 0;
  for (const char c : data_.pool.characters()) {
    append_escaped(out_, c);
    if (++column < 4000 || c != '\0') continue;
    out_ += "\"\n\"";
    column = 0;
  }
  out_ += "\";\n";
}

void TableWriter::chips() {
  table("ChipRow", "chips", data_.chips, [&](const ChipRow& r) {
    row(r.name, r.title, r.epoch, r.first_target, r.target_count, r.first_manual, r.manual_count, r.waves,
        r.first_encoding, r.encoding_count, r.first_form, r.form_count, r.first_name, r.name_count, r.first_code,
        r.first_root, r.first_register);
  });
  table("CodeRow", "codes", data_.codes, [&](const CodeRow& r) { row(r.cls, r.value, r.name, r.is_even); });
  table("OperandKindRow", "operand_kinds", data_.operand_kinds, [&](const OperandKindRow& r) {
    row(r.name, r.about, r.offset, r.bits, r.classes, r.first_special, r.special_count, r.scale);
  });
  table("DataFormatRow", "data_formats", data_.data_formats,
        [&](const DataFormatRow& r) { row(r.name, r.kind, r.text, r.bits); });
}

void TableWriter::encodings() {
  table("EncodingRow", "encodings", data_.encodings, [&](const EncodingRow& r) {
    row(r.name, r.title, r.about, r.mnemonic_suffix, r.mask, r.match, r.first_field, r.field_count, r.bits,
        r.opcode_field, r.opcode_high_field, r.is_suffix, r.selects_field, r.selects_name, r.selects_value,
        r.first_form, r.opcode_count, r.suffixes, r.high_mask, r.high_match, r.base, r.literal_field, r.base_field,
        r.has_accumulators, r.first_syntax, r.syntax_count, r.first_stage, r.stage_count, r.address_kernel,
        r.address_source, r.share, r.halves, r.literal_bits, r.known);
  });
}

void TableWriter::fields() {
  table("FieldRow", "fields", data_.fields, [&](const FieldRow& r) {
    row(r.name, r.low, r.width, r.role, r.style, r.kind, r.constant, r.first_slot, r.slot_count);
  });
  table("SyntaxItem", "syntax_items", data_.syntax_items.rows, [&](const SyntaxItem& r) { row(r.name, r.is_slot); });
}

void TableWriter::stages() {
  table("StageRow", "stages", data_.stages, [&](const StageRow& r) {
    row(r.stage, r.format, r.is_write, r.argument_count, r.argument_field, r.argument_indexed, r.kernel);
  });
}

void TableWriter::instructions() {
  table("InstructionRow", "instructions", data_.instructions, [&](const InstructionRow& r) {
    row(r.name, r.family, r.topic, r.about, r.describe, r.file, r.line, r.first_slot, r.slot_count, r.first_note,
        r.note_count, r.first_open, r.open_count, r.first_related, r.related_count, r.first_example, r.example_count,
        r.first_only, r.only_count, r.first_ptx, r.ptx_count, r.fidelity, r.fidelity_why);
  });
  table("SlotRow", "slots", data_.slots, [&](const SlotRow& r) {
    row(r.name, r.note, r.access, r.format, r.bits, r.is_returned, r.is_named, r.style, r.is_tile, r.chips);
  });
  table("PtxRow", "ptx", data_.ptx, [&](const PtxRow& r) { row(r.chips, r.name, r.relation, r.why); });
}

void TableWriter::forms() {
  table("FormRow", "forms", data_.forms, [&](const FormRow& r) {
    row(r.mnemonic, r.instruction, r.encoding, r.opcode, r.first_operand, r.operand_count, r.syntax_operands,
        r.has_sized, r.has_counts, r.takes_suffix, r.is_preferred, r.most_scalars, r.scalar_sources, r.free_scalar,
        r.reads_vcc, r.has_unread_lanes, r.without, r.first_syntax, r.syntax_count, r.semantics, r.first_check,
        r.check_count, r.first_suffix);
  });
  table("FormSuffixRow", "form_suffixes", data_.form_suffixes.rows,
        [&](const FormSuffixRow& r) { row(r.first_check, r.check_count, r.first_syntax, r.syntax_count); });
  table("OperandRow", "operands", data_.operands.rows, [&](const OperandRow& r) {
    row(r.slot, r.field, r.kind, r.implied_code, r.sized_by, r.count, r.further_count, r.takes_rest, r.is_list,
        r.further);
  });
  table("CountRow", "counts", data_.counts, [&](const CountRow& r) {
    row(r.source, r.field_count, r.low, r.width, r.group_count, r.is_least, r.fewest, r.most, r.shown, r.first_value);
  });
  table("NameRow", "name_index", data_.name_index, [&](const NameRow& r) { row(r.name, r.form, r.is_alias); });
  table("CheckRow", "checks", data_.checks.rows,
        [&](const CheckRow& r) { row(r.low, r.width, r.operand, r.when, r.scale, r.offset, r.legal); });
}

void TableWriter::semantics() {
  table("SemanticsRow", "semantics", data_.semantics, [&](const SemanticsRow& r) {
    row(r.instruction, r.kind, r.input_count, r.output_count, r.immediate_count, r.float_mode, r.has_effects,
        r.writes_pc, r.reads_exec, r.ends_wave, r.sets_banks, r.names_registers, r.reads_register, r.writes_register,
        r.source, r.first_blob, r.blob_words);
  });
}

void TableWriter::plain() {
  const auto line = [&](const auto& row) {
    value(row);
    out_ += ",\n";
  };
  table("Text", "special_names", data_.special_names, line);
  table("u32", "form_of_opcode", data_.form_of_opcode, line);
  table("Text", "texts", data_.texts.rows, line);
  table("u64", "tree_words", data_.tree_words, line);
  table("u8", "count_values", data_.count_values, line);
  table("u16", "roots", data_.roots, line);
  table("u16", "candidates", data_.candidates, line);
  table("LegalValues", "legal_values", data_.legal_values, line);
  table("DecodeGroupRow", "decode_groups", data_.decode_groups, [&](const DecodeGroupRow& r) {
    row(r.mask, r.match, r.high_mask, r.high_match, r.opcode_low, r.opcode_width, r.opcode_high_low,
        r.opcode_high_width, r.bits, r.share, r.first_form, r.opcode_count);
  });
}

void TableWriter::all() {
  out_ += "\n}  // namespace\n\nconstinit const Tables generated_tables{t_pool";
  const auto span = [&](const char* name, std::size_t count) {
    out_ += std::string(",\n{t_") + name + ", " + std::to_string(count) + '}';
  };
  span("chips", data_.chips.size());
  span("codes", data_.codes.size());
  span("operand_kinds", data_.operand_kinds.size());
  span("special_names", data_.special_names.size());
  span("encodings", data_.encodings.size());
  span("fields", data_.fields.size());
  span("syntax_items", data_.syntax_items.rows.size());
  span("stages", data_.stages.size());
  span("data_formats", data_.data_formats.size());
  span("instructions", data_.instructions.size());
  span("slots", data_.slots.size());
  span("forms", data_.forms.size());
  span("form_suffixes", data_.form_suffixes.rows.size());
  span("operands", data_.operands.rows.size());
  span("counts", data_.counts.size());
  span("count_values", data_.count_values.size());
  span("form_of_opcode", data_.form_of_opcode.size());
  span("name_index", data_.name_index.size());
  span("texts", data_.texts.rows.size());
  span("ptx", data_.ptx.size());
  span("semantics", data_.semantics.size());
  span("tree_words", data_.tree_words.size());
  span("roots", data_.roots.size());
  span("candidates", data_.candidates.size());
  span("decode_groups", data_.decode_groups.size());
  span("checks", data_.checks.rows.size());
  span("legal_values", data_.legal_values.size());
  out_ += "};\n";
}

std::string TableWriter::text() {
  out_ =
      "// Made by specc from spec/; do not edit.\n#include \"inst/tables.h\"\n\n"
      "// A member the writer does not know of must not pass unnoticed.\n"
      "#pragma GCC diagnostic error \"-Wmissing-field-initializers\"\n\nnamespace gfxisa {\nnamespace {\n\n"
      "// A number as whatever enumeration its place in a row asks for.\nstruct E {\n  unsigned value;\n"
      "  template <class T>\n  constexpr operator T() const { return static_cast<T>(value); }\n};\n\n";
  pool();
  chips();
  encodings();
  fields();
  stages();
  instructions();
  forms();
  semantics();
  plain();
  all();
  out_ += "\n}  // namespace gfxisa\n";
  return std::move(out_);
}

}  // namespace

std::string table_text(const TableData& data) { return TableWriter(data).text(); }

void generate_tables(const model::Isa& isa, OutputFolder& output) {
  output.write("tables.cc", table_text(make_tables(isa)));
}

}  // namespace gfxisa::gen

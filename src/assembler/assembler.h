// The assembler's state and its directives, a file of definitions for each kind.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "assembler/assemble.h"
#include "assembler/statements.h"
#include "assembler/symbols.h"
#include "base/memo.h"
#include "text/instruction_parser.h"

namespace gfxisa::assembler {

/// Bytes that wait for a value.
struct Fixup {
  enum class Kind : u8 { data, branch, literal };
  Kind kind = Kind::data;
  u8 bytes = 4;
  u32 section = 0;
  u64 offset = 0;  ///< of the instruction or the data
  u64 place = 0;   ///< of the bytes themselves
  u32 expression = 0;
  Location at;
  u32 instruction = no_instruction;  ///< index in Assembly::instructions
  static constexpr u32 no_instruction = 0xffffffff;
};

/// Bits of a kernel descriptor that wait for a value.
struct DescriptorFixup {
  u32 section = 0;
  u64 place = 0;  ///< of the field's first byte
  u8 bytes = 4, shift = 0, width = 32;
  u32 expression = 0;
  Location at;
};

/// What a directive of a kernel was given.
struct KernelValue {
  i64 number = 0;
  u32 expression = 0;  ///< not 0: known later
  Location at;
};
using KernelValues = std::map<std::string, KernelValue, std::less<>>;

/// A kernel descriptor between its directives.
struct KernelBuilder {
  std::string name;
  Location at;
  KernelValues given;
  bool is_wrong = false;

  const KernelValue* find(std::string_view directive) const {
    const auto found = given.find(directive);
    return found == given.end() ? nullptr : &found->second;
  }
  i64 number(std::string_view directive, i64 otherwise = 0) const {
    const KernelValue* found = find(directive);
    return found == nullptr ? otherwise : found->number;
  }
};

/// A descriptor whose numbers of registers are known later.
struct PendingKernel {
  u32 section = 0;
  u64 place = 0;
  KernelValues given;
  Location at;
};

/// What a statement became in which no symbol plays a part.
struct KnownInstruction {
  u32 instruction;  ///< index in Assembly::instructions
  text::RegistersUsed used;
  u32 start;  ///< where in the statement it begins
};

/// Fields of a descriptor: registers in units, minus one.
struct RegisterBlocks {
  u32 vector = 0, scalar = 0, accum = 0;
};

class Assembler {
 public:
  Assembler(TargetId target, unsigned chip, u32 source, const Sources& sources, Diagnostics& diagnostics,
            const AssemblyOptions& options);
  Assembly run();

  using Directive = bool (Assembler::*)(text::Cursor&);

 private:
  // assembler.cc
  void append_known_lines();
  bool read_statement();
  void read_new(std::string_view statement);
  bool read_label(text::Cursor& cursor);
  bool define_label(text::Cursor& cursor, std::string_view name, std::size_t at);
  bool read_assignment(text::Cursor& cursor);
  bool assign(text::Cursor& cursor, std::string_view name, std::size_t at, bool may_replace);
  void read_instruction(text::Cursor& cursor);
  bool warn_of_scalars(const Instruction& instruction, std::size_t start);
  void append_instruction(u32 index, const text::RegistersUsed& used, const text::LaterValue& later, std::size_t start);
  void add_fixup(u32 index, const text::LaterValue& later, u64 offset, std::size_t start);
  void count_registers();
  void read_directive(text::Cursor& cursor, std::string_view name, std::size_t at);
  void update_symbols();
  std::string& bytes() { return sections_[section_].bytes; }
  u64 place() const { return sections_[section_].size(); }
  bool parse_value(text::Cursor& cursor, text::Value& value);
  bool parse_number(text::Cursor& cursor, i64& number);
  bool parse_symbol_name(text::Cursor& cursor, std::string& name);
  bool parse_string(text::Cursor& cursor, std::string& text);
  bool has_room(text::Cursor& cursor, u64 more);
  bool expect_comma(text::Cursor& cursor) { return cursor.take(',') || cursor.fail_here("expected ','"); }
  bool expect_end(text::Cursor& cursor) { return cursor.at_end() || cursor.fail_here("unexpected text"); }
  void define_predefined(std::string_view name, i64 value);

  // data_directives.cc
  template <unsigned size>
  bool data(text::Cursor& cursor);
  bool octa(text::Cursor& cursor);
  template <class Float>
  bool floats(text::Cursor& cursor);
  template <bool ends_in_nul>
  bool strings(text::Cursor& cursor);
  bool space(text::Cursor& cursor);
  bool fill(text::Cursor& cursor);
  template <bool is_power, unsigned fill_size>
  bool align(text::Cursor& cursor);
  bool align_to(text::Cursor& cursor, u64 alignment, unsigned fill_size);
  bool org(text::Cursor& cursor);
  template <bool is_signed>
  bool leb128(text::Cursor& cursor);
  bool incbin(text::Cursor& cursor);
  bool append_value(text::Cursor& cursor, const text::Value& value, unsigned size, std::size_t start);
  bool append_repeated(text::Cursor& cursor, u64 count, u64 value, unsigned size);
  void append_padding(u64 count);

  // section_directives.cc
  bool text_section(text::Cursor& cursor);
  bool data_section(text::Cursor& cursor);
  bool bss_section(text::Cursor& cursor);
  bool rodata_section(text::Cursor& cursor);
  bool section(text::Cursor& cursor);
  bool push_section(text::Cursor& cursor);
  bool pop_section(text::Cursor& cursor);
  bool previous_section(text::Cursor& cursor);
  bool parse_section(text::Cursor& cursor);
  u32 find_section(std::string_view name, std::string_view group = {});
  void switch_section(u32 section);
  void switch_to(std::string_view name);
  template <u8 binding>
  bool set_binding(text::Cursor& cursor);
  template <u8 visibility>
  bool set_visibility(text::Cursor& cursor);
  bool set_type(text::Cursor& cursor);
  bool set_size(text::Cursor& cursor);
  template <bool is_local>
  bool common(text::Cursor& cursor);
  bool set(text::Cursor& cursor);
  bool equiv(text::Cursor& cursor);
  bool ident(text::Cursor& cursor);
  bool file(text::Cursor& cursor);
  bool address_significance(text::Cursor& cursor);
  bool significant_symbol(text::Cursor& cursor);
  bool pass_over(text::Cursor& cursor);

  // control_directives.cc
  template <int kind>
  bool condition(text::Cursor& cursor);
  template <bool wants_definition>
  bool if_defined(text::Cursor& cursor);
  template <bool wants_blank>
  bool if_blank(text::Cursor& cursor);
  template <bool wants_equal, bool are_quoted>
  bool if_same(text::Cursor& cursor);
  bool else_if(text::Cursor& cursor);
  bool otherwise(text::Cursor& cursor);
  bool end_if(text::Cursor& cursor);
  bool macro(text::Cursor& cursor);
  bool stray_end(text::Cursor& cursor);
  bool leave_macro(text::Cursor& cursor);
  bool remove_macro(text::Cursor& cursor);
  bool repeat(text::Cursor& cursor);
  template <bool each_character>
  bool repeat_for(text::Cursor& cursor);
  bool include(text::Cursor& cursor);
  bool end(text::Cursor& cursor);
  bool user_error(text::Cursor& cursor);
  bool user_message(text::Cursor& cursor);
  bool not_supported(text::Cursor& cursor);

  // kernel_directives.cc
  bool amdgcn_target(text::Cursor& cursor);
  bool code_object_version(text::Cursor& cursor);
  bool kernel(text::Cursor& cursor);
  void read_kernel_line(text::Cursor& cursor, KernelBuilder& builder);
  void finish_kernel(KernelBuilder& builder);
  bool count_blocks(const KernelValues& given, const Location& at, RegisterBlocks& blocks);
  void resolve(PendingKernel& pending);
  bool metadata(text::Cursor& cursor);
  bool lds(text::Cursor& cursor);
  bool other_abi(text::Cursor& cursor);

  // object.cc
  void finish();
  void resolve(const Fixup& fixup);
  void resolve(const DescriptorFixup& fixup);
  void relocate(const Fixup& fixup, const Relocatable& value, bool is_relative, i64 addend);
  bool make_place(const Fixup& fixup, Relocatable& value, bool& is_relative, i64& addend);
  void write_bytes(const Fixup& fixup, u64 value);
  void make_symbols();
  bool place_symbol(u32 index, ObjectSymbol& out, bool& is_wanted);
  void report_at(const Location& at, std::string message, std::string hint = {});
  static const std::unordered_map<std::string_view, Directive>& directives();

  TargetId target_;
  TargetFacts facts_;
  StatementReader reader_;
  Diagnostics& diagnostics_;
  const Sources& sources_;
  const AssemblyOptions& options_;
  SymbolTable symbols_;
  text::ParserContext context_;
  text::LaterValue later_;
  text::RegistersUsed used_;     ///< by the statement
  text::RegistersUsed counted_;  ///< by those before, and not yet in their symbols
  Memo<KnownInstruction> known_;
  std::vector<ObjectSection> sections_;
  std::unordered_map<std::string, u32> section_by_name_;
  std::vector<u32> section_symbols_;
  std::vector<std::pair<u32, u32>> section_stack_;  ///< current and previous
  u32 section_ = 0, previous_section_ = 0;
  u64 total_bytes_ = 0;
  std::vector<Fixup> fixups_;
  std::vector<DescriptorFixup> descriptor_fixups_;
  std::vector<PendingKernel> pending_kernels_;
  std::vector<std::pair<u32, Location>> sizes_;
  std::vector<u32> significant_;
  std::vector<std::string> passed_over_;
  std::optional<u32> next_vector_, next_scalar_;  ///< symbols .amdgcn.next_free_vgpr and _sgpr
  bool names_target_ = false;
  unsigned version_ = 6;
  Assembly out_;
};

}  // namespace gfxisa::assembler

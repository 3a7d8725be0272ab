// Directives about what is assembled: conditions, macros, repetitions, other files; and the list of all directives.
#include <elf.h>
#include <fmt/format.h>

#include "assembler/assembler.h"

namespace gfxisa::assembler {

namespace {

/// How `.if` and its kin look at their number.
enum Comparison { not_zero, equal_zero, positive, not_negative, negative, not_positive };

bool holds(int comparison, i64 number) {
  switch (comparison) {
    case equal_zero:
      return number == 0;
    case positive:
      return number > 0;
    case not_negative:
      return number >= 0;
    case negative:
      return number < 0;
    case not_positive:
      return number <= 0;
    default:
      return number != 0;
  }
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text::is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && text::is_space(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

// A condition that is wrong counts as one that does not hold, so that its .endif finds it.

template <int kind>
bool Assembler::condition(text::Cursor& cursor) {
  i64 number = 0;
  const bool is_good = parse_number(cursor, number) && expect_end(cursor);
  reader_.begin_condition(is_good && holds(kind, number));
  return is_good;
}

template <bool wants_definition>
bool Assembler::if_defined(text::Cursor& cursor) {
  std::string name;
  const bool is_good = parse_symbol_name(cursor, name) && expect_end(cursor);
  const auto found = symbols_.find_known(name);
  const bool is_defined = found && symbols_[*found].state != Symbol::State::undefined;
  reader_.begin_condition(is_good && is_defined == wants_definition);
  return is_good;
}

template <bool wants_blank>
bool Assembler::if_blank(text::Cursor& cursor) {
  reader_.begin_condition(cursor.at_end() == wants_blank);
  return true;
}

/// `.ifc a, b` compares texts as written, `.ifeqs "a", "b"` texts in quotes.
template <bool wants_equal, bool are_quoted>
bool Assembler::if_same(text::Cursor& cursor) {
  std::string left, right;
  bool is_good = true;
  if constexpr (are_quoted) {
    is_good = parse_string(cursor, left) && expect_comma(cursor) && parse_string(cursor, right) && expect_end(cursor);
  } else {
    const std::string_view rest = cursor.line().substr(cursor.at());
    const std::size_t comma = rest.find(',');
    is_good = comma != std::string_view::npos || cursor.fail_here("expected two texts with ',' in between");
    left = trimmed(rest.substr(0, comma));
    if (is_good) right = trimmed(rest.substr(comma + 1));
  }
  reader_.begin_condition(is_good && (left == right) == wants_equal);
  return is_good;
}

bool Assembler::else_if(text::Cursor& cursor) {
  if (!reader_.else_if()) return true;
  i64 number = 0;
  const bool is_good = parse_number(cursor, number) && expect_end(cursor);
  reader_.decide(is_good && number != 0);
  return is_good;
}

bool Assembler::otherwise(text::Cursor& cursor) { return reader_.otherwise(), expect_end(cursor); }
bool Assembler::end_if(text::Cursor& cursor) { return reader_.end_condition(), expect_end(cursor); }
bool Assembler::macro(text::Cursor& cursor) {
  known_.clear();  // what was an instruction may be a call from now on
  return reader_.define_macro(cursor);
}
bool Assembler::leave_macro(text::Cursor&) { return reader_.leave_macro(); }

bool Assembler::stray_end(text::Cursor& cursor) {
  return cursor.fail(0, cursor.line().size(), "this ends nothing that was begun");
}

bool Assembler::remove_macro(text::Cursor& cursor) {
  const std::string name(cursor.take_identifier());
  return reader_.remove_macro(name) || cursor.fail(0, cursor.line().size(), "there is no macro '" + name + "'");
}

bool Assembler::repeat(text::Cursor& cursor) {
  i64 count = 0;
  const bool is_good = parse_number(cursor, count) && expect_end(cursor);
  return reader_.repeat(is_good ? count : 0) && is_good;
}

template <bool each_character>
bool Assembler::repeat_for(text::Cursor& cursor) {
  return reader_.repeat_for(cursor, each_character);
}

bool Assembler::include(text::Cursor& cursor) {
  std::string name;
  cursor.skip_spaces();
  const std::size_t start = cursor.at();
  if (!parse_string(cursor, name)) return false;
  const std::size_t length = cursor.at() - start;
  if (!expect_end(cursor)) return false;
  if (!options_.read_file) return cursor.fail(start, length, "files cannot be read from here");
  const auto source = options_.read_file(name);
  if (!source) return cursor.fail(start, length, source.error().message, source.error().hint);
  return reader_.include(*source);
}

bool Assembler::end(text::Cursor&) { return reader_.stop(), true; }

bool Assembler::user_error(text::Cursor& cursor) {
  std::string message = ".err";
  if (cursor.peek() == '"' && !parse_string(cursor, message)) return false;
  return cursor.fail(0, cursor.line().size(), message);
}

bool Assembler::user_message(text::Cursor& cursor) {
  std::string message;
  if (cursor.peek() == '"' && !parse_string(cursor, message)) return false;
  out_.notes.push_back(message);
  return true;
}

bool Assembler::not_supported(text::Cursor& cursor) {
  text::Cursor start(cursor.line());
  return cursor.fail(0, cursor.line().size(), std::string(start.take_identifier()) + " is not supported",
                     "GNU's and LLVM's usual directives for data, sections, symbols, conditions and macros are");
}

const std::unordered_map<std::string_view, Assembler::Directive>& Assembler::directives() {
  using A = Assembler;
  static const std::unordered_map<std::string_view, Directive> all = {
      // Data.
      {".byte", &A::data<1>},
      {".short", &A::data<2>},
      {".hword", &A::data<2>},
      {".half", &A::data<2>},
      {".value", &A::data<2>},
      {".2byte", &A::data<2>},
      {".long", &A::data<4>},
      {".int", &A::data<4>},
      {".word", &A::data<4>},
      {".4byte", &A::data<4>},
      {".quad", &A::data<8>},
      {".8byte", &A::data<8>},
      {".octa", &A::octa},
      {".float", &A::floats<float>},
      {".single", &A::floats<float>},
      {".double", &A::floats<double>},
      {".ascii", &A::strings<false>},
      {".asciz", &A::strings<true>},
      {".string", &A::strings<true>},
      {".zero", &A::space},
      {".space", &A::space},
      {".skip", &A::space},
      {".fill", &A::fill},
      {".align", &A::align<false, 1>},
      {".balign", &A::align<false, 1>},
      {".balignw", &A::align<false, 2>},
      {".balignl", &A::align<false, 4>},
      {".p2align", &A::align<true, 1>},
      {".p2alignw", &A::align<true, 2>},
      {".p2alignl", &A::align<true, 4>},
      {".org", &A::org},
      {".uleb128", &A::leb128<false>},
      {".sleb128", &A::leb128<true>},
      {".incbin", &A::incbin},
      // Sections.
      {".text", &A::text_section},
      {".data", &A::data_section},
      {".bss", &A::bss_section},
      {".rodata", &A::rodata_section},
      {".section", &A::section},
      {".pushsection", &A::push_section},
      {".popsection", &A::pop_section},
      {".previous", &A::previous_section},
      {".ident", &A::ident},
      // Symbols.
      {".globl", &A::set_binding<STB_GLOBAL>},
      {".global", &A::set_binding<STB_GLOBAL>},
      {".weak", &A::set_binding<STB_WEAK>},
      {".local", &A::set_binding<STB_LOCAL>},
      {".hidden", &A::set_visibility<STV_HIDDEN>},
      {".protected", &A::set_visibility<STV_PROTECTED>},
      {".internal", &A::set_visibility<STV_INTERNAL>},
      {".type", &A::set_type},
      {".size", &A::set_size},
      {".comm", &A::common<false>},
      {".lcomm", &A::common<true>},
      {".set", &A::set},
      {".equ", &A::set},
      {".equiv", &A::equiv},
      {".file", &A::file},
      {".addrsig", &A::address_significance},
      {".addrsig_sym", &A::significant_symbol},
      // Conditions, macros, repetitions.
      {".if", &A::condition<not_zero>},
      {".ifne", &A::condition<not_zero>},
      {".ifeq", &A::condition<equal_zero>},
      {".ifgt", &A::condition<positive>},
      {".ifge", &A::condition<not_negative>},
      {".iflt", &A::condition<negative>},
      {".ifle", &A::condition<not_positive>},
      {".ifdef", &A::if_defined<true>},
      {".ifndef", &A::if_defined<false>},
      {".ifnotdef", &A::if_defined<false>},
      {".ifb", &A::if_blank<true>},
      {".ifnb", &A::if_blank<false>},
      {".ifc", &A::if_same<true, false>},
      {".ifnc", &A::if_same<false, false>},
      {".ifeqs", &A::if_same<true, true>},
      {".ifnes", &A::if_same<false, true>},
      {".elseif", &A::else_if},
      {".else", &A::otherwise},
      {".endif", &A::end_if},
      {".macro", &A::macro},
      {".endm", &A::stray_end},
      {".endmacro", &A::stray_end},
      {".endr", &A::stray_end},
      {".exitm", &A::leave_macro},
      {".purgem", &A::remove_macro},
      {".rept", &A::repeat},
      {".rep", &A::repeat},
      {".irp", &A::repeat_for<false>},
      {".irpc", &A::repeat_for<true>},
      {".include", &A::include},
      {".end", &A::end},
      {".err", &A::user_error},
      {".error", &A::user_error},
      {".warning", &A::user_message},
      {".print", &A::user_message},
      // AMD GPU.
      {".amdgcn_target", &A::amdgcn_target},
      {".amdhsa_code_object_version", &A::code_object_version},
      {".amdhsa_kernel", &A::kernel},
      {".amdgpu_metadata", &A::metadata},
      {".amdgpu_lds", &A::lds},
      {".end_amdhsa_kernel", &A::stray_end},
      {".end_amdgpu_metadata", &A::stray_end},
      {".amdgpu_pal_metadata", &A::other_abi},
      {".amd_amdgpu_pal_metadata", &A::other_abi},
      {".amd_amdgpu_isa", &A::other_abi},
      {".amd_amdgpu_hsa_metadata", &A::other_abi},
      {".amd_kernel_code_t", &A::other_abi},
      {".amdgpu_hsa_kernel", &A::other_abi},
      {".hsa_code_object_version", &A::other_abi},
      {".hsa_code_object_isa", &A::other_abi},
      // Debug information, which is not written.
      {".loc", &A::pass_over},
      {".loc_mark_labels", &A::pass_over},
      {".cfi_sections", &A::pass_over},
      {".cfi_startproc", &A::pass_over},
      {".cfi_endproc", &A::pass_over},
      {".cfi_def_cfa", &A::pass_over},
      {".cfi_def_cfa_offset", &A::pass_over},
      {".cfi_def_cfa_register", &A::pass_over},
      {".cfi_offset", &A::pass_over},
      {".cfi_undefined", &A::pass_over},
      {".cfi_register", &A::pass_over},
      {".cfi_escape", &A::pass_over},
      {".cfi_llvm_def_aspace_cfa", &A::pass_over},
      {".cfi_remember_state", &A::pass_over},
      {".cfi_restore_state", &A::pass_over},
      {".cfi_restore", &A::pass_over},
      {".altmacro", &A::not_supported},
      {".noaltmacro", &A::not_supported},
      {".subsection", &A::not_supported},
      {".symver", &A::not_supported},
      {".reloc", &A::not_supported},
      {".nops", &A::not_supported},
  };
  return all;
}

}  // namespace gfxisa::assembler

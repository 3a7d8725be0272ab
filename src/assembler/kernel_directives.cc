// Directives of AMD's: the target, kernel descriptors, metadata. Names, ranges, defaults and requirements are those of
// LLVM's AMDGPU user guide ("AMDHSA Kernel Assembler Directives"), checked against llvm-mc 22.
#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "assembler/assembler.h"
#include "base/suggest.h"
#include "elf/elf_file.h"
#include "elf/kernel_descriptor.h"
#include "elf/metadata_text.h"
#include "text/named_values.h"

namespace gfxisa::assembler {

namespace {

using text::Chips;

/// Chips whose processors set up scratch by themselves, without user registers.
constexpr Chips architected_scratch = text::cdna3 | text::cdna4 | text::gfx11 | text::gfx12;
constexpr Chips unified_registers = text::cdna2 | text::cdna3 | text::cdna4;
constexpr Chips kernarg_preload = unified_registers | text::cdna5;
constexpr Chips since_gfx10 = text::gfx10 | text::gfx11 | text::gfx12;
constexpr Chips work_group_processor = since_gfx10 & ~text::cdna5;

/// Where a directive's value goes: a field of the descriptor, or just the builder.
enum class Field : u8 { none, group_bytes, private_bytes, kernarg_bytes, rsrc1, rsrc2, rsrc3, properties, preload };

struct FieldPlace {
  u8 offset, bytes;
};
constexpr FieldPlace places[] = {{0, 0}, {0, 4}, {4, 4}, {8, 4}, {48, 4}, {52, 4}, {44, 4}, {56, 2}, {58, 2}};

struct KernelDirective {
  std::string_view name;  ///< without .amdhsa_
  Field field;
  u8 shift, width;
  bool must_be_known = false;  ///< by then: other things depend on it
  u8 user_registers = 0;       ///< scalar registers it asks for
  Chips chips = text::any_chip;
};

constexpr KernelDirective kernel_directives[] = {
    {"group_segment_fixed_size", Field::group_bytes, 0, 32},
    {"private_segment_fixed_size", Field::private_bytes, 0, 32},
    {"kernarg_size", Field::kernarg_bytes, 0, 32},
    {"user_sgpr_count", Field::none, 0, 32, true},
    {"user_sgpr_private_segment_buffer", Field::properties, 0, 1, true, 4, Chips(~architected_scratch)},
    {"user_sgpr_kernarg_preload_length", Field::preload, 0, 7, true, 0, kernarg_preload},
    {"user_sgpr_kernarg_preload_offset", Field::preload, 7, 9, true, 0, kernarg_preload},
    {"user_sgpr_dispatch_ptr", Field::properties, 1, 1, true, 2},
    {"user_sgpr_queue_ptr", Field::properties, 2, 1, true, 2},
    {"user_sgpr_kernarg_segment_ptr", Field::properties, 3, 1, true, 2},
    {"user_sgpr_dispatch_id", Field::properties, 4, 1, true, 2},
    {"user_sgpr_flat_scratch_init", Field::properties, 5, 1, true, 2, Chips(~architected_scratch)},
    {"user_sgpr_private_segment_size", Field::properties, 6, 1, true, 1},
    {"wavefront_size32", Field::properties, 10, 1, true, 0, since_gfx10},
    {"uses_dynamic_stack", Field::properties, 11, 1},
    {"system_sgpr_private_segment_wavefront_offset", Field::rsrc2, 0, 1, false, 0, Chips(~architected_scratch)},
    {"enable_private_segment", Field::rsrc2, 0, 1, false, 0, architected_scratch},
    {"system_sgpr_workgroup_id_x", Field::rsrc2, 7, 1},
    {"system_sgpr_workgroup_id_y", Field::rsrc2, 8, 1},
    {"system_sgpr_workgroup_id_z", Field::rsrc2, 9, 1},
    {"system_sgpr_workgroup_info", Field::rsrc2, 10, 1},
    {"system_vgpr_workitem_id", Field::rsrc2, 11, 2},
    {"next_free_vgpr", Field::none, 0, 32},
    {"next_free_sgpr", Field::none, 0, 32},
    {"accum_offset", Field::none, 0, 32, false, 0, unified_registers},
    {"reserve_vcc", Field::none, 0, 1},
    {"reserve_flat_scratch", Field::none, 0, 1, false, 0, Chips(~architected_scratch)},
    {"reserve_xnack_mask", Field::none, 0, 1, true},
    {"float_round_mode_32", Field::rsrc1, 12, 2},
    {"float_round_mode_16_64", Field::rsrc1, 14, 2},
    {"float_denorm_mode_32", Field::rsrc1, 16, 2},
    {"float_denorm_mode_16_64", Field::rsrc1, 18, 2},
    {"dx10_clamp", Field::rsrc1, 21, 1, false, 0, Chips(~text::gfx12)},
    {"ieee_mode", Field::rsrc1, 23, 1, false, 0, Chips(~text::gfx12)},
    {"fp16_overflow", Field::rsrc1, 26, 1},
    {"tg_split", Field::rsrc3, 16, 1, false, 0, unified_registers},
    {"workgroup_processor_mode", Field::rsrc1, 29, 1, false, 0, work_group_processor},
    {"memory_ordered", Field::rsrc1, 30, 1, false, 0, since_gfx10},
    {"forward_progress", Field::rsrc1, 31, 1, false, 0, since_gfx10},
    {"shared_vgpr_count", Field::rsrc3, 0, 4, true, 0, text::gfx10 | text::gfx11},
    {"inst_pref_size", Field::rsrc3, 4, 6, false, 0, text::gfx11},
    {"inst_pref_size", Field::rsrc3, 4, 8, false, 0, text::gfx12},
    {"named_barrier_count", Field::rsrc3, 14, 3, false, 0, text::cdna5},
    {"round_robin_scheduling", Field::rsrc1, 21, 1, false, 0, text::gfx12},
    {"exception_fp_ieee_invalid_op", Field::rsrc2, 24, 1},
    {"exception_fp_denorm_src", Field::rsrc2, 25, 1},
    {"exception_fp_ieee_div_zero", Field::rsrc2, 26, 1},
    {"exception_fp_ieee_overflow", Field::rsrc2, 27, 1},
    {"exception_fp_ieee_underflow", Field::rsrc2, 28, 1},
    {"exception_fp_ieee_inexact", Field::rsrc2, 29, 1},
    {"exception_int_div_zero", Field::rsrc2, 30, 1},
};

const KernelDirective* find_directive(std::string_view name, Chips chip) {
  const KernelDirective* found = nullptr;
  for (const KernelDirective& row : kernel_directives) {
    if (row.name == name && (found == nullptr || (row.chips & chip) != 0)) found = &row;
  }
  return found;
}

std::string names_of(Chips chips) {
  std::string out;
  for (unsigned i = 0; i < tables().chips.size(); ++i) {
    if ((text::chip_bit(i) & chips) != 0) (out += out.empty() ? "" : ", ") += tables().text(tables().chips[i].name);
  }
  return out;
}

}  // namespace

bool Assembler::amdgcn_target(text::Cursor& cursor) {
  cursor.skip_spaces();
  const std::size_t start = cursor.at();
  std::string text;
  if (!parse_string(cursor, text)) return false;
  const std::size_t length = cursor.at() - start;
  const auto wanted = parse_target_id(text);
  if (!wanted) return cursor.fail(start, length, wanted.error().message, wanted.error().hint);
  if (wanted->processor != target_.processor && find_chip(wanted->processor) != static_cast<int>(context_.chip))
    return cursor.fail(start, length,
                       fmt::format("the source is for {}, not for {}", wanted->processor, target_.processor),
                       "--arch says what it is assembled for");
  if (!names_target_) target_ = *wanted;
  if (names_target_ && target_.text() != wanted->text()) return cursor.fail(start, length, "another target before");
  names_target_ = true;
  facts_.is_xnack_on_or_any = target_.xnack == TargetFeature::any || target_.xnack == TargetFeature::on;
  return expect_end(cursor);
}

bool Assembler::code_object_version(text::Cursor& cursor) {
  cursor.skip_spaces();
  const std::size_t start = cursor.at();
  i64 number = 0;
  if (!parse_number(cursor, number)) return false;
  if (number < 4 || number > 6) return cursor.fail(start, cursor.at() - start, "the version must be 4, 5 or 6");
  version_ = static_cast<unsigned>(number);
  return expect_end(cursor);
}

bool Assembler::other_abi(text::Cursor& cursor) {
  text::Cursor start(cursor.line());
  const std::string name(start.take_identifier());
  const bool is_pal = name.find("pal") != std::string::npos;
  return cursor.fail(
      0, cursor.line().size(),
      name + (is_pal ? " is for graphics drivers (PAL); the objects written here are for AMDHSA"
                     : " is of code object version 2, which is not written any more"),
      is_pal ? ".amdgpu_metadata holds the metadata of AMDHSA" : "write .amdhsa_kernel and .amdgpu_metadata");
}

bool Assembler::lds(text::Cursor& cursor) {
  std::string name;
  cursor.skip_spaces();
  const std::size_t start = cursor.at();
  i64 size = 0, alignment = 4;
  if (!parse_symbol_name(cursor, name)) return false;
  const std::size_t length = cursor.at() - start;
  if (!expect_comma(cursor)) return false;
  cursor.skip_spaces();
  const std::size_t size_at = cursor.at();
  if (!parse_number(cursor, size)) return false;
  const i64 most = (context_.chip_set & text::cdna5) != 0   ? 327680
                   : (context_.chip_set & text::cdna4) != 0 ? 163840
                                                            : 65536;
  if (size < 0 || size > most)
    return cursor.fail(size_at, cursor.at() - size_at, fmt::format("the size must be from 0 to {}", most));
  if (cursor.take(',')) {
    cursor.skip_spaces();
    const std::size_t alignment_at = cursor.at();
    if (!parse_number(cursor, alignment)) return false;
    if (alignment <= 0 || (alignment & (alignment - 1)) != 0 || alignment >= (i64{1} << 31))
      return cursor.fail(alignment_at, cursor.at() - alignment_at, "the alignment must be a power of 2");
  }
  if (!expect_end(cursor)) return false;
  const u32 index = symbols_.find(name);
  Symbol& symbol = symbols_[index];
  if (symbol.state != Symbol::State::undefined) return cursor.fail(start, length, "'" + name + "' is defined twice");
  symbol.state = Symbol::State::lds;
  symbol.offset = symbol.size = static_cast<u64>(size);
  symbol.alignment = static_cast<u64>(alignment);
  symbol.type = STT_OBJECT;
  if (!symbol.binding) symbol.binding = STB_GLOBAL;
  return true;  // the table names it once it is used
}

bool Assembler::metadata(text::Cursor& cursor) {
  if (!expect_end(cursor)) return false;
  std::string text, note;
  u32 first_line = 0;
  const Location at = reader_.locate(0, cursor.line().size());
  if (!reader_.raw_lines(".end_amdgpu_metadata", text, first_line)) return true;
  MetadataTextError problem;
  if (!metadata_from_text(text, note, problem)) {
    Location place = at;
    if (!reader_.is_expansion()) place.line = first_line + problem.line;
    report_at(place, problem.message, problem.hint);
    return true;
  }
  const u32 index = find_section(".note");
  if (section_symbols_[index] == no_symbol) section_symbols_[index] = symbols_.add_section(".note", index);
  ObjectSection& section = sections_[index];
  section.flags = SHF_ALLOC;
  section.alignment = 4;
  static constexpr char name[8] = "AMDGPU";
  gfxisa::append_value(section.bytes, u32{7});
  gfxisa::append_value(section.bytes, static_cast<u32>(note.size()));
  gfxisa::append_value(section.bytes, note_amdgpu_metadata);
  section.bytes.append(name, sizeof name);
  section.bytes += note;
  section.bytes.resize((section.bytes.size() + 3) / 4 * 4);
  return true;
}

/// `.amdhsa_kernel name` and the lines up to `.end_amdhsa_kernel`.
bool Assembler::kernel(text::Cursor& cursor) {
  KernelBuilder builder;
  builder.at = reader_.locate(0, cursor.line().size());
  if (!parse_symbol_name(cursor, builder.name) || !expect_end(cursor)) builder.is_wrong = true;
  if (builder.is_wrong) reader_.report(*cursor.error());
  std::string_view statement;
  while (reader_.next(statement)) {
    text::Cursor line(statement);
    const std::string_view name = line.peek_identifier();
    if (name == ".end_amdhsa_kernel") {
      if (!builder.is_wrong) finish_kernel(builder);
      return true;
    }
    if (name.starts_with(".amdhsa_")) {
      read_kernel_line(line, builder);
      if (line.error()) reader_.report(*line.error()), builder.is_wrong = true;
    } else if (const Macro* called = reader_.find_macro(name)) {
      line.take_identifier();
      reader_.call_macro(*called, line);
    } else if (const auto found = directives().find(name); found != directives().end()) {
      // Conditions, repetitions and symbols may stand between; whatever else there is goes to the section as usual.
      line.take_identifier();
      update_symbols();
      if (!(this->*found->second)(line) && line.error()) reader_.report(*line.error());
    } else {
      reader_.report({"expected a directive .amdhsa_... or .end_amdhsa_kernel", "", 0, statement.size()});
      builder.is_wrong = true;
    }
  }
  report_at(builder.at, ".amdhsa_kernel without .end_amdhsa_kernel");
  return true;
}

void Assembler::read_kernel_line(text::Cursor& cursor, KernelBuilder& builder) {
  const std::size_t at = cursor.at();
  const std::string_view whole = cursor.take_identifier();
  const std::string_view name = whole.substr(std::string_view(".amdhsa_").size());
  const KernelDirective* row = find_directive(name, context_.chip_set);
  if (row == nullptr) {
    std::vector<std::string_view> known;
    for (const KernelDirective& candidate : kernel_directives) known.push_back(candidate.name);
    cursor.fail(at, whole.size(), "unknown directive of a kernel", suggestion(name, known));
    return;
  }
  if ((row->chips & context_.chip_set) == 0) {
    cursor.fail(at, whole.size(), fmt::format("{} has no {}", tables().text(tables().chips[context_.chip].name), whole),
                "it is for " + names_of(row->chips));
    return;
  }
  if (builder.given.contains(name)) {
    cursor.fail(at, whole.size(), "this directive was given before");
    return;
  }
  cursor.skip_spaces();
  const std::size_t start = cursor.at();
  text::Value value;
  if (!parse_value(cursor, value)) return;
  KernelValue given{value.integer, value.later, reader_.locate(start, cursor.at() - start)};
  if (value.later != 0) {
    Relocatable known;
    std::string problem;
    if (symbols_.evaluate(value.later, known, problem) && known.is_number())
      given.number = known.constant, given.expression = 0;
  }
  if (row->must_be_known && given.expression != 0) {
    cursor.fail(start, cursor.at() - start, "the number must be known here", "define what it depends on before");
    return;
  }
  const u64 most = low_ones(row->width);
  if (given.expression == 0 && (given.number < 0 || static_cast<u64>(given.number) > most)) {
    cursor.fail(start, cursor.at() - start, fmt::format("the number must be from 0 to {}", most));
    return;
  }
  if (!expect_end(cursor)) return;
  if (given.expression != 0) symbols_.note_all(given.expression);
  builder.given.emplace(name, given);
}

/// Checks what depends on several directives, and puts the descriptor into the section.
void Assembler::finish_kernel(KernelBuilder& builder) {
  const Chips chip = context_.chip_set;
  const bool is_gfx9 = (chip & text::gfx9) != 0;
  const auto wrong = [&](std::string_view directive, std::string message, std::string hint = {}) {
    const KernelValue* found = builder.find(directive);
    report_at(found == nullptr ? builder.at : found->at, std::move(message), std::move(hint));
  };
  for (const std::string_view required : {"next_free_vgpr", "next_free_sgpr"}) {
    if (builder.find(required) == nullptr) return wrong("", fmt::format(".amdhsa_{} is required", required));
  }
  const bool has_unified = (chip & unified_registers) != 0;
  if (has_unified && builder.find("accum_offset") == nullptr)
    return wrong("", ".amdhsa_accum_offset is required",
                 "where AccVGPRs begin: a multiple of 4 that is not below the number of VGPRs");
  for (const std::string_view counted :
       {"next_free_vgpr", "next_free_sgpr", "accum_offset", "reserve_vcc", "reserve_flat_scratch"}) {
    if (const auto* given = builder.find(counted); given != nullptr && given->expression != 0) {
      pending_kernels_.push_back({section_, place(), builder.given, builder.at});
      break;
    }
  }

  std::string bytes(kernel_descriptor_bytes, '\0');
  u32 fields[9] = {};
  const auto set = [&](Field field, unsigned shift, unsigned width, u64 value) {
    u32& word = fields[static_cast<std::size_t>(field)];
    word = (word & ~static_cast<u32>(low_ones(width) << shift)) | static_cast<u32>((value & low_ones(width)) << shift);
  };
  set(Field::rsrc1, 18, 2, 3);
  if ((chip & text::gfx12) == 0) set(Field::rsrc1, 21, 1, 1), set(Field::rsrc1, 23, 1, 1);
  set(Field::rsrc2, 7, 1, 1);
  if (!is_gfx9) {
    set(Field::properties, 10, 1, context_.wave_size == 32);
    if ((chip & work_group_processor) != 0) set(Field::rsrc1, 29, 1, 1);
    set(Field::rsrc1, 30, 1, 1);
    set(Field::rsrc1, 31, 1, 1);
  }
  unsigned implied = 0;
  for (const auto& [name, given] : builder.given) {
    const KernelDirective* row = find_directive(name, chip);
    if (given.number != 0) implied += row->user_registers;
    if (row->field == Field::none) continue;
    set(row->field, row->shift, row->width, static_cast<u64>(given.number));
    if (given.expression == 0) continue;
    set(row->field, row->shift, row->width, 0);
    const FieldPlace where = places[static_cast<std::size_t>(row->field)];
    descriptor_fixups_.push_back(
        {section_, place() + where.offset, where.bytes, row->shift, row->width, given.expression, given.at});
  }

  const i64 preload = builder.number("user_sgpr_kernarg_preload_length");
  const i64 preload_offset = builder.number("user_sgpr_kernarg_preload_offset");
  implied += static_cast<unsigned>(preload);
  const unsigned most_user = (chip & text::cdna5) != 0 ? 32 : 16;
  if (preload > most_user)
    return wrong("user_sgpr_kernarg_preload_length", fmt::format("at most {} registers can be preloaded", most_user));
  const i64 user = builder.number("user_sgpr_count", implied);
  if (user < implied)
    return wrong("user_sgpr_count",
                 fmt::format("the directives before ask for {} user registers, this for {}", implied, user));
  const unsigned user_width = (chip & text::cdna5) != 0 ? 6 : 5;
  if (user > static_cast<i64>(low_ones(user_width)))
    return wrong("user_sgpr_count", fmt::format("at most {} user registers", low_ones(user_width)));
  set(Field::rsrc2, 1, user_width, static_cast<u64>(user));
  const KernelValue* kernarg = builder.find("kernarg_size");
  const bool reaches_beyond = preload != 0 && kernarg != nullptr && kernarg->expression == 0 && kernarg->number != 0 &&
                              preload * 4 + preload_offset * 4 > kernarg->number;
  if (reaches_beyond)
    return wrong("user_sgpr_kernarg_preload_length", "more arguments are preloaded than the kernel has");
  if (builder.find("reserve_xnack_mask") != nullptr &&
      (builder.number("reserve_xnack_mask") != 0) != facts_.is_xnack_on_or_any)
    return wrong("reserve_xnack_mask", "this does not agree with the target", target_.text());

  const bool is_pending = !pending_kernels_.empty() && pending_kernels_.back().place == place() &&
                          pending_kernels_.back().section == section_;
  if (!is_pending) {
    RegisterBlocks blocks;
    if (!count_blocks(builder.given, builder.at, blocks)) return;
    set(Field::rsrc1, 0, 6, blocks.vector);
    set(Field::rsrc1, 6, 4, blocks.scalar);
    if (has_unified) set(Field::rsrc3, 0, 6, blocks.accum);
  }
  for (std::size_t i = 1; i < std::size(fields); ++i)
    std::memcpy(bytes.data() + places[i].offset, &fields[i], places[i].bytes);

  // The descriptor's symbol is as visible as the kernel's, which must not be replaceable.
  const u32 code = symbols_.find(builder.name), descriptor = symbols_.find(builder.name + ".kd");
  Symbol& symbol = symbols_[descriptor];
  if (symbol.state != Symbol::State::undefined)
    return report_at(builder.at, fmt::format("'{}.kd' is defined twice", builder.name));
  Symbol& function = symbols_[code];
  symbol.binding = function.binding.value_or(function.state == Symbol::State::undefined ? STB_GLOBAL : STB_LOCAL);
  symbol.visibility = function.visibility;
  symbol.type = STT_OBJECT;
  symbol.size = kernel_descriptor_bytes;
  symbol.state = Symbol::State::label;
  symbol.section = section_;
  symbol.offset = place();
  if (function.visibility == STV_DEFAULT) function.visibility = STV_PROTECTED;
  symbols_.note(descriptor);
  text::Value entry, start;
  entry.later = symbols_.symbol_expression(code, Specifier::rel64);
  start.later = symbols_.symbol_expression(descriptor);
  text::Value distance;
  symbols_.combine(text::Operator::subtract, entry, start, distance);
  Fixup fixup;
  fixup.bytes = 8;
  fixup.section = section_;
  fixup.offset = fixup.place = place() + 16;
  fixup.expression = distance.later;
  fixup.at = builder.at;
  symbols_.note_all(distance.later);
  fixups_.push_back(fixup);
  if (!sections_[section_].has_bytes()) return report_at(builder.at, "a kernel descriptor in a section of zeros");
  this->bytes() += bytes;
}

/// Registers in the units in which the hardware hands them out, minus one.
bool Assembler::count_blocks(const KernelValues& given, const Location& at, RegisterBlocks& blocks) {
  const Chips chip = context_.chip_set;
  const bool is_gfx9 = (chip & text::gfx9) != 0, has_unified = (chip & unified_registers) != 0;
  const auto number = [&](std::string_view name, i64 otherwise) {
    const auto found = given.find(name);
    return found == given.end() ? otherwise : found->second.number;
  };
  const auto wrong = [&](std::string_view name, std::string message) {
    const auto found = given.find(name);
    report_at(found == given.end() ? at : found->second.at, std::move(message));
    return false;
  };
  const auto units = [](i64 count, i64 unit) { return (std::max<i64>(count, 1) + unit - 1) / unit - 1; };
  constexpr i64 many = 1 << 20;
  const i64 vectors = number("next_free_vgpr", 0), scalars = number("next_free_sgpr", 0);
  const bool is_wave32 = number("wavefront_size32", context_.wave_size == 32) != 0;
  const i64 unit = has_unified ? 8 : (chip & text::cdna5) != 0 ? 16 : !is_gfx9 && is_wave32 ? 8 : 4;
  if (vectors < 0 || vectors > many || units(vectors, unit) > 63)
    return wrong("next_free_vgpr", fmt::format("at most {} vector registers", 64 * unit));
  blocks.vector = static_cast<u32>(units(vectors, unit));
  if (is_gfx9) {
    constexpr i64 most_scalars = 102;
    if (scalars < 0 || scalars > most_scalars)
      return wrong("next_free_sgpr", fmt::format("at most {} scalar registers", most_scalars));
    const i64 all = scalars + extra_scalar_registers(facts_, number("reserve_vcc", 1) != 0,
                                                     number("reserve_flat_scratch", 1) != 0, facts_.is_xnack_on_or_any);
    blocks.scalar = static_cast<u32>(units(all, 8));
  }
  if (has_unified) {
    const i64 offset = number("accum_offset", 0);
    if (offset < 4 || offset > 256 || offset % 4 != 0)
      return wrong("accum_offset", "the offset must be a multiple of 4 from 4 to 256");
    if (offset > (std::max<i64>(vectors, 1) + 3) / 4 * 4)
      return wrong("accum_offset", "the offset is beyond the kernel's vector registers");
    blocks.accum = static_cast<u32>(offset / 4 - 1);
  }
  const i64 shared = number("shared_vgpr_count", 0);
  if (shared != 0 && is_wave32) return wrong("shared_vgpr_count", "waves of 32 lanes share no registers");
  if (shared * 2 + blocks.vector > 63)
    return wrong("shared_vgpr_count", "shared and own vector registers are too many together");
  return true;
}

/// A descriptor some of whose counts were not known before all was read.
void Assembler::resolve(PendingKernel& pending) {
  for (auto& [name, given] : pending.given) {
    if (given.expression == 0) continue;
    Relocatable value;
    std::string problem;
    if (!symbols_.evaluate(given.expression, value, problem)) return report_at(given.at, problem);
    if (!value.is_number()) {
      const u32 symbol = value.plus != no_symbol ? value.plus : value.minus;
      return report_at(given.at, fmt::format("'{}' is not known", symbols_[symbol].name));
    }
    given.number = value.constant;
  }
  RegisterBlocks blocks;
  if (!count_blocks(pending.given, pending.at, blocks)) return;
  std::string& out = sections_[pending.section].bytes;
  if (pending.place + kernel_descriptor_bytes > out.size()) return;
  const auto add = [&](u64 offset, u32 bits) {
    u32 word = 0;
    std::memcpy(&word, out.data() + pending.place + offset, sizeof word);
    word |= bits;
    std::memcpy(out.data() + pending.place + offset, &word, sizeof word);
  };
  add(48, blocks.vector | blocks.scalar << 6);
  if ((context_.chip_set & unified_registers) != 0) add(44, blocks.accum);
}

}  // namespace gfxisa::assembler

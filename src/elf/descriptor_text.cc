#include "elf/descriptor_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "elf/kernel_descriptor.h"

namespace gfxisa {
namespace {

/// What a target's descriptors look like. Facts: the AMDGPU chapter of LLVM's user guide, "Kernel Descriptor", and
/// llvm-mc 22, which makes the same bytes from the directives (tests/elf).
enum Trait : u16 {
  before_gfx12 = 1,
  gfx10_up = 2,
  gfx12_up = 4,
  only_gfx11 = 8,
  gfx1250_up = 16,
  before_gfx1250 = 32,
  accumulators = 64,  ///< one register file for VGPRs and AccVGPRs: gfx90a and later CDNA before gfx1250
  flat_setup = 128,   ///< scratch through SGPRs; without, the architecture keeps its base
  preloads = 256,     ///< kernel arguments to SGPRs
  gfx10_and_gfx11 = 512,
  wave_choice = 1024,
};
constexpr u16 every = 0;

struct Target {
  unsigned major = 0, minor = 0;
  char stepping = '0';
  u16 traits = 0;
  bool has_xnack_mask = false;
  bool has(u16 wanted) const { return (traits & wanted) == wanted; }
};

Target target_of(std::string_view id) {
  Target target;
  std::string_view name = id.substr(0, id.find(':'));
  if (name.starts_with("gfx")) name.remove_prefix(3);
  if (name.size() < 3) return target;
  for (const char c : name.substr(0, name.size() - 2))
    target.major = target.major * 10 + static_cast<unsigned>(c - '0');
  target.minor = static_cast<unsigned>(name[name.size() - 2] - '0');
  target.stepping = name.back();
  const bool is_gfx1250 = target.major == 12 && target.minor == 5;
  const bool is_unified = target.major == 9 && (target.stepping == 'a' || target.minor >= 4);
  const auto set = [&](bool condition, Trait trait) {
    if (condition) target.traits |= trait;
  };
  set(target.major < 12, before_gfx12);
  set(target.major >= 10, gfx10_up);
  set(target.major >= 10, wave_choice);
  set(target.major >= 12, gfx12_up);
  set(target.major == 11, only_gfx11);
  set(target.major == 10 || target.major == 11, gfx10_and_gfx11);
  set(is_gfx1250, gfx1250_up);
  set(!is_gfx1250, before_gfx1250);
  set(is_unified, accumulators);
  set(target.major < 11 && !(target.major == 9 && target.minor >= 4), flat_setup);
  set(is_unified || is_gfx1250, preloads);
  return target;
}

/// Words of a descriptor, by their offset in bytes.
enum Word : u8 {
  group_word = 0,
  private_word = 4,
  kernarg_word = 8,
  rsrc3 = 44,
  rsrc1 = 48,
  rsrc2 = 52,
  properties = 56
};

/// A directive whose operand is a field as it stands.
struct FieldDirective {
  std::string_view name;
  Word word;
  u8 low, width;
  u16 traits;
  u16 without = 0;  ///< traits that targets with this directive do not have
};

constexpr std::array field_directives = {
    FieldDirective{"group_segment_fixed_size", group_word, 0, 32, every},
    FieldDirective{"private_segment_fixed_size", private_word, 0, 32, every},
    FieldDirective{"kernarg_size", kernarg_word, 0, 32, every},
    FieldDirective{"tg_split", rsrc3, 16, 1, accumulators},
    FieldDirective{"shared_vgpr_count", rsrc3, 0, 4, gfx10_and_gfx11},
    FieldDirective{"inst_pref_size", rsrc3, 4, 6, only_gfx11},
    FieldDirective{"inst_pref_size", rsrc3, 4, 8, gfx12_up},
    FieldDirective{"named_barrier_count", rsrc3, 14, 3, gfx1250_up},
    FieldDirective{"float_round_mode_32", rsrc1, 12, 2, every},
    FieldDirective{"float_round_mode_16_64", rsrc1, 14, 2, every},
    FieldDirective{"float_denorm_mode_32", rsrc1, 16, 2, every},
    FieldDirective{"float_denorm_mode_16_64", rsrc1, 18, 2, every},
    FieldDirective{"dx10_clamp", rsrc1, 21, 1, before_gfx12},
    FieldDirective{"round_robin_scheduling", rsrc1, 21, 1, gfx12_up},
    FieldDirective{"ieee_mode", rsrc1, 23, 1, before_gfx12},
    FieldDirective{"fp16_overflow", rsrc1, 26, 1, every},
    FieldDirective{"workgroup_processor_mode", rsrc1, 29, 1, gfx10_up | before_gfx1250},
    FieldDirective{"memory_ordered", rsrc1, 30, 1, gfx10_up},
    FieldDirective{"forward_progress", rsrc1, 31, 1, gfx10_up},
    FieldDirective{"system_sgpr_private_segment_wavefront_offset", rsrc2, 0, 1, flat_setup},
    FieldDirective{"enable_private_segment", rsrc2, 0, 1, every, flat_setup},
    FieldDirective{"user_sgpr_count", rsrc2, 1, 5, before_gfx1250},
    FieldDirective{"user_sgpr_count", rsrc2, 1, 6, gfx1250_up},
    FieldDirective{"system_sgpr_workgroup_id_x", rsrc2, 7, 1, every},
    FieldDirective{"system_sgpr_workgroup_id_y", rsrc2, 8, 1, every},
    FieldDirective{"system_sgpr_workgroup_id_z", rsrc2, 9, 1, every},
    FieldDirective{"system_sgpr_workgroup_info", rsrc2, 10, 1, every},
    FieldDirective{"system_vgpr_workitem_id", rsrc2, 11, 2, every},
    FieldDirective{"exception_fp_ieee_invalid_op", rsrc2, 24, 1, every},
    FieldDirective{"exception_fp_denorm_src", rsrc2, 25, 1, every},
    FieldDirective{"exception_fp_ieee_div_zero", rsrc2, 26, 1, every},
    FieldDirective{"exception_fp_ieee_overflow", rsrc2, 27, 1, every},
    FieldDirective{"exception_fp_ieee_underflow", rsrc2, 28, 1, every},
    FieldDirective{"exception_fp_ieee_inexact", rsrc2, 29, 1, every},
    FieldDirective{"exception_int_div_zero", rsrc2, 30, 1, every},
    FieldDirective{"user_sgpr_private_segment_buffer", properties, 0, 1, flat_setup},
    FieldDirective{"user_sgpr_dispatch_ptr", properties, 1, 1, every},
    FieldDirective{"user_sgpr_queue_ptr", properties, 2, 1, every},
    FieldDirective{"user_sgpr_kernarg_segment_ptr", properties, 3, 1, every},
    FieldDirective{"user_sgpr_dispatch_id", properties, 4, 1, every},
    FieldDirective{"user_sgpr_flat_scratch_init", properties, 5, 1, flat_setup},
    FieldDirective{"user_sgpr_private_segment_size", properties, 6, 1, every},
    FieldDirective{"wavefront_size32", properties, 10, 1, wave_choice},
    FieldDirective{"uses_dynamic_stack", properties, 11, 1, every},
    FieldDirective{"user_sgpr_kernarg_preload_length", properties, 16, 7, preloads},
    FieldDirective{"user_sgpr_kernarg_preload_offset", properties, 23, 9, preloads},
};

/// Registers that each user SGPR bit of `properties` takes.
constexpr std::array<u8, 7> user_registers{4, 2, 2, 2, 2, 2, 1};

class DescriptorWriter {
 public:
  DescriptorWriter(std::string& out, const Target& target, std::span<const u8> bytes)
      : out_(out), target_(target), bytes_(bytes) {}

  std::string write(std::string_view name) {
    out_ += fmt::format("\t.amdhsa_kernel {}\n", name);
    for (const FieldDirective& row : field_directives) {
      if (!target_.has(row.traits) || (target_.traits & row.without) != 0) continue;
      line(row.name, bits(row.word, row.low, row.width));
      express(row.word, row.low, row.width);
    }
    write_vector_registers();
    write_scalar_registers();
    out_ += "\t.end_amdhsa_kernel\n";
    return problem();
  }

 private:
  u32 word(unsigned offset) const {
    u32 value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }
  u32 bits(unsigned offset, unsigned low, unsigned width) const { return word(offset) >> low & low_ones(width); }
  void express(unsigned offset, unsigned low, unsigned width) {
    expressed_[offset / 4] |= static_cast<u32>(low_ones(width) << low);
  }
  void line(std::string_view name, u64 value) { out_ += fmt::format("\t\t.amdhsa_{} {}\n", name, value); }

  bool is_wave32() const { return target_.has(wave_choice) && bits(properties, 10, 1) != 0; }

  unsigned vector_granule() const {
    if (target_.has(accumulators)) return 8;
    const unsigned wave32 = target_.has(gfx1250_up) ? 16 : 8;
    return is_wave32() ? wave32 : wave32 / 2;
  }

  void write_vector_registers() {
    if (target_.has(accumulators)) {
      line("accum_offset", (bits(rsrc3, 0, 6) + 1) * 4);
      express(rsrc3, 0, 6);
    }
    line("next_free_vgpr", (bits(rsrc1, 0, 6) + 1) * vector_granule());
    express(rsrc1, 0, 6);
  }

  void write_scalar_registers() {
    // An assembler adds what is reserved: the mask of XNACK as the target says, scratch's base where the architecture
    // keeps it.
    line("reserve_vcc", 0);
    if (target_.has(flat_setup)) line("reserve_flat_scratch", 0);
    const unsigned extra = target_.major >= 10 ? 0 : !target_.has(flat_setup) ? 6 : target_.has_xnack_mask ? 4 : 0;
    const unsigned count = (bits(rsrc1, 6, 4) + 1) * 8;
    line("next_free_sgpr", count - extra);
    if (target_.major < 10) express(rsrc1, 6, 4);  // later ones always have all of them
  }

  std::string problem() const {
    for (unsigned offset = 0; offset < kernel_descriptor_bytes; offset += 4) {
      if (offset == 16 || offset == 20) continue;  // where the code is
      if (const u32 rest = word(offset) & ~expressed_[offset / 4]; rest != 0)
        return fmt::format("no directive sets bits 0x{:x} of the word at byte {}", rest, offset);
    }
    unsigned wanted = 0;
    for (unsigned i = 0; i < user_registers.size(); ++i) wanted += bits(properties, i, 1) != 0 ? user_registers[i] : 0;
    if (target_.has(preloads)) wanted += bits(properties, 16, 7);
    const unsigned count = bits(rsrc2, 1, target_.has(gfx1250_up) ? 6 : 5);
    if (wanted > count) return fmt::format("{} user SGPRs do not hold the {} that are asked for", count, wanted);
    if (target_.has(accumulators) && (bits(rsrc3, 0, 6) + 1) * 4 > (bits(rsrc1, 0, 6) + 1) * 8)
      return "the accumulators start behind the last register";
    return {};
  }

  std::string& out_;
  const Target& target_;
  std::span<const u8> bytes_;
  std::array<u32, kernel_descriptor_bytes / 4> expressed_{};
};

}  // namespace

bool append_descriptor(std::string& out, std::string_view name, std::string_view target_id, bool has_xnack_mask,
                       std::span<const u8> bytes, std::string& problem) {
  Target target = target_of(target_id);
  target.has_xnack_mask = has_xnack_mask;
  std::string text;
  problem = DescriptorWriter(text, target, bytes).write(name);
  if (!problem.empty()) return false;
  out += text;
  return true;
}

}  // namespace gfxisa

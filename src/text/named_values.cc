#include "text/named_values.h"

#include "inst/tables.h"

namespace gfxisa::text {

namespace {

constexpr NamedValue chip_names[] = {{cdna1, "cdna1"},    {cdna2, "cdna2"}, {cdna3, "cdna3"}, {cdna4, "cdna4"},
                                     {cdna5, "cdna5"},    {rdna1, "rdna1"}, {rdna2, "rdna2"}, {rdna3, "rdna3"},
                                     {rdna35, "rdna3.5"}, {rdna4, "rdna4"}};

constexpr Chips before_gfx12 = gfx9 | gfx10 | gfx11;
constexpr Chips cdna34 = cdna3 | cdna4;

constexpr NamedValue hardware_register_names[] = {
    {1, "HW_REG_MODE", before_gfx12},
    {2, "HW_REG_STATUS", before_gfx12},
    {3, "HW_REG_TRAPSTS", before_gfx12},
    {4, "HW_REG_HW_ID", gfx9},
    {5, "HW_REG_GPR_ALLOC", before_gfx12},
    {6, "HW_REG_LDS_ALLOC", before_gfx12},
    {7, "HW_REG_IB_STS"},
    {15, "HW_REG_SH_MEM_BASES", before_gfx12},
    {16, "HW_REG_TBA_LO", gfx9 | gfx10},
    {17, "HW_REG_TBA_HI", gfx9 | gfx10},
    {18, "HW_REG_TMA_LO", gfx9 | gfx10},
    {19, "HW_REG_TMA_HI", gfx9 | gfx10},
    {20, "HW_REG_XCC_ID", cdna34},
    {21, "HW_REG_SQ_PERF_SNAPSHOT_DATA", cdna34},
    {22, "HW_REG_SQ_PERF_SNAPSHOT_DATA1", cdna34},
    {23, "HW_REG_SQ_PERF_SNAPSHOT_PC_LO", cdna34},
    {24, "HW_REG_SQ_PERF_SNAPSHOT_PC_HI", cdna34},
    {18, "HW_REG_PERF_SNAPSHOT_PC_LO", gfx11},
    {19, "HW_REG_PERF_SNAPSHOT_PC_HI", gfx11},
    {20, "HW_REG_FLAT_SCR_LO", gfx10 | gfx11},
    {21, "HW_REG_FLAT_SCR_HI", gfx10 | gfx11},
    {22, "HW_REG_XNACK_MASK", rdna1},
    {23, "HW_REG_HW_ID1", gfx10 | gfx11},
    {24, "HW_REG_HW_ID2", gfx10 | gfx11},
    {25, "HW_REG_POPS_PACKER", gfx10},
    {27, "HW_REG_PERF_SNAPSHOT_DATA", gfx11},
    {29, "HW_REG_SHADER_CYCLES", rdna2 | gfx11},
    {1, "HW_REG_WAVE_MODE", gfx12},
    {2, "HW_REG_WAVE_STATUS", gfx12},
    {4, "HW_REG_WAVE_STATE_PRIV", gfx12},
    {5, "HW_REG_WAVE_GPR_ALLOC", gfx12},
    {6, "HW_REG_WAVE_LDS_ALLOC", gfx12},
    {10, "HW_REG_PERF_SNAPSHOT_DATA", gfx12},
    {11, "HW_REG_PERF_SNAPSHOT_PC_LO", gfx12},
    {12, "HW_REG_PERF_SNAPSHOT_PC_HI", gfx12},
    {15, "HW_REG_PERF_SNAPSHOT_DATA1", gfx12},
    {16, "HW_REG_PERF_SNAPSHOT_DATA2", gfx12},
    {17, "HW_REG_WAVE_EXCP_FLAG_PRIV", gfx12},
    {18, "HW_REG_WAVE_EXCP_FLAG_USER", gfx12},
    {19, "HW_REG_WAVE_TRAP_CTRL", gfx12},
    {20, "HW_REG_WAVE_SCRATCH_BASE_LO", gfx12},
    {21, "HW_REG_WAVE_SCRATCH_BASE_HI", gfx12},
    {23, "HW_REG_WAVE_HW_ID1", gfx12},
    {24, "HW_REG_WAVE_HW_ID2", gfx12},
    {26, "HW_REG_WAVE_SCHED_MODE", gfx12},
    {28, "HW_REG_IB_STS2", cdna5},
    {29, "HW_REG_SHADER_CYCLES_LO", gfx12},
    {30, "HW_REG_SHADER_CYCLES_HI", gfx12},
    {31, "HW_REG_WAVE_DVGPR_ALLOC_LO", gfx12},
    {32, "HW_REG_WAVE_DVGPR_ALLOC_HI", gfx12},
    {33, "HW_REG_XNACK_STATE_PRIV", cdna5},
    {34, "HW_REG_XNACK_MASK", cdna5},
};

constexpr Chips with_geometry = gfx9 | gfx10;

constexpr NamedValue message_names[] = {
    {1, "MSG_INTERRUPT"},
    {2, "MSG_GS", with_geometry},
    {3, "MSG_GS_DONE", with_geometry},
    {2, "MSG_HS_TESSFACTOR", gfx11 | gfx12},
    {3, "MSG_DEALLOC_VGPRS", gfx11 | gfx12},
    {4, "MSG_SAVEWAVE", with_geometry},
    {5, "MSG_STALL_WAVE_GEN", with_geometry | gfx11},
    {6, "MSG_HALT_WAVES", with_geometry | gfx11},
    {7, "MSG_ORDERED_PS_DONE", with_geometry},
    {8, "MSG_EARLY_PRIM_DEALLOC", with_geometry},
    {9, "MSG_GS_ALLOC_REQ"},
    {10, "MSG_GET_DOORBELL", with_geometry},
    {10, "MSG_SAVEWAVE_HAS_TDM", cdna5},
    {11, "MSG_GET_DDID", gfx10},
    {15, "MSG_SYSMSG", with_geometry},
    {128, "MSG_RTN_GET_DOORBELL", gfx11 | gfx12},
    {129, "MSG_RTN_GET_DDID", gfx11 | gfx12},
    {130, "MSG_RTN_GET_TMA", gfx11 | gfx12},
    {131, "MSG_RTN_GET_REALTIME", gfx11 | gfx12},
    {132, "MSG_RTN_SAVE_WAVE", gfx11 | gfx12},
    {133, "MSG_RTN_GET_TBA", gfx11 | gfx12},
    {134, "MSG_RTN_GET_TBA_TO_PC", gfx11 | gfx12},
    {135, "MSG_RTN_GET_SE_AID_ID", gfx12},
    {136, "MSG_RTN_GET_CLUSTER_BARRIER_STATE", cdna5},
};

constexpr NamedValue geometry_operations[] = {
    {0, "GS_OP_NOP"}, {1, "GS_OP_CUT"}, {2, "GS_OP_EMIT"}, {3, "GS_OP_EMIT_CUT"}};
constexpr NamedValue system_operations[] = {
    {1, "SYSMSG_OP_ECC_ERR_INTERRUPT"}, {2, "SYSMSG_OP_REG_RD"}, {4, "SYSMSG_OP_TTRACE_PC"}};

constexpr NamedValue delay_instruction_names[] = {{0, "NO_DEP"},        {1, "VALU_DEP_1"},    {2, "VALU_DEP_2"},
                                                  {3, "VALU_DEP_3"},    {4, "VALU_DEP_4"},    {5, "TRANS32_DEP_1"},
                                                  {6, "TRANS32_DEP_2"}, {7, "TRANS32_DEP_3"}, {8, "FMA_ACCUM_CYCLE_1"},
                                                  {9, "SALU_CYCLE_1"},  {10, "SALU_CYCLE_2"}, {11, "SALU_CYCLE_3"}};
constexpr NamedValue delay_skip_names[] = {{0, "SAME"},   {1, "NEXT"},   {2, "SKIP_1"},
                                           {3, "SKIP_2"}, {4, "SKIP_3"}, {5, "SKIP_4"}};

constexpr ImmediatePart wait_counter_parts[] = {
    {"vmcnt", 0, 4, 14, 2, gfx9 | gfx10},   {"expcnt", 4, 3, 0, 0, gfx9 | gfx10},
    {"lgkmcnt", 8, 4, 0, 0, gfx9},          {"lgkmcnt", 8, 6, 0, 0, gfx10},
    {"vmcnt", 10, 6, 0, 0, gfx11 | gfx12},  {"expcnt", 0, 3, 0, 0, gfx11 | gfx12},
    {"lgkmcnt", 4, 6, 0, 0, gfx11 | gfx12},
};

constexpr ImmediatePart dependency_counter_parts[] = {
    {"depctr_hold_cnt", 7, 1, 0, 0, rdna2 | gfx11 | gfx12},
    {"depctr_sa_sdst", 0, 1},
    {"depctr_va_vdst", 12, 4},
    {"depctr_va_sdst", 9, 3},
    {"depctr_va_ssrc", 8, 1},
    {"depctr_va_vcc", 1, 1},
    {"depctr_vm_vsrc", 2, 3},
};

constexpr NamedValue gpr_index_names[] = {{1, "SRC0"}, {2, "SRC1"}, {4, "SRC2"}, {8, "DST"}};
constexpr NamedValue version_names[] = {
    {0, "UC_VERSION_GFX7"}, {4, "UC_VERSION_GFX10"}, {6, "UC_VERSION_GFX11"}, {9, "UC_VERSION_GFX12"}};
constexpr NamedValue version_flag_names[] = {
    {0x2000, "UC_VERSION_W64_BIT"}, {0x4000, "UC_VERSION_W32_BIT"}, {0x8000, "UC_VERSION_MDP_BIT"}};
constexpr NamedValue scope_names[] = {{0, "SCOPE_CU"}, {1, "SCOPE_SE"}, {2, "SCOPE_DEV"}, {3, "SCOPE_SYS"}};
constexpr NamedValue dimension_names[] = {{0, "SQ_RSRC_IMG_1D"},       {1, "SQ_RSRC_IMG_2D"},
                                          {2, "SQ_RSRC_IMG_3D"},       {3, "SQ_RSRC_IMG_CUBE"},
                                          {4, "SQ_RSRC_IMG_1D_ARRAY"}, {5, "SQ_RSRC_IMG_2D_ARRAY"},
                                          {6, "SQ_RSRC_IMG_2D_MSAA"},  {7, "SQ_RSRC_IMG_2D_MSAA_ARRAY"}};
constexpr NamedValue selection_names[] = {{0, "BYTE_0"}, {1, "BYTE_1"}, {2, "BYTE_2"}, {3, "BYTE_3"},
                                          {4, "WORD_0"}, {5, "WORD_1"}, {6, "DWORD"}};
constexpr NamedValue unused_names[] = {{0, "UNUSED_PAD"}, {1, "UNUSED_SEXT"}, {2, "UNUSED_PRESERVE"}};
constexpr NamedValue matrix_format_names[] = {
    {0, "MATRIX_FMT_FP8"}, {1, "MATRIX_FMT_BF8"}, {2, "MATRIX_FMT_FP6"}, {3, "MATRIX_FMT_BF6"}, {4, "MATRIX_FMT_FP4"}};
constexpr NamedValue matrix_scale_names[] = {{0, "MATRIX_SCALE_ROW0"}, {1, "MATRIX_SCALE_ROW1"}};
constexpr NamedValue matrix_scale_format_names[] = {
    {0, "MATRIX_SCALE_FMT_E8"}, {1, "MATRIX_SCALE_FMT_E5M3"}, {2, "MATRIX_SCALE_FMT_E4M3"}};

constexpr ExportTarget export_target_names[] = {
    {"mrt", 0, 8},
    {"mrtz", 8, 0},
    {"null", 9, 0, gfx9 | gfx10},
    {"pos", 12, 4, gfx9},
    {"pos", 12, 5, gfx10 | gfx11 | gfx12},
    {"prim", 20, 0, gfx10 | gfx11 | gfx12},
    {"dual_src_blend", 21, 2, gfx11 | gfx12},
    {"param", 32, 32, gfx9 | gfx10},
};

}  // namespace

Chips chip_bit(unsigned chip) {
  static const std::array<Chips, chip_count> bits = [] {
    std::array<Chips, chip_count> all{};
    for (unsigned i = 0; i < all.size() && i < tables().chips.size(); ++i) {
      const NamedValue* row = find_name(chip_names, any_chip, tables().text(tables().chips[i].name));
      if (row != nullptr) all[i] = static_cast<Chips>(row->value);
    }
    return all;
  }();
  return chip < bits.size() ? bits[chip] : Chips{0};
}

std::string_view name_of(std::span<const NamedValue> table, Chips chip, u32 value) {
  for (const NamedValue& row : table) {
    if (row.value == value && (row.chips & chip) != 0) return row.name;
  }
  return {};
}

const NamedValue* find_name(std::span<const NamedValue> table, Chips chip, std::string_view name) {
  for (const NamedValue& row : table) {
    if (row.name == name && (row.chips & chip) != 0) return &row;
  }
  return nullptr;
}

std::span<const NamedValue> hardware_registers() { return hardware_register_names; }
std::span<const NamedValue> messages() { return message_names; }

MessageKind message_kind(Chips chip, u32 message) {
  if ((chip & with_geometry) == 0) return MessageKind::plain;
  return message == 2    ? MessageKind::geometry
         : message == 3  ? MessageKind::geometry_done
         : message == 15 ? MessageKind::system
                         : MessageKind::plain;
}

std::span<const NamedValue> message_operations(MessageKind kind) {
  switch (kind) {
    case MessageKind::plain:
      return {};
    case MessageKind::geometry:
      return std::span(geometry_operations).subspan(1);  // only the last message may do nothing
    case MessageKind::geometry_done:
      return geometry_operations;
    case MessageKind::system:
      return system_operations;
  }
  return {};
}

std::span<const NamedValue> delay_instructions() { return delay_instruction_names; }
std::span<const NamedValue> delay_skips() { return delay_skip_names; }

u32 ImmediatePart::get(u32 word) const {
  const u32 below = (word >> low) & ((1u << width) - 1);
  return below | ((word >> high_low) & ((1u << high_width) - 1)) << width;
}

u32 ImmediatePart::set(u32 word, u32 value) const {
  const u32 below = ((1u << width) - 1) << low, above = ((1u << high_width) - 1) << high_low;
  return (word & ~(below | above)) | ((value << low) & below) | ((value >> width << high_low) & above);
}

std::span<const ImmediatePart> wait_counters() { return wait_counter_parts; }
std::span<const ImmediatePart> dependency_counters() { return dependency_counter_parts; }
std::span<const ExportTarget> export_targets() { return export_target_names; }
std::span<const NamedValue> gpr_index_modes() { return gpr_index_names; }
std::span<const NamedValue> versions() { return version_names; }
std::span<const NamedValue> version_flags() { return version_flag_names; }
std::span<const NamedValue> scopes() { return scope_names; }
std::span<const NamedValue> image_dimensions() { return dimension_names; }
std::span<const NamedValue> sdwa_selections() { return selection_names; }
std::span<const NamedValue> sdwa_unused() { return unused_names; }
std::span<const NamedValue> matrix_formats() { return matrix_format_names; }
std::span<const NamedValue> matrix_scales() { return matrix_scale_names; }
std::span<const NamedValue> matrix_scale_formats() { return matrix_scale_format_names; }

}  // namespace gfxisa::text

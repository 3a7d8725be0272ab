#include "runtime/devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "elf/target.h"
#include "inst/instruction.h"

namespace gfxisa::runtime {
namespace {

constexpr u32 kib = 1024, mib = 1024 * kib;
constexpr u64 gib = u64{1024} * mib;

// Public data sheets of the products. gfx1250 has none yet: its figures are those of the generation before it, its data
// share and wave size what its code objects may use.
constexpr std::array figures{
    DeviceFigures{.target = "gfx908",
                  .product = "AMD Instinct MI100",
                  .device_id = 0x738c,
                  .compute_units = 120,
                  .waves_per_unit = 40,
                  .engines = 8,
                  .clock = 1502,
                  .memory_clock = 1200,
                  .memory_bits = 4096,
                  .l1_bytes = 16 * kib,
                  .l2_bytes = 8 * mib,
                  .wave_size = 64,
                  .memory_bytes = 32 * gib},
    DeviceFigures{.target = "gfx90a",
                  .product = "AMD Instinct MI210",
                  .device_id = 0x740f,
                  .compute_units = 104,
                  .waves_per_unit = 32,
                  .engines = 8,
                  .clock = 1700,
                  .memory_clock = 1600,
                  .memory_bits = 4096,
                  .l1_bytes = 16 * kib,
                  .l2_bytes = 8 * mib,
                  .wave_size = 64,
                  .memory_bytes = 64 * gib},
    DeviceFigures{.target = "gfx942",
                  .product = "AMD Instinct MI300X",
                  .device_id = 0x74a1,
                  .compute_units = 304,
                  .waves_per_unit = 32,
                  .engines = 32,
                  .clock = 2100,
                  .memory_clock = 1300,
                  .memory_bits = 8192,
                  .l1_bytes = 32 * kib,
                  .l2_bytes = 4 * mib,
                  .l3_bytes = 256 * mib,
                  .wave_size = 64,
                  .xccs = 8,
                  .memory_bytes = 192 * gib},
    DeviceFigures{.target = "gfx950",
                  .product = "AMD Instinct MI355X",
                  .device_id = 0x75a3,
                  .compute_units = 256,
                  .waves_per_unit = 32,
                  .engines = 32,
                  .clock = 2400,
                  .memory_clock = 2000,
                  .memory_bits = 8192,
                  .l1_bytes = 32 * kib,
                  .l2_bytes = 4 * mib,
                  .l3_bytes = 256 * mib,
                  .lds_bytes = 160 * kib,
                  .wave_size = 64,
                  .xccs = 8,
                  .memory_bytes = 288 * gib},
    DeviceFigures{.target = "gfx1250",
                  .product = "AMD Instinct (CDNA 5)",
                  .device_id = 0x75d0,
                  .compute_units = 256,
                  .waves_per_unit = 32,
                  .engines = 32,
                  .clock = 2400,
                  .memory_clock = 2000,
                  .memory_bits = 8192,
                  .l1_bytes = 32 * kib,
                  .l2_bytes = 4 * mib,
                  .l3_bytes = 256 * mib,
                  .lds_bytes = 320 * kib,
                  .xccs = 8,
                  .memory_bytes = 288 * gib},
    DeviceFigures{.target = "gfx1010",
                  .product = "AMD Radeon RX 5700 XT",
                  .device_id = 0x731f,
                  .compute_units = 40,
                  .simds_per_unit = 2,
                  .waves_per_unit = 40,
                  .engines = 2,
                  .arrays_per_engine = 2,
                  .clock = 2100,
                  .memory_clock = 875,
                  .memory_bits = 256,
                  .l1_bytes = 16 * kib,
                  .l2_bytes = 4 * mib,
                  .memory_bytes = 8 * gib},
    DeviceFigures{.target = "gfx1030",
                  .product = "AMD Radeon RX 6900 XT",
                  .device_id = 0x73bf,
                  .compute_units = 80,
                  .simds_per_unit = 2,
                  .waves_per_unit = 32,
                  .engines = 4,
                  .arrays_per_engine = 2,
                  .clock = 2250,
                  .memory_clock = 1000,
                  .memory_bits = 256,
                  .l1_bytes = 16 * kib,
                  .l2_bytes = 4 * mib,
                  .l3_bytes = 128 * mib,
                  .memory_bytes = 16 * gib},
    DeviceFigures{.target = "gfx1100",
                  .product = "AMD Radeon RX 7900 XTX",
                  .device_id = 0x744c,
                  .compute_units = 96,
                  .simds_per_unit = 2,
                  .waves_per_unit = 32,
                  .engines = 6,
                  .arrays_per_engine = 2,
                  .clock = 2500,
                  .memory_clock = 1249,
                  .memory_bits = 384,
                  .l1_bytes = 32 * kib,
                  .l2_bytes = 6 * mib,
                  .l3_bytes = 96 * mib,
                  .memory_bytes = 24 * gib},
    DeviceFigures{.target = "gfx1150",
                  .product = "AMD Radeon 890M",
                  .device_id = 0x150e,
                  .compute_units = 16,
                  .simds_per_unit = 2,
                  .waves_per_unit = 32,
                  .engines = 1,
                  .arrays_per_engine = 2,
                  .clock = 2900,
                  .memory_clock = 2800,
                  .memory_bits = 128,
                  .l1_bytes = 32 * kib,
                  .l2_bytes = 2 * mib,
                  .memory_bytes = 16 * gib},
    DeviceFigures{.target = "gfx1201",
                  .product = "AMD Radeon RX 9070 XT",
                  .device_id = 0x7550,
                  .compute_units = 64,
                  .simds_per_unit = 2,
                  .waves_per_unit = 32,
                  .engines = 4,
                  .arrays_per_engine = 2,
                  .clock = 2970,
                  .memory_clock = 1258,
                  .memory_bits = 256,
                  .l1_bytes = 32 * kib,
                  .l2_bytes = 8 * mib,
                  .l3_bytes = 64 * mib,
                  .memory_bytes = 16 * gib},
};

/// Figures of the processor, or of another one of its family.
const DeviceFigures* figures_for(std::string_view target, int chip) {
  for (const DeviceFigures& row : figures) {
    if (row.target == target) return &row;
  }
  for (const DeviceFigures& row : figures) {
    if (find_chip(std::string(row.target)) == chip) return &row;
  }
  return nullptr;
}

/// A device has each feature on or off; code objects that do not care run with either.
void settle(TargetFeature& feature, TargetFeature choice) {
  if (feature == TargetFeature::any) feature = choice;
}

}  // namespace

Result<Device> device_for(std::string_view target) {
  TargetId id;
  if (target.find(':') != std::string_view::npos) {
    auto parsed = parse_target_id(target);
    if (!parsed) return parsed.error();
    id = *parsed;
  } else {
    id = default_target(target);
  }
  const int chip = find_chip(id.processor);
  const DeviceFigures* row = chip < 0 ? nullptr : figures_for(id.processor, chip);
  if (row == nullptr) {
    std::string names;
    for (const DeviceFigures& known : figures) names += fmt::format("{}{}", names.empty() ? "" : ", ", known.target);
    return Error{fmt::format("no GPU is called '{}'", target), "one of " + names};
  }
  settle(id.sramecc, TargetFeature::on);
  settle(id.xnack, TargetFeature::off);
  return Device{*row, id.processor, id.text(), static_cast<unsigned>(chip)};
}

}  // namespace gfxisa::runtime

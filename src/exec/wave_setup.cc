#include "exec/wave_setup.h"

#include "exec/access.h"
#include "exec/program.h"
#include "inst/tables.h"

namespace gfxisa::exec {
namespace {

/// Apertures of flat addresses; any value with low words 0 that host memory does not have will do.
constexpr u64 shared_aperture = u64{0x00010000} << 32, private_aperture = u64{0x00020000} << 32;
constexpr u64 aperture_bytes_minus_one = 0xffffffffu;

/// M0 and NULL changed places with gfx11.
u32 m0_code_of(unsigned chip) {
  const std::string_view epoch = tables().text(tables().chips[chip].epoch);
  return epoch == "gfx9" || epoch == "gfx10" ? 124 : 125;
}

bool has_numbered_scratch(unsigned chip) { return tables().text(tables().chips[chip].name) == "cdna5"; }

}  // namespace

bool has_architected_scratch(unsigned chip) {
  const std::string_view name = tables().text(tables().chips[chip].name);
  const std::string_view epoch = tables().text(tables().chips[chip].epoch);
  return name == "cdna3" || name == "cdna4" || (epoch != "gfx9" && epoch != "gfx10");
}

WaveTraits::WaveTraits(unsigned chip)
    : m0_code(m0_code_of(chip)),
      has_architected_scratch(exec::has_architected_scratch(chip)),
      has_numbered_scratch(exec::has_numbered_scratch(chip)) {}

Apertures flat_apertures() { return {shared_aperture, private_aperture}; }

void connect_wave(Wave& wave, const Program& program, const WaveTraits& traits, Workgroup& workgroup,
                  const MemoryMap& memory, const Scratch& scratch, u32 mode) {
  wave.bases[1] = program.constants();
  wave.m0_code = traits.m0_code;
  wave.code_base = program.address();
  wave.program = &program;
  wave.workgroup = &workgroup;
  wave.memory = &memory;
  wave.scratch.base = scratch.base;
  wave.scratch.lane_bytes = scratch.lane_bytes;
  wave.scratch.is_interleaved = !traits.has_architected_scratch;
  wave.shared_aperture = shared_aperture;
  wave.private_aperture = private_aperture;
  // LLVM's AMDGPU backend, addrspacecast where scratch has addresses of its own: 57 bits less those of the lane.
  if (traits.has_numbered_scratch) wave.private_lane_shift = wave.wave_size() == 32 ? 52 : 51;
  wave.set_pair(slot_shared_base, shared_aperture);
  wave.set_pair(slot_shared_limit, shared_aperture | aperture_bytes_minus_one);
  wave.set_pair(slot_private_base, private_aperture);
  wave.set_pair(slot_private_limit, private_aperture | aperture_bytes_minus_one);
  wave.set_pair(slot_scratch_base, reinterpret_cast<u64>(scratch.base));
  write_mode(wave, mode);
}

}  // namespace gfxisa::exec

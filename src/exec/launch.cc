#include "exec/launch.h"

#include <fmt/format.h>

#include <algorithm>

#include "codec/decode.h"
#include "text/disassemble.h"

namespace gfxisa::exec {
namespace {

/// The chip's default where the kernel may choose, else its only size.
unsigned wave_size_of(const gfxisa::Kernel& kernel, unsigned chip) {
  const u8 waves = tables().chips[chip].waves;
  if ((waves & 1) == 0) return 64;
  if ((waves & 2) == 0) return 32;
  return kernel.descriptor.is_wave32() ? 32 : 64;
}

/// The kernel dispatch packet of AQL, for code that reads sizes there (HSA Platform System Architecture, 2.9.6).
struct DispatchPacket {
  u16 header = 2, setup;  ///< a kernel dispatch; number of dimensions
  u16 block[3], reserved = 0;
  u32 grid[3], private_bytes, group_bytes;
  u64 kernel_object, kernarg_address, reserved2 = 0, completion_signal = 0;
};
static_assert(sizeof(DispatchPacket) == 64);

constexpr u32 max_lds_bytes = 320 * 1024;  // CDNA 5; others have 64 or 160 KiB
constexpr u32 max_scratch_bytes = 1u << 24;

}  // namespace

VectorLimits vector_limits(const KernelDescriptor& descriptor, unsigned chip, unsigned wave_size) {
  const std::string_view name = tables().text(tables().chips[chip].name);
  const u32 units = descriptor.vector_register_units();
  if (name == "cdna1") return {units * 4, units * 4};
  if (name == "cdna2" || name == "cdna3" || name == "cdna4") {
    const u32 all = units * 8, vectors = std::min<u32>(all, descriptor.accum_offset());
    return {vectors, all - vectors};
  }
  // By LLVM's getVGPREncodingGranule and getVGPRAllocGranule, of a generation's targets the largest.
  const u32 asked = units * (name == "cdna5" ? 16 : 8) / (wave_size / 32);
  const u32 unit = (name == "rdna1" ? 8 : name == "rdna2" || name == "cdna5" ? 16 : 24) / (wave_size / 32);
  return {(asked + unit - 1) / unit * unit, 0};
}

const Program& LoadedCode::program_of(const Segment& segment, const gfxisa::Kernel& kernel, unsigned wave_size) {
  const auto chip = static_cast<unsigned>(object_.chip);
  const std::span<const u8> code{object_.image() + segment.offset, segment.size};
  std::unique_ptr<Program>& whole = of_segments_[{segment.offset, wave_size}];
  if (whole == nullptr) whole = std::make_unique<Program>(chip, wave_size, code);
  const VectorLimits limits = vector_limits(kernel.descriptor, chip, wave_size);
  const u64 begin = kernel.entry_offset - segment.offset;
  u64 end = kernel.code_size != 0 ? begin + kernel.code_size : segment.size;
  for (const Symbol& symbol : object_.symbols) {
    if (symbol.is_function && symbol.offset > kernel.entry_offset) end = std::min(end, symbol.offset - segment.offset);
  }
  // Of other functions, and where numbers of registers have high bits set apart, the code alone does not say.
  if (whole->has_banks() || !whole->names_beyond(limits, begin, end)) return *whole;
  std::unique_ptr<Program>& own = of_kernels_[{kernel.entry_offset, wave_size}];
  own = std::make_unique<Program>(chip, wave_size, code, limits);
  return *own;
}

Result<const Program*> LoadedCode::program_for(const gfxisa::Kernel& kernel, unsigned wave_size) {
  const Program*& chosen = chosen_[{kernel.entry_offset, wave_size}];
  if (chosen != nullptr) return chosen;
  for (const Segment& segment : object_.segments) {
    if (!segment.is_executable || kernel.entry_offset < segment.offset ||
        kernel.entry_offset >= segment.offset + segment.size)
      continue;
    return chosen = &program_of(segment, kernel, wave_size);
  }
  return Error{fmt::format("kernel '{}' does not start in an executable segment", kernel.metadata.name), {}};
}

Result<LaunchConfig> LoadedCode::configure(const gfxisa::Kernel& kernel, const LaunchNeeds& needs) {
  if (object_.chip < 0) return Error{fmt::format("no instruction set for {}", object_.target), {}};
  const auto chip = static_cast<unsigned>(object_.chip);
  if (needs.lds_bytes > max_lds_bytes)
    return Error{fmt::format("{} bytes of LDS; a workgroup has at most {}", needs.lds_bytes, max_lds_bytes), {}};
  if (needs.scratch_bytes > max_scratch_bytes)
    return Error{fmt::format("{} bytes of scratch a lane", needs.scratch_bytes), {}};
  LaunchConfig config;
  config.chip = chip;
  config.wave_size = wave_size_of(kernel, chip);
  config.size = needs.size;
  config.descriptor = kernel.descriptor;
  config.mode = initial_mode(kernel.descriptor, chip);
  config.lds_bytes = static_cast<u32>(needs.lds_bytes);
  config.scratch_bytes = (needs.scratch_bytes + 15) & ~15u;
  config.kernarg_address = needs.kernarg_address;
  const std::lock_guard lock(lock_);
  const auto program = program_for(kernel, config.wave_size);
  if (!program) return program.error();
  config.program = *program;
  config.entry_offset = reinterpret_cast<u64>(object_.image()) + kernel.entry_offset - (*program)->address();
  return config;
}

Result<LaunchReport> LoadedCode::launch(const gfxisa::Kernel& kernel, const LaunchSize& size,
                                        std::span<const std::vector<u8>> arguments, std::span<const GuestRange> memory,
                                        const LaunchOptions& options) {
  if (auto checked = check_launch(kernel.metadata, size); !checked) return checked.error();
  auto segment = make_kernarg_segment(kernel.metadata, arguments, size, {});
  if (!segment) return segment.error();
  // Code loads whole aligned groups of words, also when the last argument ends within one.
  segment->resize((segment->size() + 63) / 64 * 64);
  LaunchNeeds needs;
  needs.size = size;
  needs.lds_bytes = u64{kernel.descriptor.group_segment_bytes} + size.dynamic_lds_bytes;
  // A kernel with a stack of unknown depth gets room to move; the rest gets what it asked for.
  constexpr u32 stack_bytes = 16384;
  needs.scratch_bytes = kernel.descriptor.private_segment_bytes;
  if (kernel.descriptor.uses_dynamic_stack() && needs.scratch_bytes <= max_scratch_bytes)
    needs.scratch_bytes += stack_bytes;
  needs.kernarg_address = reinterpret_cast<u64>(segment->data());
  auto config = configure(kernel, needs);
  if (!config) return config.error();
  config->threads = options.threads;
  config->max_instructions = options.max_instructions;
  config->observers = options.observers;
  DispatchPacket packet{.setup = 3,
                        .block = {},
                        .grid = {size.grid[0], size.grid[1], size.grid[2]},
                        .private_bytes = config->scratch_bytes,
                        .group_bytes = config->lds_bytes,
                        .kernel_object = reinterpret_cast<u64>(object_.image()) + kernel.descriptor_offset,
                        .kernarg_address = config->kernarg_address};
  for (unsigned axis = 0; axis < 3; ++axis) packet.block[axis] = static_cast<u16>(size.block[axis]);
  config->dispatch_address = reinterpret_cast<u64>(&packet);
  MemoryMap map;
  map.add(segment->data(), segment->size(), false);
  map.add(&packet, sizeof packet, false);
  for (const Segment& part : object_.segments) map.add(object_.image() + part.offset, part.size, part.is_writable);
  for (const GuestRange& range : memory) map.add(range.start, range.bytes, range.is_writable);
  LaunchReport report = dispatch(*config, std::move(map));
  report.note = note_on_limits(kernel, *config->program);
  return report;
}

std::string note_on_limits(const gfxisa::Kernel& kernel, const Program& program) {
  const VectorLimits& limits = program.limits();
  if (limits.vectors == VectorLimits().vectors) return {};
  const std::string more = limits.accumulators == 0 ? "" : fmt::format(" and {} AccVGPRs", limits.accumulators);
  return fmt::format(
      "kernel '{}' names vector registers beyond the {}{} that its descriptor gives it: as on hardware, sources there "
      "are v0, and instructions with a result there do nothing",
      kernel.metadata.name, limits.vectors, more);
}

std::string describe_fault(const LaunchReport& report, const CodeObject& object, const gfxisa::Kernel& kernel) {
  const Fault& fault = report.first_fault;
  const u64 base = reinterpret_cast<u64>(object.image());
  const u64 offset = fault.code_address - base;
  std::string out = fmt::format("kernel '{}': {}", kernel.metadata.name, describe(fault.kind));
  if (fault.bytes != 0) out += fmt::format(": {} bytes at 0x{:x}, lane {}", fault.bytes, fault.address, fault.lane);
  if (fault.kind == FaultKind::trap || fault.kind == FaultKind::bad_register) out += fmt::format(" {}", fault.number);
  const std::string_view function = object.function_at(offset);
  out += fmt::format("\n  at code offset 0x{:x}", offset);
  if (!function.empty()) out += fmt::format(" in {}", function);
  if (const std::string source = object.source_at(offset); !source.empty()) out += fmt::format(" ({})", source);
  if (offset < object.image_size()) {
    const auto bytes = std::span<const u8>(object.image(), object.image_size()).subspan(offset);
    const auto chip = static_cast<unsigned>(object.chip);
    const Decoded decoded =
        decode(chip, bytes.first(std::min<std::size_t>(bytes.size(), 24)), wave_size_of(kernel, chip));
    if (decoded) out += ": " + to_text(decoded.instruction);
  }
  out += fmt::format("\n  workgroup {}, wave {}", fmt::join(report.fault_workgroup, ","), report.fault_wave);
  if (report.faults > 1) out += fmt::format(" ({} workgroups stopped at faults)", report.faults);
  return out;
}

}  // namespace gfxisa::exec

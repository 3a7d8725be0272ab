#include "elf/kernarg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace gfxisa {
namespace {

unsigned grid_dimensions(const LaunchSize& size) {
  if (size.grid[2] > 1) return 3;
  return size.grid[1] > 1 ? 2 : 1;
}

/// Value of a hidden argument; those this project does not serve (and global offsets) are 0, which their users read as
/// absent.
u64 hidden_value(const std::string& kind, const LaunchSize& size, const HiddenAddresses& addresses) {
  const auto axis = static_cast<unsigned>(kind.back() - 'x');
  if (axis < 3) {
    if (kind.starts_with("hidden_block_count_")) return size.grid[axis] / size.block[axis];
    if (kind.starts_with("hidden_group_size_")) return size.block[axis];
    if (kind.starts_with("hidden_remainder_")) return size.grid[axis] % size.block[axis];
  }
  if (kind == "hidden_grid_dims") return grid_dimensions(size);
  if (kind == "hidden_dynamic_lds_size") return size.dynamic_lds_bytes;
  if (kind == "hidden_printf_buffer") return addresses.printf_buffer;
  if (kind == "hidden_hostcall_buffer") return addresses.hostcall_buffer;
  if (kind == "hidden_multigrid_sync_arg") return addresses.grid_sync;
  if (kind == "hidden_heap_v1") return addresses.heap;
  if (kind == "hidden_queue_ptr") return addresses.queue;
  if (kind == "hidden_shared_base") return addresses.shared_base;
  if (kind == "hidden_private_base") return addresses.private_base;
  return 0;
}

std::string signature(const KernelMetadata& kernel) {
  std::string out;
  for (const KernelArgument& argument : kernel.arguments) {
    if (argument.is_hidden()) continue;
    if (!out.empty()) out += ", ";
    out += fmt::format("{}{}{} ({} bytes)", argument.type_name.empty() ? argument.kind : argument.type_name,
                       argument.name.empty() ? "" : " ", argument.name, argument.size);
  }
  return out;
}

}  // namespace

Result<bool> check_launch(const KernelMetadata& kernel, const LaunchSize& size) {
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (size.grid[axis] == 0 || size.block[axis] == 0) return Error{"grid and block sizes must be at least 1", {}};
    if (kernel.required_workgroup[0] != 0 && size.block[axis] != kernel.required_workgroup[axis]) {
      return Error{fmt::format("kernel '{}' was compiled for workgroups of {}", kernel.name,
                               fmt::join(kernel.required_workgroup, ",")),
                   fmt::format("--block {}", fmt::join(kernel.required_workgroup, ","))};
    }
  }
  const u64 items = u64{size.block[0]} * size.block[1] * size.block[2];
  const u64 limit = std::min<u64>(kernel.max_workgroup_size == 0 ? 1024 : kernel.max_workgroup_size, 1024);
  if (size.block[0] > 1024 || size.block[1] > 1024 || size.block[2] > 1024 || items > limit) {
    return Error{fmt::format("a workgroup of {} work-items; kernel '{}' allows {}", items, kernel.name, limit), {}};
  }
  return true;
}

Result<std::vector<u8>> make_kernarg_segment(const KernelMetadata& kernel,
                                             std::span<const std::vector<u8>> explicit_arguments,
                                             const LaunchSize& size, const HiddenAddresses& addresses) {
  constexpr u32 max_bytes = 1 << 20;
  std::size_t next = 0;
  u64 bytes = kernel.kernarg_bytes;
  for (const KernelArgument& argument : kernel.arguments)
    bytes = std::max<u64>(bytes, u64{argument.offset} + argument.size);
  if (bytes > max_bytes) return Error{fmt::format("a kernel-argument segment of {} bytes", bytes), {}};
  std::vector<u8> segment(bytes);
  for (const KernelArgument& argument : kernel.arguments) {
    if (argument.is_hidden()) {
      const u64 value = hidden_value(argument.kind, size, addresses);
      // A segment without bytes has no address to copy to.
      if (argument.size != 0) std::memcpy(segment.data() + argument.offset, &value, std::min<u32>(argument.size, 8));
      continue;
    }
    if (next == explicit_arguments.size()) break;
    const auto& value = explicit_arguments[next];
    if (value.size() != argument.size) {
      return Error{
          fmt::format("argument {} of '{}' has {} bytes, {} given", next, kernel.name, argument.size, value.size()),
          "the kernel takes: " + signature(kernel)};
    }
    std::ranges::copy(value, segment.begin() + argument.offset);
    ++next;
  }
  const auto wanted = static_cast<std::size_t>(std::count_if(kernel.arguments.begin(), kernel.arguments.end(),
                                                             [](const KernelArgument& a) { return !a.is_hidden(); }));
  if (explicit_arguments.size() != wanted) {
    return Error{
        fmt::format("kernel '{}' takes {} arguments, {} given", kernel.name, wanted, explicit_arguments.size()),
        "the kernel takes: " + signature(kernel)};
  }
  return segment;
}

}  // namespace gfxisa

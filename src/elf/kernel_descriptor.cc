#include "elf/kernel_descriptor.h"

#include <cstring>

namespace gfxisa {
namespace {

template <class T>
T field_at(std::span<const u8> bytes, unsigned offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

}  // namespace

KernelDescriptor read_kernel_descriptor(std::span<const u8> bytes) {
  KernelDescriptor d;
  d.group_segment_bytes = field_at<u32>(bytes, 0);
  d.private_segment_bytes = field_at<u32>(bytes, 4);
  d.kernarg_bytes = field_at<u32>(bytes, 8);
  d.entry_offset = field_at<i64>(bytes, 16);
  d.rsrc3 = field_at<u32>(bytes, 44);
  d.rsrc1 = field_at<u32>(bytes, 48);
  d.rsrc2 = field_at<u32>(bytes, 52);
  d.properties = field_at<u16>(bytes, 56);
  d.preload = field_at<u16>(bytes, 58);
  return d;
}

}  // namespace gfxisa

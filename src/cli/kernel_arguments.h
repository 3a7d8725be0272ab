// Kernel arguments as written on the command line: `f32:1.5`, `u64:7`, `buf:4096`, `buf:@in.bin`, `buf:f32*1024:iota`.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/types.h"

namespace gfxisa {

/// A buffer of guest memory: page aligned, a page apart from its neighbours so that a wild access is not in one by
/// chance.
class GuestBuffer {
 public:
  /// `size` zero bytes; data() is null when there is no memory for them.
  explicit GuestBuffer(u64 size);
  ~GuestBuffer();
  GuestBuffer(GuestBuffer&& other) noexcept;
  GuestBuffer(const GuestBuffer&) = delete;
  GuestBuffer& operator=(const GuestBuffer&) = delete;
  u8* data() const { return data_; }
  u64 size() const { return size_; }

 private:
  u8* data_ = nullptr;
  u64 size_ = 0;
};

/// One argument: the bytes that go into the kernel-argument segment, and the buffer they point to, if any.
struct KernelArgumentValue {
  std::string text;  ///< as written
  std::vector<u8> bytes;
  std::unique_ptr<GuestBuffer> buffer;  ///< null for numbers
};

/// Parses one argument. Errors say which forms there are.
Result<KernelArgumentValue> parse_kernel_argument(std::string_view text);

}  // namespace gfxisa

// AMD GPU code objects (ELF64, AMDHSA, versions 4, 5 and 6), read and laid out in memory.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "elf/kernel_descriptor.h"
#include "elf/metadata.h"
#include "elf/target.h"

namespace gfxisa {

/// A loaded segment: bytes [offset, offset + size) of the image.
struct Segment {
  u64 offset = 0, size = 0;
  bool is_writable = false, is_executable = false;
};

/// A symbol of the object, its value relative to the image.
struct Symbol {
  std::string name;
  u64 offset = 0, size = 0;
  bool is_function = false;
};

/// A kernel: its metadata, its descriptor, and where both stand in the image.
struct Kernel {
  KernelMetadata metadata;
  KernelDescriptor descriptor;
  u64 descriptor_offset = 0;
  u64 entry_offset = 0;
  u64 code_size = 0;  ///< bytes of the function's symbol; 0 when it has none
};

/// Gives an image's pages back.
struct Unmap {
  u64 size = 0;
  void operator()(u8* start) const;
};

/// A code object in memory. The image is laid out as its program headers say, page aligned, relocated to where it
/// stands: device addresses are host addresses. Move-only; the image stays where it is.
class CodeObject {
 public:
  std::string target;    ///< gfx1100
  int chip = -1;         ///< index in tables().chips; -1 when the target is none of ours
  unsigned version = 0;  ///< 3 to 6
  std::vector<Segment> segments;
  std::vector<Symbol> symbols;  ///< defined ones, sorted by offset
  std::vector<Kernel> kernels;
  std::vector<std::string> printf_formats;  ///< of kernels that print into a buffer; see printf_buffer.h

  u8* image() const { return image_.get(); }
  u64 image_size() const { return image_size_; }
  /// Kernel by name; nullptr when there is none.
  const Kernel* find_kernel(std::string_view name) const;
  /// Name of the function that covers `offset`, empty when none does.
  std::string_view function_at(u64 offset) const;
  /// `path:line` of the source of the code at `offset`; empty when there is no debug information.
  std::string source_at(u64 offset) const;

 private:
  friend class CodeObjectReader;
  std::unique_ptr<u8, Unmap> image_;
  u64 image_size_ = 0;
  std::vector<u8> debug_file_;  ///< the whole file, when it says where its code comes from
};

/// Reads and lays out a code object. `bytes` need not outlive the result.
Result<CodeObject> load_code_object(std::span<const u8> bytes);

}  // namespace gfxisa

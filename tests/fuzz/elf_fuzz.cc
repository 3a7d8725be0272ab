// Any bytes as a code object: an error with a message, or an object whose kernels, symbols and segments lie in its
// image. A corpus to start from: examples/kernels.
#include <algorithm>
#include <cstdlib>

#include "codec/decode.h"
#include "elf/code_object.h"
#include "elf/kernarg.h"

using namespace gfxisa;

static void require(bool holds) {
  if (!holds) std::abort();
}

static bool lies_in(const CodeObject& object, u64 offset, u64 size) {
  return offset <= object.image_size() && size <= object.image_size() - offset;
}

/// What a launch would read of a kernel: descriptor, code, arguments.
static void read_kernel(const CodeObject& object, const Kernel& kernel) {
  require(lies_in(object, kernel.descriptor_offset, kernel_descriptor_bytes));
  require(lies_in(object, kernel.entry_offset, kernel.code_size));
  require(object.find_kernel(kernel.metadata.name) != nullptr);
  const u64 size = kernel.code_size ? kernel.code_size : object.image_size() - kernel.entry_offset;
  std::span<const u8> code(object.image() + kernel.entry_offset, size);
  for (unsigned i = 0; i < 64 && !code.empty() && object.chip >= 0; ++i)
    code = code.subspan(std::max(1u, unsigned{decode(static_cast<unsigned>(object.chip), code).instruction.size}));
  const LaunchSize launch;
  if (!check_launch(kernel.metadata, launch)) return;
  std::vector<std::vector<u8>> arguments;
  for (const KernelArgument& argument : kernel.metadata.arguments)
    if (!argument.is_hidden()) arguments.emplace_back(std::min(argument.size, 4096u));
  if (const auto segment = make_kernarg_segment(kernel.metadata, arguments, launch, {}))
    require(segment->size() >= kernel.metadata.kernarg_bytes);
}

extern "C" int LLVMFuzzerTestOneInput(const u8* data, std::size_t size) {
  const auto object = load_code_object(std::span(data, size));
  if (!object) {
    require(!object.error().message.empty());
    return 0;
  }
  for (const Segment& segment : object->segments) require(lies_in(*object, segment.offset, segment.size));
  for (const Symbol& symbol : object->symbols) object->function_at(symbol.offset);
  for (const Kernel& kernel : object->kernels) read_kernel(*object, kernel);
  return 0;
}

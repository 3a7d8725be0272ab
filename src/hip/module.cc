#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "hip/state.h"

namespace gfxisa::hip {
namespace {

/// Bytes of the bundle or code object at `start`, as its own header says; 0 when it is neither.
std::size_t size_of_image(const u8* start) {
  const auto read = [&](std::size_t offset, auto& value) { std::memcpy(&value, start + offset, sizeof value); };
  constexpr std::string_view magic = "__CLANG_OFFLOAD_BUNDLE__";
  if (std::memcmp(start, magic.data(), magic.size()) == 0) {
    u64 count = 0, at = magic.size() + 8, end = 0;
    read(magic.size(), count);
    for (u64 i = 0; i < std::min<u64>(count, 4096); ++i) {
      u64 offset = 0, size = 0, name = 0;
      read(at, offset);
      read(at + 8, size);
      read(at + 16, name);
      at += 24 + name;
      end = std::max({end, at, offset + size});
    }
    return end;
  }
  if (std::memcmp(start, "CCOB", 4) == 0) {
    u16 version = 0;
    read(4, version);
    u32 small = 0;
    u64 large = 0;
    read(8, small);
    read(8, large);
    return version >= 3 ? large : version == 2 ? small : 0;
  }
  if (std::memcmp(start,
                  "\x7f"
                  "ELF",
                  4) != 0)
    return 0;
  u64 sections = 0;
  u16 entry = 0, count = 0;
  read(40, sections);
  read(58, entry);
  read(60, count);
  return sections + u64{entry} * count;
}

/// Whether code for `code` (gfx90a:xnack-) runs on a device (gfx90a:sramecc+:xnack-).
bool fits(std::string_view code, std::string_view device) {
  const auto processor = [](std::string_view id) { return id.substr(0, id.find(':')); };
  if (processor(code) != processor(device)) return false;
  for (std::size_t at = code.find(':'); at != std::string_view::npos;) {
    const std::size_t next = code.find(':', at + 1);
    if (device.find(code.substr(at, next - at)) == std::string_view::npos) return false;
    at = next;
  }
  return true;
}

std::span<const u8> code_for(const std::vector<Bundle>& bundles, std::string_view device) {
  for (const Bundle& bundle : bundles) {
    for (const BundleEntry& entry : bundle.entries) {
      if (!entry.target.empty() && fits(entry.target_id, device)) return entry.bytes;
    }
  }
  return {};
}

Result<std::unique_ptr<Module>> load_code(std::span<const u8> code) {
  auto module = std::make_unique<Module>();
  module->device = current_device;
  module->bytes.assign(code.begin(), code.end());
  auto object = load_code_object(module->bytes);
  if (!object) return object.error();
  module->object = std::move(*object);
  const hsa_agent_t agent = State::get().devices[static_cast<std::size_t>(current_device)].agent;
  hsa_code_object_reader_t reader{};
  hsa_code_object_reader_create_from_memory(module->bytes.data(), module->bytes.size(), &reader);
  hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, nullptr, &module->executable);
  const hsa_status_t status =
      hsa_executable_load_agent_code_object(module->executable, agent, reader, nullptr, nullptr);
  hsa_code_object_reader_destroy(reader);
  if (status != HSA_STATUS_SUCCESS) return Error{"the code object does not load", {}};
  hsa_executable_freeze(module->executable, nullptr);
  for (const Kernel& kernel : module->object.kernels) {
    hsa_executable_symbol_t symbol{};
    Function function{module.get(), &kernel, 0};
    if (hsa_executable_get_symbol_by_name(module->executable, kernel.metadata.symbol.c_str(), &agent, &symbol) ==
        HSA_STATUS_SUCCESS)
      hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &function.object);
    module->functions.emplace(kernel.metadata.name, function);
  }
  return module;
}

}  // namespace

Module::~Module() {
  if (executable.handle != 0) hsa_executable_destroy(executable);
}

bool Module::find_variable(const std::string& name, void*& address, std::size_t& size) const {
  const hsa_agent_t agent = State::get().devices[static_cast<std::size_t>(device)].agent;
  hsa_executable_symbol_t symbol{};
  hsa_symbol_kind_t kind{};
  u32 bytes = 0;
  u64 place = 0;
  if (hsa_executable_get_symbol_by_name(executable, name.c_str(), &agent, &symbol) != HSA_STATUS_SUCCESS ||
      hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_TYPE, &kind) != HSA_STATUS_SUCCESS ||
      kind != HSA_SYMBOL_KIND_VARIABLE)
    return false;
  hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS, &place);
  hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE, &bytes);
  address = reinterpret_cast<void*>(place);
  size = bytes;
  return true;
}

Result<std::unique_ptr<Module>> State::load(const void* image, std::size_t known_size) {
  const auto* start = static_cast<const u8*>(image);
  const std::size_t size = known_size != 0 ? known_size : size_of_image(start);
  if (size == 0) return Error{"neither a code object nor a bundle of them", {}};
  const std::span<const u8> bytes{start, size};
  if (!is_bundle(bytes)) return load_code(bytes);
  const auto bundles = read_bundles(bytes);
  if (!bundles) return bundles.error();
  const auto code = code_for(*bundles, devices[static_cast<std::size_t>(current_device)].target_id);
  if (code.empty()) return Error{"no code for this device", {}};
  return load_code(code);
}

FatBinary* State::add_binary(const void* data) {
  struct Wrapper {
    u32 magic, version;
    const u8* image;
  };
  constexpr u32 wrapper_magic = 0x48495046;  // HIPF
  const auto& wrapper = *static_cast<const Wrapper*>(data);
  const std::lock_guard lock(mutex_);
  FatBinary& binary = binaries_.emplace_back();
  if (wrapper.magic != wrapper_magic || wrapper.image == nullptr) {
    binary.problem = "not a fat binary of HIP";
    return &binary;
  }
  auto bundles = read_bundles({wrapper.image, size_of_image(wrapper.image)});
  if (bundles)
    binary.bundles = std::move(*bundles);
  else
    binary.problem = bundles.error().message;
  return &binary;
}

void State::add_function(FatBinary* binary, const void* host_function, const char* name) {
  const std::lock_guard lock(mutex_);
  functions_[host_function] = {binary, name, 0, nullptr};
}

void State::add_variable(FatBinary* binary, const void* host_variable, const char* name, std::size_t size,
                         void** managed) {
  const std::lock_guard lock(mutex_);
  variables_[host_variable] = {binary, name, size, managed};
}

hipError_t State::module_of(FatBinary& binary, Module*& module) {
  auto& entry = binary.modules[current_device];
  if (entry == nullptr) {
    const std::string& target = devices[static_cast<std::size_t>(current_device)].target_id;
    const auto code = code_for(binary.bundles, target);
    if (code.empty()) {
      const std::string why = binary.problem.empty() ? "" : ": " + binary.problem;
      fmt::print(stderr, "gfxisa: the program has no code for {}{}\n", target, why);
      return hipErrorNoBinaryForGpu;
    }
    auto loaded = load_code(code);
    if (!loaded) {
      fmt::print(stderr, "gfxisa: the program's code for {}: {}\n", target, loaded.error().message);
      return hipErrorInvalidImage;
    }
    entry = std::move(*loaded);
    // Managed variables live in memory of both sides; the device's pointer to each is set here.
    for (const auto& [host, symbol] : variables_) {
      if (symbol.binary != &binary || symbol.managed == nullptr) continue;
      void* place = nullptr;
      std::size_t size = 0;
      if (entry->find_variable(symbol.name, place, size)) std::memcpy(place, symbol.managed, sizeof(void*));
    }
  }
  module = entry.get();
  return hipSuccess;
}

hipError_t State::find_function(const void* host_function, Function*& function) {
  if (const hipError_t error = start(); error != hipSuccess) return error;
  const std::lock_guard lock(mutex_);
  const auto found = functions_.find(host_function);
  if (found == functions_.end()) return hipErrorInvalidDeviceFunction;
  Module* module = nullptr;
  if (const hipError_t error = module_of(*found->second.binary, module); error != hipSuccess) return error;
  const auto kernel = module->functions.find(found->second.name);
  if (kernel == module->functions.end()) return hipErrorInvalidDeviceFunction;
  function = &kernel->second;
  return hipSuccess;
}

hipError_t State::find_variable(const void* host_variable, void*& address, std::size_t& size) {
  if (const hipError_t error = start(); error != hipSuccess) return error;
  const std::lock_guard lock(mutex_);
  const auto found = variables_.find(host_variable);
  if (found == variables_.end()) return hipErrorInvalidSymbol;
  if (found->second.managed != nullptr) {
    address = *found->second.managed;
    size = found->second.size;
    return hipSuccess;
  }
  Module* module = nullptr;
  if (const hipError_t error = module_of(*found->second.binary, module); error != hipSuccess) return error;
  return module->find_variable(found->second.name, address, size) ? hipSuccess : hipErrorInvalidSymbol;
}

}  // namespace gfxisa::hip

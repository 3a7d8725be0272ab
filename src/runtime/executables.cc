#include "runtime/executables.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "elf/parsed_elf.h"
#include "runtime/memory.h"
#include "runtime/report.h"

namespace gfxisa::runtime {
namespace {

/// Whether code for `object` (gfx90a:xnack-) runs on a device (gfx90a:sramecc+:xnack-): same processor, and each
/// feature that the code settles is the device's.
bool is_compatible(std::string_view object, std::string_view device) {
  const auto next_part = [](std::string_view& rest) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    const std::string_view part = rest.substr(0, colon);
    rest.remove_prefix(std::min(colon + 1, rest.size()));
    return part;
  };
  const auto has = [&](std::string_view part) {
    for (std::string_view rest = device; !rest.empty();) {
      if (next_part(rest) == part) return true;
    }
    return false;
  };
  for (std::string_view rest = object; !rest.empty();) {
    if (!has(next_part(rest))) return false;
  }
  return true;
}

std::string_view without_triple(std::string_view isa) {
  const std::size_t at = isa.rfind("--");
  return at == std::string_view::npos ? isa : isa.substr(at + 2);
}

void add_symbols(Executable& executable, LoadedCodeObject& loaded) {
  const u64 base = reinterpret_cast<u64>(loaded.object.image());
  std::unordered_set<std::string_view> of_kernels;
  for (const gfxisa::Kernel& kernel : loaded.object.kernels) {
    ExecutableSymbol& symbol =
        executable.add(kernel.metadata.symbol, HSA_SYMBOL_KIND_KERNEL, loaded.agent, base + kernel.descriptor_offset);
    symbol.bytes = kernel_descriptor_bytes;
    symbol.kernel = &kernel;
    of_kernels.insert(kernel.metadata.symbol);
    of_kernels.insert(kernel.metadata.name);
  }
  for (const Symbol& defined : loaded.object.symbols) {
    if (of_kernels.contains(defined.name)) continue;
    ExecutableSymbol& symbol =
        executable.add(defined.name, defined.is_function ? HSA_SYMBOL_KIND_INDIRECT_FUNCTION : HSA_SYMBOL_KIND_VARIABLE,
                       loaded.agent, base + defined.offset);
    symbol.bytes = defined.size;
    for (const Segment& segment : loaded.object.segments) {
      if (defined.offset >= segment.offset && defined.offset - segment.offset < segment.size)
        symbol.is_constant = !segment.is_writable;
    }
  }
}

}  // namespace

hsa_status_t ExecutableSymbol::get_info(u32 attribute, void* value) const {
  const bool is_kernel = kind == HSA_SYMBOL_KIND_KERNEL, is_variable = kind == HSA_SYMBOL_KIND_VARIABLE;
  switch (attribute) {
    case HSA_EXECUTABLE_SYMBOL_INFO_TYPE:
      return answer(value, kind);
    case HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH:
      return answer<u32>(value, static_cast<u32>(name.size()));
    case HSA_EXECUTABLE_SYMBOL_INFO_NAME:
      std::memcpy(value, name.data(), name.size());
      return HSA_STATUS_SUCCESS;
    case HSA_EXECUTABLE_SYMBOL_INFO_MODULE_NAME_LENGTH:
      return answer<u32>(value, 0);
    case HSA_EXECUTABLE_SYMBOL_INFO_MODULE_NAME:
      return HSA_STATUS_SUCCESS;
    case HSA_EXECUTABLE_SYMBOL_INFO_AGENT:
      return answer(value, hsa_agent_t{agent != nullptr ? handle_of(agent) : 0});
    case HSA_EXECUTABLE_SYMBOL_INFO_LINKAGE:
      return answer(value, HSA_SYMBOL_LINKAGE_PROGRAM);
    case HSA_EXECUTABLE_SYMBOL_INFO_IS_DEFINITION:
      return answer(value, true);
    default:
      break;
  }
  if (is_variable) {
    switch (attribute) {
      case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS:
        return answer<u64>(value, address);
      case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALLOCATION:
        return answer(value, agent != nullptr ? HSA_VARIABLE_ALLOCATION_AGENT : HSA_VARIABLE_ALLOCATION_PROGRAM);
      case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SEGMENT:
        return answer(value, is_constant ? HSA_VARIABLE_SEGMENT_READONLY : HSA_VARIABLE_SEGMENT_GLOBAL);
      case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALIGNMENT:
        return answer<u32>(value, address == 0 ? 1 : 1u << std::min(12, __builtin_ctzll(address)));
      case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE:
        return answer<u32>(value, static_cast<u32>(bytes));
      case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_IS_CONST:
        return answer(value, is_constant);
      default:
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  }
  if (!is_kernel) {
    if (attribute == HSA_EXECUTABLE_SYMBOL_INFO_INDIRECT_FUNCTION_OBJECT) return answer<u64>(value, address);
    if (attribute == HSA_EXECUTABLE_SYMBOL_INFO_INDIRECT_FUNCTION_CALL_CONVENTION) return answer<u32>(value, 0);
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  }
  const KernelMetadata& metadata = kernel->metadata;
  switch (attribute) {
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT:
      return answer<u64>(value, address);
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE:
      return answer<u32>(value, std::max(metadata.kernarg_bytes, kernel->descriptor.kernarg_bytes));
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_ALIGNMENT:
      return answer<u32>(value, std::max(metadata.kernarg_align, 16u));
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE:
      return answer<u32>(value, kernel->descriptor.group_segment_bytes);
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE:
      return answer<u32>(value, kernel->descriptor.private_segment_bytes);
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_DYNAMIC_CALLSTACK:
      return answer(value, kernel->descriptor.uses_dynamic_stack() || metadata.uses_dynamic_stack);
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_CALL_CONVENTION:
      return answer<u32>(value, 0);
    default:
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  }
}

ExecutableSymbol& Executable::add(std::string name, hsa_symbol_kind_t kind, const Agent* agent, u64 address) {
  ExecutableSymbol& symbol = symbols.emplace_back();
  symbol.name = std::move(name);
  symbol.kind = kind;
  symbol.agent = agent;
  symbol.address = address;
  by_name.emplace(symbol.name, &symbol);
  return symbol;
}

const ExecutableSymbol* Executable::find(const std::string& name, const Agent* agent) const {
  const auto [first, last] = by_name.equal_range(name);
  for (auto it = first; it != last; ++it) {
    const ExecutableSymbol* symbol = it->second;
    if (agent == nullptr || symbol->agent == nullptr || symbol->agent == agent) return symbol;
  }
  return nullptr;
}

u64 Executables::add_bytes(CodeBytes bytes) {
  auto entry = std::make_shared<CodeBytes>(std::move(bytes));
  if (!entry->copy.empty()) entry->start = entry->copy.data();
  const u64 handle = handle_of(entry.get());
  const std::lock_guard lock(mutex_);
  bytes_.emplace(handle, std::move(entry));
  return handle;
}

bool Executables::has_bytes(u64 handle) const {
  const std::shared_lock lock(mutex_);
  return bytes_.contains(handle);
}

bool Executables::remove_bytes(u64 handle) {
  const std::lock_guard lock(mutex_);
  return bytes_.erase(handle) != 0;
}

u64 Executables::create(hsa_profile_t profile, hsa_default_float_rounding_mode_t rounding) {
  auto executable = std::make_shared<Executable>();
  executable->profile = profile;
  executable->rounding = rounding;
  const u64 handle = handle_of(executable.get());
  const std::lock_guard lock(mutex_);
  executables_.emplace(handle, std::move(executable));
  return handle;
}

std::shared_ptr<Executable> Executables::find(u64 handle) const {
  const std::shared_lock lock(mutex_);
  const auto found = executables_.find(handle);
  return found == executables_.end() ? nullptr : found->second;
}

std::vector<u64> Executables::all() const {
  const std::shared_lock lock(mutex_);
  std::vector<u64> handles;
  for (const auto& [handle, executable] : executables_) handles.push_back(handle);
  return handles;
}

bool Executables::destroy(u64 handle) {
  std::shared_ptr<Executable> executable;
  const std::lock_guard lock(mutex_);
  const auto found = executables_.find(handle);
  if (found == executables_.end()) return false;
  executable = std::move(found->second);
  executables_.erase(found);
  for (const ExecutableSymbol& symbol : executable->symbols) symbols_.erase(handle_of(&symbol));
  for (const LoadedCodeObject& loaded : executable->objects) {
    for (const gfxisa::Kernel& kernel : loaded.object.kernels)
      kernels_.erase(reinterpret_cast<u64>(loaded.object.image()) + kernel.descriptor_offset);
    for (const Segment& segment : loaded.object.segments)
      memory_.remove(loaded.object.image() + segment.offset, AllocationKind::code);
  }
  return true;
}

hsa_status_t Executables::load(Executable& executable, const Agent& agent, u64 bytes_handle, u64* handle) {
  std::shared_ptr<CodeBytes> bytes;
  std::shared_ptr<Executable> owner;
  {
    const std::shared_lock lock(mutex_);
    const auto found = bytes_.find(bytes_handle);
    if (found == bytes_.end()) return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
    bytes = found->second;
    if (const auto mine = executables_.find(handle_of(&executable)); mine != executables_.end()) owner = mine->second;
  }
  if (!agent.is_gpu) return HSA_STATUS_ERROR_INVALID_AGENT;
  auto object = load_code_object({bytes->start, bytes->bytes});
  if (!object) {
    report(fmt::format("a code object could not be loaded: {}", object.error().message));
    return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
  }
  const auto parsed = parse_elf({bytes->start, bytes->bytes});
  const std::string target = parsed && !parsed->target_id.empty() ? parsed->target_id : object->target;
  if (!is_compatible(target, without_triple(agent.device.isa_name))) {
    report(fmt::format("a code object for {} cannot run on {}", target, without_triple(agent.device.isa_name)));
    return HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS;
  }
  const std::lock_guard lock(mutex_);
  LoadedCodeObject& loaded = executable.objects.emplace_back();
  loaded.executable = &executable;
  loaded.agent = &agent;
  loaded.object = std::move(*object);
  loaded.code = std::make_unique<exec::LoadedCode>(loaded.object);
  loaded.storage = bytes->start;
  loaded.storage_bytes = bytes->bytes;
  loaded.file = bytes->file;
  loaded.uri = fmt::format("memory://{}#offset=0x{:x}&size={}", getpid(), handle_of(bytes->start), bytes->bytes);
  for (const Segment& segment : loaded.object.segments) {
    if (segment.size != 0)
      memory_.add(loaded.object.image() + segment.offset, segment.size, AllocationKind::code, segment.is_writable);
  }
  const std::size_t first_symbol = executable.symbols.size();
  add_symbols(executable, loaded);
  for (std::size_t i = first_symbol; i < executable.symbols.size(); ++i)
    symbols_.insert(handle_of(&executable.symbols[i]));
  for (const gfxisa::Kernel& kernel : loaded.object.kernels)
    kernels_[reinterpret_cast<u64>(loaded.object.image()) + kernel.descriptor_offset] = {{&loaded, &kernel}, owner};
  if (handle != nullptr) *handle = handle_of(&loaded);
  return HSA_STATUS_SUCCESS;
}

const ExecutableSymbol* Executables::find_symbol(const Executable& executable, const std::string& name,
                                                 const Agent* agent) const {
  const std::shared_lock lock(mutex_);
  return executable.find(name, agent);
}

std::vector<const ExecutableSymbol*> Executables::symbols_of(const Executable& executable) const {
  const std::shared_lock lock(mutex_);
  std::vector<const ExecutableSymbol*> out;
  for (const ExecutableSymbol& symbol : executable.symbols) out.push_back(&symbol);
  return out;
}

std::vector<const LoadedCodeObject*> Executables::objects_of(const Executable& executable) const {
  const std::shared_lock lock(mutex_);
  std::vector<const LoadedCodeObject*> out;
  for (const LoadedCodeObject& object : executable.objects) out.push_back(&object);
  return out;
}

hsa_status_t Executables::define(Executable& executable, const Agent* agent, const char* name, void* address) {
  const std::lock_guard lock(mutex_);
  if (executable.is_frozen) return HSA_STATUS_ERROR_FROZEN_EXECUTABLE;
  if (executable.find(name, agent) != nullptr) return HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED;
  ExecutableSymbol& symbol = executable.add(name, HSA_SYMBOL_KIND_VARIABLE, agent, reinterpret_cast<u64>(address));
  symbol.is_external = true;
  symbols_.insert(handle_of(&symbol));
  return HSA_STATUS_SUCCESS;
}

bool Executables::find_kernel(u64 address, LoadedKernel& kernel, std::shared_ptr<Executable>& keep) const {
  const std::shared_lock lock(mutex_);
  const auto found = kernels_.find(address);
  if (found == kernels_.end()) return false;
  keep = found->second.owner.lock();
  kernel = found->second.kernel;
  return keep != nullptr;
}

LoadedCodeObject* Executables::find_object(const void* address, u64* executable) const {
  const u64 wanted = reinterpret_cast<u64>(address);
  const std::shared_lock lock(mutex_);
  for (const auto& [handle, entry] : executables_) {
    for (LoadedCodeObject& loaded : entry->objects) {
      const u64 start = reinterpret_cast<u64>(loaded.object.image());
      if (wanted - start >= loaded.object.image_size()) continue;
      if (executable != nullptr) *executable = handle;
      return &loaded;
    }
  }
  return nullptr;
}

bool Executables::is_symbol(u64 handle) const {
  const std::shared_lock lock(mutex_);
  return symbols_.contains(handle);
}

bool Executables::is_loaded_object(u64 handle) const {
  const std::shared_lock lock(mutex_);
  for (const auto& [key, entry] : executables_) {
    for (const LoadedCodeObject& loaded : entry->objects) {
      if (handle_of(&loaded) == handle) return true;
    }
  }
  return false;
}

}  // namespace gfxisa::runtime

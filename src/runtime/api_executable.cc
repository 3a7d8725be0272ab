// Code objects, executables, symbols, and the loader extension.
#include <fcntl.h>
#include <hsa/hsa.h>
#include <hsa/hsa_ven_amd_loader.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

#include "runtime/api.h"
#include "runtime/runtime.h"

using namespace gfxisa;
using namespace gfxisa::runtime;

namespace {

constexpr char elf_magic[] = {0x7f, 'E', 'L', 'F'};

hsa_status_t read_file(int file, u64 offset, u64 bytes, hsa_code_object_reader_t* reader) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (reader == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  CodeBytes code;
  code.copy.resize(bytes);
  code.bytes = bytes;
  code.file = file;
  for (u64 done = 0; done < bytes;) {
    const ssize_t got = pread(file, code.copy.data() + done, bytes - done, static_cast<off_t>(offset + done));
    if (got <= 0) return HSA_STATUS_ERROR_INVALID_FILE;
    done += static_cast<u64>(got);
  }
  reader->handle = runtime->executables.add_bytes(std::move(code));
  return HSA_STATUS_SUCCESS;
}

const ExecutableSymbol* symbol_of(const Runtime& runtime, u64 handle) {
  return runtime.executables.is_symbol(handle) ? reinterpret_cast<const ExecutableSymbol*>(handle) : nullptr;
}

hsa_status_t find_symbol(hsa_executable_t executable, const char* name, const hsa_agent_t* agent,
                         hsa_executable_symbol_t* symbol) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (name == nullptr || symbol == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  const auto found = runtime->executables.find(executable.handle);
  if (found == nullptr) return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
  const Agent* wanted = nullptr;
  if (agent != nullptr && agent->handle != 0) {
    wanted = runtime->machine.find_agent(agent->handle);
    if (wanted == nullptr) return HSA_STATUS_ERROR_INVALID_AGENT;
  }
  const ExecutableSymbol* entry = runtime->executables.find_symbol(*found, name, wanted);
  if (entry == nullptr) return HSA_STATUS_ERROR_INVALID_SYMBOL_NAME;
  symbol->handle = handle_of(entry);
  return HSA_STATUS_SUCCESS;
}

/// Calls back for each symbol that `wanted` takes.
template <class F, class C>
hsa_status_t iterate_symbols(hsa_executable_t executable, F wanted, C callback) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  const auto found = runtime->executables.find(executable.handle);
  if (found == nullptr) return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
  for (const ExecutableSymbol* symbol : runtime->executables.symbols_of(*found)) {
    if (!wanted(*symbol)) continue;
    const hsa_status_t status = callback(hsa_executable_symbol_t{handle_of(symbol)});
    if (status != HSA_STATUS_SUCCESS) return status;
  }
  return HSA_STATUS_SUCCESS;
}

hsa_status_t define(hsa_executable_t executable, const hsa_agent_t* agent, const char* name, void* address) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (name == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  const auto found = runtime->executables.find(executable.handle);
  if (found == nullptr) return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
  const Agent* owner = agent == nullptr ? nullptr : runtime->machine.find_agent(agent->handle);
  if (agent != nullptr && owner == nullptr) return HSA_STATUS_ERROR_INVALID_AGENT;
  return runtime->executables.define(*found, owner, name, address);
}

}  // namespace

extern "C" {

// ------------------------------------------------------------------------------------------- readers

hsa_status_t hsa_code_object_reader_create_from_file(hsa_file_t file, hsa_code_object_reader_t* reader) {
  if (Runtime::get() == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  struct stat status {};
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return HSA_STATUS_ERROR_INVALID_FILE;
  return read_file(file, 0, static_cast<u64>(status.st_size), reader);
}

hsa_status_t hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size(hsa_file_t file, size_t offset,
                                                                                     size_t bytes,
                                                                                     hsa_code_object_reader_t* reader) {
  if (Runtime::get() == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (bytes == 0) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  struct stat status {};
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return HSA_STATUS_ERROR_INVALID_FILE;
  const u64 size = static_cast<u64>(status.st_size);
  if (offset > size || bytes > size - offset) return HSA_STATUS_ERROR_INVALID_FILE;
  return read_file(file, offset, bytes, reader);
}

hsa_status_t hsa_code_object_reader_create_from_memory(const void* code, size_t bytes,
                                                       hsa_code_object_reader_t* reader) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (code == nullptr || bytes == 0 || reader == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  CodeBytes entry;
  entry.start = static_cast<const u8*>(code);
  entry.bytes = bytes;
  reader->handle = runtime->executables.add_bytes(std::move(entry));
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_code_object_reader_destroy(hsa_code_object_reader_t reader) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  return runtime->executables.remove_bytes(reader.handle) ? HSA_STATUS_SUCCESS
                                                          : HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER;
}

// ------------------------------------------------------------------------------------------- code objects (older)

hsa_status_t hsa_code_object_deserialize(void* code, size_t bytes, const char*, hsa_code_object_t* code_object) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (code == nullptr || bytes == 0 || code_object == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (bytes < sizeof elf_magic || std::memcmp(code, elf_magic, sizeof elf_magic) != 0)
    return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
  CodeBytes entry;
  entry.copy.assign(static_cast<const u8*>(code), static_cast<const u8*>(code) + bytes);
  entry.bytes = bytes;
  code_object->handle = runtime->executables.add_bytes(std::move(entry));
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_code_object_destroy(hsa_code_object_t code_object) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  return runtime->executables.remove_bytes(code_object.handle) ? HSA_STATUS_SUCCESS
                                                               : HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
}

// ------------------------------------------------------------------------------------------- executables

hsa_status_t hsa_executable_create_alt(hsa_profile_t profile, hsa_default_float_rounding_mode_t rounding, const char*,
                                       hsa_executable_t* executable) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (executable == nullptr || profile > HSA_PROFILE_FULL || rounding > HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  executable->handle = runtime->executables.create(profile, rounding);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_executable_create(hsa_profile_t profile, hsa_executable_state_t state, const char* options,
                                   hsa_executable_t* executable) {
  if (Runtime::get() == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (state > HSA_EXECUTABLE_STATE_FROZEN) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  const hsa_status_t status =
      hsa_executable_create_alt(profile, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, options, executable);
  if (status == HSA_STATUS_SUCCESS && state == HSA_EXECUTABLE_STATE_FROZEN) hsa_executable_freeze(*executable, options);
  return status;
}

hsa_status_t hsa_executable_destroy(hsa_executable_t executable) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  return runtime->executables.destroy(executable.handle) ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_EXECUTABLE;
}

hsa_status_t hsa_executable_load_agent_code_object(hsa_executable_t executable, hsa_agent_t agent,
                                                   hsa_code_object_reader_t reader, const char*,
                                                   hsa_loaded_code_object_t* loaded) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  const auto found = runtime->executables.find(executable.handle);
  if (found == nullptr) return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
  if (found->is_frozen) return HSA_STATUS_ERROR_FROZEN_EXECUTABLE;
  const Agent* owner = runtime->machine.find_agent(agent.handle);
  if (owner == nullptr) return HSA_STATUS_ERROR_INVALID_AGENT;
  if (!runtime->executables.has_bytes(reader.handle)) return HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER;
  u64 handle = 0;
  const hsa_status_t status = runtime->executables.load(*found, *owner, reader.handle, &handle);
  if (status == HSA_STATUS_SUCCESS && loaded != nullptr) loaded->handle = handle;
  return status;
}

hsa_status_t hsa_executable_load_code_object(hsa_executable_t executable, hsa_agent_t agent,
                                             hsa_code_object_t code_object, const char* options) {
  const hsa_status_t status =
      hsa_executable_load_agent_code_object(executable, agent, {code_object.handle}, options, nullptr);
  return status == HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER ? HSA_STATUS_ERROR_INVALID_CODE_OBJECT : status;
}

hsa_status_t hsa_executable_freeze(hsa_executable_t executable, const char*) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  const auto found = runtime->executables.find(executable.handle);
  if (found == nullptr) return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
  return found->is_frozen.exchange(true) ? HSA_STATUS_ERROR_FROZEN_EXECUTABLE : HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_executable_get_info(hsa_executable_t executable, hsa_executable_info_t attribute, void* value) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  const auto found = runtime->executables.find(executable.handle);
  if (found == nullptr) return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
  if (value == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  switch (attribute) {
    case HSA_EXECUTABLE_INFO_PROFILE:
      return answer(value, found->profile);
    case HSA_EXECUTABLE_INFO_STATE:
      return answer(value, found->is_frozen ? HSA_EXECUTABLE_STATE_FROZEN : HSA_EXECUTABLE_STATE_UNFROZEN);
    case HSA_EXECUTABLE_INFO_DEFAULT_FLOAT_ROUNDING_MODE:
      return answer(value, found->rounding);
    default:
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  }
}

hsa_status_t hsa_executable_validate(hsa_executable_t executable, uint32_t* result) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (runtime->executables.find(executable.handle) == nullptr) return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
  if (result == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  *result = 0;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_executable_validate_alt(hsa_executable_t executable, const char*, uint32_t* result) {
  return hsa_executable_validate(executable, result);
}

hsa_status_t hsa_executable_global_variable_define(hsa_executable_t executable, const char* name, void* address) {
  return define(executable, nullptr, name, address);
}

hsa_status_t hsa_executable_agent_global_variable_define(hsa_executable_t executable, hsa_agent_t agent,
                                                         const char* name, void* address) {
  return define(executable, &agent, name, address);
}

hsa_status_t hsa_executable_readonly_variable_define(hsa_executable_t executable, hsa_agent_t agent, const char* name,
                                                     void* address) {
  return define(executable, &agent, name, address);
}

// ------------------------------------------------------------------------------------------- symbols

hsa_status_t hsa_executable_get_symbol_by_name(hsa_executable_t executable, const char* name, const hsa_agent_t* agent,
                                               hsa_executable_symbol_t* symbol) {
  return find_symbol(executable, name, agent, symbol);
}

hsa_status_t hsa_executable_get_symbol(hsa_executable_t executable, const char*, const char* name, hsa_agent_t agent,
                                       int32_t, hsa_executable_symbol_t* symbol) {
  return find_symbol(executable, name, &agent, symbol);
}

hsa_status_t hsa_executable_symbol_get_info(hsa_executable_symbol_t symbol, hsa_executable_symbol_info_t attribute,
                                            void* value) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  const ExecutableSymbol* found = symbol_of(*runtime, symbol.handle);
  if (found == nullptr) return HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL;
  return value == nullptr ? HSA_STATUS_ERROR_INVALID_ARGUMENT : found->get_info(attribute, value);
}

hsa_status_t hsa_executable_iterate_symbols(hsa_executable_t executable,
                                            hsa_status_t (*callback)(hsa_executable_t, hsa_executable_symbol_t, void*),
                                            void* data) {
  if (Runtime::get() == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (callback == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  return iterate_symbols(
      executable, [](const ExecutableSymbol&) { return true; },
      [&](hsa_executable_symbol_t symbol) { return callback(executable, symbol, data); });
}

hsa_status_t hsa_executable_iterate_agent_symbols(hsa_executable_t executable, hsa_agent_t agent,
                                                  hsa_status_t (*callback)(hsa_executable_t, hsa_agent_t,
                                                                           hsa_executable_symbol_t, void*),
                                                  void* data) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  const Agent* owner = runtime->machine.find_agent(agent.handle);
  if (owner == nullptr) return HSA_STATUS_ERROR_INVALID_AGENT;
  if (callback == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  return iterate_symbols(
      executable, [&](const ExecutableSymbol& symbol) { return symbol.agent == owner; },
      [&](hsa_executable_symbol_t symbol) { return callback(executable, agent, symbol, data); });
}

hsa_status_t hsa_executable_iterate_program_symbols(hsa_executable_t executable,
                                                    hsa_status_t (*callback)(hsa_executable_t, hsa_executable_symbol_t,
                                                                             void*),
                                                    void* data) {
  if (Runtime::get() == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (callback == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  return iterate_symbols(
      executable, [](const ExecutableSymbol& symbol) { return symbol.agent == nullptr; },
      [&](hsa_executable_symbol_t symbol) { return callback(executable, symbol, data); });
}

// ------------------------------------------------------------------------------------------- loader extension

hsa_status_t hsa_ven_amd_loader_query_host_address(const void* device, const void** host) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (device == nullptr || host == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (runtime->executables.find_object(device) == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  *host = device;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_ven_amd_loader_query_segment_descriptors(hsa_ven_amd_loader_segment_descriptor_t* descriptors,
                                                          size_t* count) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (count == nullptr || (descriptors == nullptr) != (*count == 0)) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  std::vector<hsa_ven_amd_loader_segment_descriptor_t> all;
  for (const u64 handle : runtime->executables.all()) {
    const auto executable = runtime->executables.find(handle);
    if (executable == nullptr) continue;
    for (const LoadedCodeObject* each : runtime->executables.objects_of(*executable)) {
      const LoadedCodeObject& object = *each;
      hsa_ven_amd_loader_segment_descriptor_t& out = all.emplace_back();
      out.agent = {handle_of(object.agent)};
      out.executable = {handle};
      out.code_object_storage_type = HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_MEMORY;
      out.code_object_storage_base = object.storage;
      out.code_object_storage_size = object.storage_bytes;
      out.segment_base = object.object.image();
      out.segment_size = object.object.image_size();
    }
  }
  if (descriptors == nullptr) {
    *count = all.size();
    return HSA_STATUS_SUCCESS;
  }
  if (*count != all.size()) return HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS;
  std::copy(all.begin(), all.end(), descriptors);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_ven_amd_loader_query_executable(const void* device, hsa_executable_t* executable) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (device == nullptr || executable == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  return runtime->executables.find_object(device, &executable->handle) != nullptr ? HSA_STATUS_SUCCESS
                                                                                  : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t hsa_ven_amd_loader_executable_iterate_loaded_code_objects(
    hsa_executable_t executable, hsa_status_t (*callback)(hsa_executable_t, hsa_loaded_code_object_t, void*),
    void* data) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  const auto found = runtime->executables.find(executable.handle);
  if (found == nullptr) return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
  if (callback == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  for (const LoadedCodeObject* object : runtime->executables.objects_of(*found)) {
    const hsa_status_t status = callback(executable, {handle_of(object)}, data);
    if (status != HSA_STATUS_SUCCESS) return status;
  }
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_ven_amd_loader_loaded_code_object_get_info(hsa_loaded_code_object_t loaded,
                                                            hsa_ven_amd_loader_loaded_code_object_info_t attribute,
                                                            void* value) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (!runtime->executables.is_loaded_object(loaded.handle)) return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
  if (value == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  const auto& object = *reinterpret_cast<const LoadedCodeObject*>(loaded.handle);
  switch (attribute) {
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_EXECUTABLE:
      return answer(value, hsa_executable_t{handle_of(object.executable)});
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_KIND:
      return answer<u32>(value, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_KIND_AGENT);
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_AGENT:
      return answer(value, hsa_agent_t{handle_of(object.agent)});
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_TYPE:
      return answer<u32>(value, object.file >= 0 ? HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_FILE
                                                 : HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_MEMORY);
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_BASE:
      return answer<u64>(value, handle_of(object.storage));
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_SIZE:
      return answer<u64>(value, object.storage_bytes);
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_FILE:
      return answer<int>(value, object.file);
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_DELTA:
      return answer<i64>(value, static_cast<i64>(handle_of(object.object.image())));
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_BASE:
      return answer<u64>(value, handle_of(object.object.image()));
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_SIZE:
      return answer<u64>(value, object.object.image_size());
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI_LENGTH:
      return answer<u32>(value, static_cast<u32>(object.uri.size()));
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI:
      std::memcpy(value, object.uri.data(), object.uri.size());
      return HSA_STATUS_SUCCESS;
    default:
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  }
}

hsa_status_t hsa_ven_amd_loader_iterate_executables(hsa_status_t (*callback)(hsa_executable_t, void*), void* data) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (callback == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  for (const u64 handle : runtime->executables.all()) {
    if (const auto status = callback({handle}, data); status != HSA_STATUS_SUCCESS) return status;
  }
  return HSA_STATUS_SUCCESS;
}

}  // extern "C"

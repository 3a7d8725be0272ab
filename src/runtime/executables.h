// Code objects, executables made of them, and their symbols.
#pragma once
#include <hsa/hsa_ext_amd.h>
#include <hsa/hsa_ven_amd_loader.h>

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "elf/code_object.h"
#include "exec/launch.h"
#include "runtime/agents.h"

namespace gfxisa::runtime {

class Memory;

/// Bytes of a code object: a reader, or a code object of the older interface.
struct CodeBytes {
  const u8* start = nullptr;
  u64 bytes = 0;
  int file = -1;  ///< descriptor they were read from
  std::vector<u8> copy;
};

struct ExecutableSymbol;

/// A code object in an agent's memory.
struct LoadedCodeObject {
  struct Executable* executable = nullptr;
  const Agent* agent = nullptr;
  CodeObject object;
  std::unique_ptr<exec::LoadedCode> code;
  const u8* storage = nullptr;  ///< where the program keeps the file
  u64 storage_bytes = 0;
  int file = -1;
  std::string uri;
};

struct ExecutableSymbol {
  std::string name;
  hsa_symbol_kind_t kind = HSA_SYMBOL_KIND_VARIABLE;
  const Agent* agent = nullptr;
  u64 address = 0, bytes = 0;
  const gfxisa::Kernel* kernel = nullptr;
  bool is_constant = false;
  bool is_external = false;  ///< defined by the program

  hsa_status_t get_info(u32 attribute, void* value) const;
};

/// Grows under the lock of Executables, which reads it too.
struct Executable {
  hsa_profile_t profile = HSA_PROFILE_FULL;
  hsa_default_float_rounding_mode_t rounding = HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT;
  std::atomic<bool> is_frozen{false};
  std::deque<LoadedCodeObject> objects;
  std::deque<ExecutableSymbol> symbols;
  std::unordered_multimap<std::string, const ExecutableSymbol*> by_name;

  ExecutableSymbol& add(std::string name, hsa_symbol_kind_t kind, const Agent* agent, u64 address);
  const ExecutableSymbol* find(const std::string& name, const Agent* agent) const;
};

/// A kernel as a packet names it.
struct LoadedKernel {
  LoadedCodeObject* object = nullptr;
  const gfxisa::Kernel* kernel = nullptr;
};

class Executables {
 public:
  explicit Executables(Memory& memory) : memory_(memory) {}

  u64 add_bytes(CodeBytes bytes);
  bool has_bytes(u64 handle) const;
  bool remove_bytes(u64 handle);

  u64 create(hsa_profile_t profile, hsa_default_float_rounding_mode_t rounding);
  std::shared_ptr<Executable> find(u64 handle) const;
  bool destroy(u64 handle);
  std::vector<u64> all() const;

  hsa_status_t load(Executable& executable, const Agent& agent, u64 bytes_handle, u64* loaded);
  const ExecutableSymbol* find_symbol(const Executable& executable, const std::string& name, const Agent* agent) const;
  /// What an executable has now, as long as it lives.
  std::vector<const ExecutableSymbol*> symbols_of(const Executable& executable) const;
  std::vector<const LoadedCodeObject*> objects_of(const Executable& executable) const;
  hsa_status_t define(Executable& executable, const Agent* agent, const char* name, void* address);

  /// The kernel whose descriptor stands at `address`; the executable stays as long as `keep` does.
  bool find_kernel(u64 address, LoadedKernel& kernel, std::shared_ptr<Executable>& keep) const;
  /// The loaded code object that holds an address.
  LoadedCodeObject* find_object(const void* address, u64* executable = nullptr) const;
  bool is_symbol(u64 handle) const;
  bool is_loaded_object(u64 handle) const;

 private:
  Memory& memory_;
  mutable std::shared_mutex mutex_;
  std::unordered_map<u64, std::shared_ptr<CodeBytes>> bytes_;
  std::unordered_map<u64, std::shared_ptr<Executable>> executables_;
  struct Place {
    LoadedKernel kernel;
    std::weak_ptr<Executable> owner;
  };
  std::unordered_map<u64, Place> kernels_;
  std::unordered_set<u64> symbols_;
};

}  // namespace gfxisa::runtime

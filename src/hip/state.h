// What the HIP library keeps: devices, streams, events, modules.
#pragma once
#include <hip/hip_runtime_api.h>
#include <hsa/hsa_ext_amd.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "elf/bundle.h"
#include "elf/code_object.h"

namespace gfxisa::hip {

struct Device {
  hsa_agent_t agent{};
  hsa_amd_memory_pool_t memory{}, shared_memory{};  ///< coarse and fine grained
  std::string target_id;                            ///< gfx90a:sramecc+:xnack-
  hipDeviceProp_t properties{};
};

class Stream;
struct Capture;
struct Node;

/// A piece of work, done in order in a stream's thread.
using Work = std::function<hipError_t(Stream&)>;

class Stream {
 public:
  Stream(int device, unsigned flags, bool is_default);
  ~Stream();
  Stream(const Stream&) = delete;
  /// Adds work; gives its number. Work of the default stream waits for all of other blocking streams, and theirs for
  /// its. While the stream is captured the work becomes a node of the graph instead.
  u64 add(Work work, hipGraphNodeType type);
  std::shared_ptr<Capture> capture() const;
  void set_capture(std::shared_ptr<Capture> capture);
  /// Waiting for a stream while it is captured ends the capture.
  bool refuses_to_wait();
  void wait(u64 number);
  /// Number of the last work that was added.
  u64 last() const;
  /// Waits for all there is; gives the first error since the last time.
  hipError_t synchronize();
  void wait_for_all();
  bool is_idle() const;
  int device() const { return device_; }
  unsigned flags() const { return flags_; }
  bool is_blocking() const { return (flags_ & hipStreamNonBlocking) == 0; }
  /// Runs a packet to its end, in the stream's thread. All workgroups of a cooperative kernel are there at once.
  hipError_t run_packet(const hsa_kernel_dispatch_packet_t& packet, bool is_cooperative);

 private:
  struct Item {
    Work work;
    std::vector<std::pair<std::shared_ptr<Stream>, u64>> after;
  };
  void run();
  /// The queue that kernels of this stream go to; nullptr when it cannot be made.
  hsa_queue_t* queue(bool is_cooperative);

  const int device_;
  const unsigned flags_;
  const bool is_default_;
  hsa_queue_t* queues_[2] = {nullptr, nullptr};  ///< for kernels of the ordinary kind, and cooperative ones
  hsa_signal_t done_{};
  hsa_status_t failure_ = HSA_STATUS_SUCCESS;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> items_;
  u64 added_ = 0, finished_ = 0;
  hipError_t error_ = hipSuccess;
  std::shared_ptr<Capture> capture_;
  bool ends_ = false;
  std::thread thread_;
};

struct Event {
  unsigned flags = 0;
  std::mutex mutex;
  std::condition_variable changed;
  u64 recorded = 0, reached = 0;  ///< times it was recorded, and times that work came to it
  u64 nanoseconds = 0;
  std::shared_ptr<Capture> capture;  ///< it was recorded in this
  std::vector<Node*> after;          ///< and comes after these
};

struct Module;

struct Function {
  Module* module = nullptr;
  const Kernel* kernel = nullptr;
  u64 object = 0;  ///< address of the descriptor
};

/// A code object loaded on one device.
struct Module {
  int device = 0;
  std::vector<u8> bytes;
  CodeObject object;  ///< for its metadata
  hsa_executable_t executable{};
  std::map<std::string, Function, std::less<>> functions;

  ~Module();
  /// Address and size of a variable; false when there is none.
  bool find_variable(const std::string& name, void*& address, std::size_t& size) const;
};

/// Code of a program's own, as the compiler registers it.
struct FatBinary {
  std::vector<Bundle> bundles;
  std::map<int, std::unique_ptr<Module>> modules;  ///< by device, when needed for the first time
  std::string problem;
};

struct RegisteredSymbol {
  FatBinary* binary = nullptr;
  std::string name;
  std::size_t size = 0;
  void** managed = nullptr;  ///< of a managed variable: where its address is to be stored
};

class State {
 public:
  static State& get();
  /// hipSuccess when there are devices.
  hipError_t start();

  std::vector<Device> devices;
  hsa_agent_t host{};
  hsa_amd_memory_pool_t host_memory{}, kernarg_memory{};

  std::shared_ptr<Stream> stream_of(hipStream_t stream);
  /// The same once devices are there; nullptr: `error` says why.
  std::shared_ptr<Stream> started_stream(hipStream_t stream, hipError_t& error);
  hipStream_t add_stream(int device, unsigned flags);
  bool remove_stream(hipStream_t stream);
  std::vector<std::shared_ptr<Stream>> streams_of(int device);
  std::shared_ptr<Stream> default_stream(int device);

  FatBinary* add_binary(const void* data);
  void add_function(FatBinary* binary, const void* host_function, const char* name);
  void add_variable(FatBinary* binary, const void* host_variable, const char* name, std::size_t size, void** managed);
  /// The function or variable registered for a host address on the current device.
  hipError_t find_function(const void* host_function, Function*& function);
  hipError_t find_variable(const void* host_variable, void*& address, std::size_t& size);

  /// Loads bytes (a code object, or bundles with one for the device) on the current device.
  Result<std::unique_ptr<Module>> load(const void* image, std::size_t known_size);

 private:
  hipError_t module_of(FatBinary& binary, Module*& module);

  std::mutex mutex_;
  bool is_started_ = false;
  hipError_t start_error_ = hipSuccess;
  std::map<hipStream_t, std::shared_ptr<Stream>> streams_;
  std::map<int, std::shared_ptr<Stream>> default_streams_;
  std::deque<FatBinary> binaries_;
  std::map<const void*, RegisteredSymbol> functions_, variables_;
};

/// Device of the calling thread.
extern thread_local int current_device;
/// Remembers an error for hipGetLastError; gives it back.
hipError_t set_last(hipError_t error);
hipError_t from_status(hsa_status_t status);

/// Which of several grids a launch is, that wait for each other.
struct AmongGrids {
  std::shared_ptr<u64> meeting;  ///< word at which they count themselves
  u32 grid = 0, grids = 1;
  u64 items_before = 0, items = 0;  ///< work-items of those before, and of all
};

/// Sizes in work-items of a launch.
struct Launch {
  dim3 blocks, block;
  u32 dynamic_lds = 0;
  bool is_cooperative = false;  ///< workgroups wait for each other
  AmongGrids among{};
};
/// Workgroups of this kernel that a compute unit can hold.
int resident_blocks(const Function& function, u64 block, std::size_t dynamic_lds);
hipError_t launch(const Function& function, const Launch& launch, void** arguments, void** extra, hipStream_t stream);
/// One kernel on each of several devices; no work of these streams runs beside them but what the flags let.
hipError_t launch_on_devices(const hipLaunchParams* launches, int count, unsigned flags, bool is_cooperative);

}  // namespace gfxisa::hip

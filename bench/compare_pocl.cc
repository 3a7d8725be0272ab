// The six example kernels by the engine and by an OpenCL device of the host (PoCL), turn by turn in one process, on one
// core: milliseconds, their ratio, and whether the results are the same. Run by compare_pocl.sh.
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>

#include "example_kernels.h"

namespace gfxisa::bench {
namespace {

/// Processor time of all threads: PoCL works in one of its own, and others may use the core meanwhile.
double processor_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double seconds_of(const std::function<void()>& work) {
  const double start = processor_seconds();
  work();
  return processor_seconds() - start;
}

[[noreturn]] void give_up(const std::string& why) {
  fmt::print("compare_pocl: {}\n", why);
  std::exit(77);
}

void check(cl_int code, const char* what) {
  if (code != CL_SUCCESS) give_up(fmt::format("{}: OpenCL error {}", what, code));
}

/// The device of the host's processor.
cl_device_id host_device() {
  cl_platform_id platforms[8];
  cl_uint count = 0;
  if (clGetPlatformIDs(8, platforms, &count) != CL_SUCCESS) count = 0;
  for (cl_uint i = 0; i < std::min(count, 8u); ++i) {
    cl_device_id device = nullptr;
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, nullptr) == CL_SUCCESS) return device;
  }
  give_up("no OpenCL device of the processor (package pocl-opencl-icd)");
}

/// A kernel on the host's device, built from the source that the code object was made from.
class NativeKernel {
 public:
  NativeKernel(cl_context context, cl_device_id device, cl_command_queue queue, const Work& work)
      : queue_(queue), work_(work) {
    const std::vector<u8> source = file_bytes(folder_of(work) + "/" + work.name + ".cl");
    const char* text = reinterpret_cast<const char*>(source.data());
    const std::size_t size = source.size();
    cl_int code;
    const cl_program program = clCreateProgramWithSource(context, 1, &text, &size, &code);
    check(clBuildProgram(program, 1, &device, "-cl-std=CL2.0", nullptr, nullptr), work.name);
    kernel_ = clCreateKernel(program, work.name, &code);
    check(code, work.name);
    cl_uint argument = 0;
    for (std::vector<u32>& words : buffers_of(work)) {
      buffers_.push_back(
          clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, words.size() * 4, words.data(), &code));
      sizes_.push_back(words.size());
      check(clSetKernelArg(kernel_, argument++, sizeof(cl_mem), &buffers_.back()), "argument");
    }
    for (const u32 number : work.numbers) check(clSetKernelArg(kernel_, argument++, 4, &number), "argument");
  }
  void launch() {
    const std::size_t global[] = {work_.grid[0], work_.grid[1], work_.grid[2]};
    const std::size_t local[] = {work_.block[0], work_.block[1], work_.block[2]};
    check(clEnqueueNDRangeKernel(queue_, kernel_, 3, nullptr, global, local, 0, nullptr, nullptr), "launch");
    check(clFinish(queue_), "launch");
  }
  std::vector<u32> buffer(std::size_t number) {
    std::vector<u32> words(sizes_[number]);
    check(
        clEnqueueReadBuffer(queue_, buffers_[number], CL_TRUE, 0, words.size() * 4, words.data(), 0, nullptr, nullptr),
        "read");
    return words;
  }

 private:
  cl_command_queue queue_;
  const Work& work_;
  cl_kernel kernel_ = nullptr;
  std::vector<cl_mem> buffers_;
  std::vector<std::size_t> sizes_;
};

std::string device_name(cl_device_id device) {
  char text[256] = {};
  clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof text - 1, text, nullptr);
  return text;
}

void compare(const std::string& target, unsigned rounds) {
  cl_device_id device = host_device();
  cl_int code;
  const cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  check(code, "context");
  const cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
  check(code, "queue");
  fmt::print("{} by the engine on one thread, and the same sources by {}; processor time, best of {}\n", target,
             device_name(device), rounds);
  fmt::print("{:10} {:>11} {:>11} {:>7} {:>16}\n", "kernel", "engine, ms", "PoCL, ms", "ratio", "M instructions/s");
  double logarithms = 0;
  const auto compare_one = [&](const Work& work) {
    MeasuredKernel ours(work, target);
    if (!ours.is_there()) return fmt::print("{:10} has no code object for {}\n", work.name, target);
    NativeKernel native(context, device, queue, work);
    const u64 instructions = ours.launch(1);
    native.launch();
    bool is_same = true;
    for (std::size_t i = 0; i < ours.buffers().size(); ++i) is_same = is_same && ours.buffers()[i] == native.buffer(i);
    double own = 1e9, other = 1e9;
    for (unsigned round = 0; round < rounds; ++round) {
      own = std::min(own, seconds_of([&] { ours.launch(1); }));
      other = std::min(other, seconds_of([&] { native.launch(); }));
    }
    logarithms += std::log(own / other);
    fmt::print("{:10} {:11.3f} {:11.3f} {:7.2f} {:16.1f}{}\n", work.name, own * 1e3, other * 1e3, own / other,
               static_cast<double>(instructions) / own * 1e-6, is_same ? "" : "  (other results)");
  };
  for (const Work& work : works) compare_one(work);
  const double mean = std::exp(logarithms / static_cast<double>(std::size(works)));
  fmt::print("geometric mean of the ratios: {:.2f}\n", mean);
  for (const Work& work : irregular_works) compare_one(work);
}

}  // namespace
}  // namespace gfxisa::bench

int main(int argc, char** argv) {
  gfxisa::bench::compare(argc > 1 ? argv[1] : "gfx1100", argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 20);
}

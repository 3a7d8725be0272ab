#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/suggest.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "cli/kernel_arguments.h"
#include "cli/run_program.h"
#include "exec/launch.h"

namespace gfxisa::cli {
namespace {

struct RunOptions {
  std::string file, kernel, grid = "1", block, format = "text", arch;
  std::vector<std::string> arguments, outputs;
  unsigned threads = 0;
  u64 max_instructions = ~u64{0};
  u32 dynamic_lds = 0;
  unsigned devices = 1;
  bool wants_statistics = false, wants_trace = false;
  std::vector<std::string> program;
};

/// `X`, `X,Y` or `X,Y,Z`.
Result<std::array<u32, 3>> parse_size(const std::string& text, std::string_view what) {
  std::array<u32, 3> out{1, 1, 1};
  std::size_t start = 0;
  for (unsigned axis = 0; axis < 3; ++axis) {
    const std::size_t comma = std::min(text.find(',', start), text.size());
    const std::string part = text.substr(start, comma - start);
    char* end = nullptr;
    const unsigned long value = std::strtoul(part.c_str(), &end, 10);
    if (part.empty() || *end != '\0' || part[0] == '-' || value == 0 || value > 0xffffffffu) break;
    out[axis] = static_cast<u32>(value);
    if (comma == text.size()) return out;
    start = comma + 1;
  }
  return Error{fmt::format("--{} {}: expected X, X,Y or X,Y,Z with numbers from 1 up", what, text), {}};
}

Result<const Kernel*> choose_kernel(const CodeObject& object, const std::string& name) {
  std::vector<std::string_view> names;
  for (const Kernel& kernel : object.kernels) names.push_back(kernel.metadata.name);
  if (names.empty()) return Error{"the code object has no kernel", {}};
  if (name.empty() && names.size() == 1) return &object.kernels[0];
  if (const Kernel* kernel = object.find_kernel(name)) return kernel;
  return Error{name.empty() ? "which kernel? give --kernel NAME" : fmt::format("no kernel is called '{}'", name),
               fmt::format("{}the code object has: {}", suggestion(name, names), fmt::join(names, ", "))};
}

/// `N=FILE`: writes the buffer of argument N.
Result<bool> write_output(const std::string& spec, const std::vector<KernelArgumentValue>& arguments) {
  const std::size_t equals = spec.find('=');
  char* end = nullptr;
  const unsigned long number = std::strtoul(spec.c_str(), &end, 10);
  if (equals == std::string::npos || equals == 0 || end != spec.c_str() + equals) {
    return Error{fmt::format("--out {}: expected N=FILE", spec), {}};
  }
  if (number >= arguments.size() || !arguments[number].buffer)
    return Error{fmt::format("--out {}: argument {} is no buffer", spec, number), {}};
  const std::string path = spec.substr(equals + 1), partial = path + ".partial";
  {
    std::ofstream file(partial, std::ios::binary);
    file.write(reinterpret_cast<const char*>(arguments[number].buffer->data()),
               static_cast<std::streamsize>(arguments[number].buffer->size()));
    if (!file.flush()) return Error{fmt::format("cannot write '{}'", path), {}};
  }
  if (std::rename(partial.c_str(), path.c_str()) != 0) return Error{fmt::format("cannot write '{}'", path), {}};
  return true;
}

void print_summary(const RunOptions& options, const CodeObject& object, const Kernel& kernel,
                   const exec::LaunchReport& report) {
  const double rate = report.seconds > 0 ? static_cast<double>(report.instructions) / report.seconds : 0;
  if (options.format == "json") {
    const nlohmann::ordered_json json{{"kernel", kernel.metadata.name}, {"target", object.target},
                                      {"waves", report.waves},          {"instructions", report.instructions},
                                      {"seconds", report.seconds},      {"instructions_per_second", rate},
                                      {"faults", report.faults}};
    fmt::print("{}\n", json.dump());
    return;
  }
  fmt::print(stderr, "{} on {}: {} waves, {} wave instructions, {:.3f} ms, {:.1f} M instructions/s\n",
             kernel.metadata.name, object.target, report.waves, report.instructions, report.seconds * 1e3, rate / 1e6);
}

Result<bool> run(const RunOptions& options) {
  const auto bytes = read_input(options.file);
  if (!bytes) return bytes.error();
  const auto object = load_code_object({reinterpret_cast<const u8*>(bytes->data()), bytes->size()});
  if (!object) return Error{fmt::format("{}: {}", options.file, object.error().message), object.error().hint};
  if (!options.arch.empty()) {
    const auto chip = parse_arch(options.arch);
    if (!chip) return chip.error();
    if (*chip != object->chip)
      return Error{fmt::format("the code object is for {}, not for {}", object->target, options.arch), {}};
  }
  const auto kernel = choose_kernel(*object, options.kernel);
  if (!kernel) return kernel.error();
  LaunchSize size;
  const auto grid = parse_size(options.grid, "grid");
  if (!grid) return grid.error();
  size.grid = *grid;
  const auto& required = (*kernel)->metadata.required_workgroup;
  if (options.block.empty()) {
    size.block = required[0] != 0 ? required : std::array<u32, 3>{1, 1, 1};
  } else {
    const auto block = parse_size(options.block, "block");
    if (!block) return block.error();
    size.block = *block;
  }
  size.dynamic_lds_bytes = options.dynamic_lds;
  std::vector<KernelArgumentValue> values;
  std::vector<std::vector<u8>> argument_bytes;
  std::vector<exec::GuestRange> memory;
  for (const std::string& text : options.arguments) {
    auto value = parse_kernel_argument(text);
    if (!value) return value.error();
    if (value->buffer) memory.push_back({value->buffer->data(), value->buffer->size(), true});
    argument_bytes.push_back(value->bytes);
    values.push_back(std::move(*value));
  }
  exec::LoadedCode code(*object);
  const auto report = code.launch(**kernel, size, argument_bytes, memory, {options.threads, options.max_instructions});
  if (!report) return report.error();
  for (const std::string& output : options.outputs) {
    if (auto written = write_output(output, values); !written) return written.error();
  }
  print_summary(options, *object, **kernel, *report);
  if (report->faults != 0) return Error{exec::describe_fault(*report, *object, **kernel), {}};
  return true;
}

}  // namespace

void add_run(CLI::App& app, int& exit_code, std::vector<std::string> program) {
  auto options = std::make_shared<RunOptions>();
  options->program = std::move(program);
  CLI::App* command = app.add_subcommand("run", "Run a kernel of a code object, or a GPU program: run -- PROGRAM");
  auto* file = command->add_option("CODEOBJECT", options->file, "an ELF code object (version 4, 5 or 6)");
  if (options->program.empty()) file->required();
  command->add_option("--kernel", options->kernel, "its name; not needed when there is only one");
  command->add_option("--grid", options->grid, "work-items: X, X,Y or X,Y,Z");
  command->add_option("--block", options->block,
                      "work-items of a workgroup; the kernel's required size when not given");
  command
      ->add_option("--arg", options->arguments,
                   "f32:1.5, i32:7, u64:.., buf:BYTES, buf:@FILE, buf:f32*N:iota|random|zero; in order")
      ->expected(1)
      ->take_all();
  command->add_option("--out", options->outputs, "N=FILE: write the buffer of argument N after the run")
      ->expected(1)
      ->take_all();
  command->add_option("--arch", options->arch,
                      "check that the code object is for this architecture; for a program: the GPU it sees (gfx1100)");
  command->add_option("--threads", options->threads, "0: all cores");
  command->add_option("--lds", options->dynamic_lds, "bytes of dynamic LDS");
  command->add_option("--max-instructions", options->max_instructions, "limit for one wave");
  command->add_option("--devices", options->devices, "for a program: number of GPUs")->check(CLI::Range(1, 16));
  command->add_flag("--stats", options->wants_statistics, "for a program: what its kernels did, at the end");
  command->add_flag("--trace", options->wants_trace, "for a program: a line for each kernel that ends");
  command->add_option("--format", options->format, "of the summary: text (on standard error) or json")
      ->check(CLI::IsMember({"text", "json"}));
  command->footer(
      "Examples:\n  gfxisa run saxpy.co --grid 1024 --arg buf:f32*1024:iota --arg buf:f32*1024:zero --arg f32:2 --arg "
      "u32:1024 --out 1=y.bin\n  gfxisa run --arch gfx90a --stats -- ./hip_program");
  command->callback([options, &exit_code] {
    if (!options->program.empty()) {
      print_error(
          run_program({options->arch.empty() ? "gfx1100" : options->arch, options->threads, options->devices,
                       options->max_instructions, options->wants_statistics, options->wants_trace, options->program}));
      exit_code = 1;
      return;
    }
    const auto result = run(*options);
    if (!result) print_error(result.error());
    exit_code = result ? 0 : 1;
  });
}

}  // namespace gfxisa::cli

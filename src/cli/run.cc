#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/suggest.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "cli/kernel_arguments.h"
#include "cli/run_program.h"
#include "exec/fidelity.h"
#include "exec/launch.h"
#include "exec/statistics.h"
#include "exec/trace.h"

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
  std::string event_file;
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
                   const exec::LaunchReport& report, const nlohmann::ordered_json& statistics) {
  const double rate = report.seconds > 0 ? static_cast<double>(report.instructions) / report.seconds : 0;
  std::vector<std::string> notes = exec::run_notes();
  if (!report.note.empty()) notes.push_back(report.note);
  if (options.format == "json") {
    nlohmann::ordered_json json{{"kernel", kernel.metadata.name}, {"target", object.target},
                                {"waves", report.waves},          {"instructions", report.instructions},
                                {"seconds", report.seconds},      {"instructions_per_second", rate},
                                {"faults", report.faults}};
    json["notes"] = notes;
    if (!statistics.is_null()) json["statistics"] = statistics;
    fmt::print("{}\n", json.dump());
    return;
  }
  fmt::print(stderr, "{} on {}: {} waves, {} wave instructions, {:.3f} ms, {:.1f} M instructions/s\n",
             kernel.metadata.name, object.target, report.waves, report.instructions, report.seconds * 1e3, rate / 1e6);
  for (const std::string& note : notes) fmt::print(stderr, "note: {}\n", note);
}

/// What watches the run, as the options ask for it.
class Watchers {
 public:
  explicit Watchers(const RunOptions& options) {
    if (options.wants_trace) add(text_ = std::make_unique<exec::TextTrace>(stdout));
    if (options.wants_statistics) add(statistics_ = std::make_unique<exec::Statistics>());
    if (options.event_file.empty()) return;
    file_.reset(std::fopen(options.event_file.c_str(), "w"));
    if (file_ != nullptr) add(events_ = std::make_unique<exec::EventTrace>(file_.get()));
    has_failed_ = file_ == nullptr;
  }
  bool has_failed() const { return has_failed_; }
  const std::vector<exec::Observer*>& all() const { return all_; }
  const exec::Statistics* statistics() const { return statistics_.get(); }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void add(const auto& observer) { all_.push_back(observer.get()); }

  std::vector<exec::Observer*> all_;
  std::unique_ptr<std::FILE, Close> file_;
  std::unique_ptr<exec::TextTrace> text_;
  std::unique_ptr<exec::Statistics> statistics_;
  std::unique_ptr<exec::EventTrace> events_;
  bool has_failed_ = false;
};

void print_memory(const char* name, const exec::MemoryCount& count) {
  if (count.loads + count.stores + count.atomics == 0) return;
  fmt::print(stderr, "{}: {} loads ({} bytes), {} stores ({} bytes), {} atomics ({} bytes)\n", name, count.loads,
             count.loaded_bytes, count.stores, count.stored_bytes, count.atomics, count.atomic_bytes);
}

void print_counts(const char* name, const std::vector<exec::NamedCount>& counts) {
  fmt::print(stderr, "{}\n", name);
  for (const exec::NamedCount& count : counts) fmt::print(stderr, "  {:>12}  {}\n", count.count, count.name);
}

double part_of(u64 part, u64 whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

void print_statistics(const exec::StatisticsReport& report) {
  print_counts("instructions by category", report.categories);
  print_counts("instructions by mnemonic", report.mnemonics);
  fmt::print(
      stderr, "lanes: {:.1f} % on; of {} vector instructions {:.1f} % had all on, {:.1f} % some, {:.1f} % none\n",
      part_of(report.lanes_on, report.lanes), report.vector_instructions,
      part_of(report.all_lanes, report.vector_instructions), part_of(report.some_lanes, report.vector_instructions),
      part_of(report.no_lanes, report.vector_instructions));
  print_memory("memory", report.memory);
  print_memory("scalar memory", report.scalar_memory);
  print_memory("data share", report.data_share);
  fmt::print(stderr, "data share bank conflicts: {} cycles\n", report.bank_conflicts);
}

nlohmann::ordered_json json_of(const exec::MemoryCount& count) {
  return {{"loads", count.loads},     {"loaded_bytes", count.loaded_bytes},
          {"stores", count.stores},   {"stored_bytes", count.stored_bytes},
          {"atomics", count.atomics}, {"atomic_bytes", count.atomic_bytes}};
}

nlohmann::ordered_json json_of(const std::vector<exec::NamedCount>& counts) {
  auto object = nlohmann::ordered_json::object();
  for (const exec::NamedCount& count : counts) object[std::string(count.name)] = count.count;
  return object;
}

nlohmann::ordered_json json_of(const exec::StatisticsReport& report) {
  return {{"mnemonics", json_of(report.mnemonics)},
          {"categories", json_of(report.categories)},
          {"vector_instructions", report.vector_instructions},
          {"all_lanes", report.all_lanes},
          {"some_lanes", report.some_lanes},
          {"no_lanes", report.no_lanes},
          {"lanes_on", report.lanes_on},
          {"lanes", report.lanes},
          {"memory", json_of(report.memory)},
          {"scalar_memory", json_of(report.scalar_memory)},
          {"data_share", json_of(report.data_share)},
          {"bank_conflicts", report.bank_conflicts}};
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
  const Watchers watchers(options);
  if (watchers.has_failed()) return Error{fmt::format("cannot write '{}'", options.event_file), {}};
  const auto report =
      code.launch(**kernel, size, argument_bytes, memory, {options.threads, options.max_instructions, watchers.all()});
  if (!report) return report.error();
  for (const std::string& output : options.outputs) {
    if (auto written = write_output(output, values); !written) return written.error();
  }
  nlohmann::ordered_json statistics;
  if (const exec::Statistics* counted = watchers.statistics()) {
    const exec::StatisticsReport counts = counted->report();
    if (options.format == "json")
      statistics = json_of(counts);
    else
      print_statistics(counts);
  }
  print_summary(options, *object, **kernel, *report, statistics);
  if (report->faults != 0) return Error{exec::describe_fault(*report, *object, **kernel), {}};
  return true;
}

}  // namespace

void add_run(CLI::App& app, int& exit_code, std::vector<std::string> program) {
  auto options = std::make_shared<RunOptions>();
  options->program = std::move(program);
  CLI::App* command = app.add_subcommand("run", "Run a kernel of a code object, or a GPU program: run -- PROGRAM");
  auto* file = command->add_option("CODEOBJECT", options->file, "an ELF code object (version 3 to 6)");
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
  command->add_flag(
      "--stats", options->wants_statistics,
      "what was executed: instructions, memory, lanes on; for a program: what its kernels did, at the end");
  command->add_flag(
      "--trace", options->wants_trace,
      "a line for each wave instruction, with the registers it changed; for a program: for each kernel that ends");
  command->add_option("--trace-json", options->event_file,
                      "a file for the Perfetto viewer (ui.perfetto.dev): when each wave executed what");
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

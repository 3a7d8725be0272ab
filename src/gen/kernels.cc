#include "gen/kernels.h"

#include <cctype>
#include <map>
#include <set>
#include <unordered_map>

#include "gen/kernels_body.h"

namespace gfxisa::gen {
namespace {

constexpr const char* head =
    "// Made by specc from the spec; not to be edited.\n"
    "#include \"exec/kernel_support.h\"\n\n"
    "namespace gfxisa::exec::GFXISA_LEVEL {\n";
constexpr const char* tail = "\n}  // namespace gfxisa::exec::GFXISA_LEVEL\n";

std::string identifier(const std::string& text) {
  std::string result;
  for (const char c : text) result += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return result;
}

/// No spec file's name: what belongs into kernels.cc.
constexpr const char* stage_file = "";

/// A compiled body: the function's name, empty when it cannot run.
struct Kernel {
  std::string function;
  bool is_lane = false;
};

/// The functions of one generated file. Bodies whose text is the same share one function.
struct KernelFile {
  std::string text;
  std::unordered_map<std::string, std::string> functions;  ///< text to name
};

class KernelSetWriter {
 public:
  Kernel add(const std::string& file, const std::string& name, const core::Body& body) {
    const KernelText kernel = kernel_text(body);
    if (!kernel.problem.empty()) {
      problems_.push_back(name + " has a body for which there is no kernel: " + kernel.problem);
      return {};
    }
    KernelFile& into = files_[file];
    const auto [known, is_new] = into.functions.try_emplace(kernel.text, name);
    if (is_new) define(into, name, kernel);
    return {known->second, kernel.is_lane};
  }

  void touch(const std::string& file) { files_[file]; }
  /// Takes the text of `file` out of what write() writes.
  std::string take(const std::string& file) {
    auto content = files_.extract(file);
    return content.empty() ? "" : std::move(content.mapped().text);
  }
  const std::string& declarations() const { return declarations_; }
  const std::vector<std::string>& problems() const { return problems_; }
  void write(OutputFolder& output) const {
    for (const auto& [file, content] : files_) {
      const bool is_empty = content.functions.empty();
      const bool has_items = content.text.find("ieee_control") != std::string::npos ||
                             content.text.find("ItemPlace") != std::string::npos ||
                             content.text.find("modifier_field") != std::string::npos;
      const std::string more = has_items ? "#include \"exec/item_place.h\"\n" : "";
      output.write("kernels_" + file + ".cc", is_empty ? "// No bodies here.\n" : more + head + content.text + tail);
    }
  }

 private:
  void define(KernelFile& into, const std::string& name, const KernelText& kernel) {
    const std::string result = kernel.is_lane ? "void " : "const Step* ";
    into.text += "\n" + result + name + kernel.text;
    declarations_ += result + name + (kernel.is_lane ? "(const LaneCall&);\n" : "(Wave&, const Step*);\n");
  }

  std::map<std::string, KernelFile> files_;
  std::string declarations_;
  std::vector<std::string> problems_;
};

std::string lane_row(const Kernel& kernel) {
  return "    " + (kernel.function.empty() || !kernel.is_lane ? std::string("nullptr") : kernel.function) + ",\n";
}

std::string row(const Kernel& kernel, const std::string& comment) {
  const std::string function = kernel.function.empty() ? "nullptr" : kernel.function;
  const std::string scalar = kernel.is_lane ? "nullptr" : function;
  const std::string lane = kernel.is_lane ? function : "nullptr";
  return "    {" + scalar + ", " + lane + "},  // " + comment + "\n";
}

std::string array(const std::string& type, const std::string& name, const std::string& rows) {
  return "static const " + type + " " + name + "[] = {\n" + (rows.empty() ? "    {},\n" : rows) + "};\n";
}

std::string instruction_rows(const model::Isa& isa, KernelSetWriter& writer) {
  std::string rows;
  std::set<std::string> names;
  for (const model::Instruction& instruction : isa.instructions) {
    for (const model::Semantics& semantics : instruction.semantics) {
      std::string name = "op_" + identifier(instruction.name);
      while (!names.insert(name).second) name += "_";
      rows += row(writer.add(identifier(instruction.file), name, semantics.body), instruction.name);
    }
  }
  return rows;
}

/// Stages and addresses stand in kernels.cc itself.
std::string stage_rows(const std::vector<model::StageBody>& bodies, const std::string& prefix,
                       KernelSetWriter& writer) {
  std::string rows;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const std::string name = prefix + std::to_string(i) + "_" + identifier(bodies[i].name);
    rows += lane_row(writer.add(stage_file, name, bodies[i].body));
  }
  return rows;
}

}  // namespace

std::vector<std::string> generate_kernels(const model::Isa& isa, const std::vector<std::string>& spec_files,
                                          OutputFolder& output) {
  KernelSetWriter writer;
  for (const std::string& file : spec_files) writer.touch(identifier(file));
  const std::string kernels = array("Kernel", "all_kernels", instruction_rows(isa, writer));
  const std::string stages = array("LaneKernel", "all_stages", stage_rows(isa.stage_bodies, "stage", writer));
  const std::string addresses = array("LaneKernel", "all_addresses", stage_rows(isa.address_bodies, "address", writer));
  const std::string stage_functions = writer.take(stage_file);
  writer.write(output);
  output.write("kernels.cc",
               std::string(head) + writer.declarations() + stage_functions + "\n" + kernels + "\n" + stages + "\n" +
                   addresses + tail +
                   "\nnamespace gfxisa::exec {\n"
                   "#define GFXISA_JOIN_(a, b) a##b\n"
                   "#define GFXISA_JOIN(a, b) GFXISA_JOIN_(a, b)\n"
                   "#define GFXISA_TEXT_(a) #a\n"
                   "#define GFXISA_TEXT(a) GFXISA_TEXT_(a)\n"
                   "extern const KernelSet GFXISA_JOIN(kernels_, GFXISA_LEVEL) = {GFXISA_TEXT(GFXISA_LEVEL), "
                   "GFXISA_LEVEL::all_kernels,\n    GFXISA_LEVEL::all_stages, GFXISA_LEVEL::all_addresses};\n"
                   "}  // namespace gfxisa::exec\n");
  return writer.problems();
}

}  // namespace gfxisa::gen

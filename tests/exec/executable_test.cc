// How many opcodes of each generation run here. What graphics pipelines do (images, exports, interpolation) is counted
// apart; of the rest nearly all must run, and each that does not says why.
#include <gtest/gtest.h>

#include <map>

#include "inst/tables.h"

namespace gfxisa {
namespace {

bool is_graphics(const FormRow& form) {
  const std::string_view encoding = tables().text(tables().encodings[form.encoding].name);
  const std::string_view topic = tables().text(tables().instructions[form.instruction].topic);
  const bool is_tensor = encoding == "VIMAGE_TENSOR";
  const bool is_image = encoding.starts_with("MIMG") || encoding.starts_with("VIMAGE") || encoding == "VSAMPLE";
  const bool is_interpolation = encoding == "VINTRP" || encoding == "VINTERP" || encoding == "LDSDIR";
  return (is_image && !is_tensor) || encoding.ends_with("EXP") || encoding == "VEXPORT" || is_interpolation ||
         topic.find("nterpolation") != std::string_view::npos;
}

/// Opcodes by what was found; names of those that do not run, with the reason.
struct Count {
  unsigned opcodes = 0, running = 0;
  std::map<std::string_view, std::string_view> others;
};

Count count(const ChipRow& chip) {
  Count result;
  for (u32 i = 0; i < chip.form_count; ++i) {
    const FormRow& form = tables().forms[chip.first_form + i];
    if (is_graphics(form)) continue;
    ++result.opcodes;
    if (form.semantics != no_semantics) {
      ++result.running;
    } else {
      const InstructionRow& row = tables().instructions[form.instruction];
      result.others[tables().text(form.mnemonic)] = tables().text(row.fidelity_why);
    }
  }
  return result;
}

TEST(Executable, NearlyEveryOpcodeOfEveryGeneration) {
  for (const ChipRow& chip : tables().chips) {
    const Count counted = count(chip);
    const double part = 100.0 * counted.running / counted.opcodes;
    std::printf("%s: %u of %u opcodes run, %.2f %%; others:\n", std::string(tables().text(chip.name)).c_str(),
                counted.running, counted.opcodes, part);
    for (const auto& [name, why] : counted.others) {
      std::printf("  %s: %s\n", std::string(name).c_str(), std::string(why).c_str());
      EXPECT_FALSE(why.empty()) << name;
    }
    EXPECT_GE(part, 99.0) << tables().text(chip.name);
  }
}

}  // namespace
}  // namespace gfxisa

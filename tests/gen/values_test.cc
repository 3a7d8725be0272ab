// What instructions compute, by example: every line of values/*.txt is run through the reference evaluator.
//
//     v_add_nc_u32 [on rdna3] [mode=0xf0] a=1 b=2 -> d=3
//
// A slot that is not named is 0. `lane=n` runs a lane body as that lane; `wave=64` and `exec=...` set the wave;
// `a@5=7` gives lane 5 of a slot of a wave body. The chip is the first that has the instruction unless `on` names one.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "core/evaluate.h"
#include "model/isa.h"
#include "whole_spec.h"

namespace gfxisa {
namespace {

struct Setting {
  std::string name;
  int lane = -1;
  u128 value = 0;
};

struct Line {
  std::string instruction, chip;
  std::vector<Setting> before, after;
};

/// Decimal, -decimal, or hexadecimal of up to 32 digits, which may be parted by _.
u128 number(const std::string& text) {
  const bool is_negative = text[0] == '-';
  const bool is_hex = text.rfind("0x", 0) == 0;
  u128 value = 0;
  for (const char c : text.substr(is_hex ? 2 : is_negative ? 1 : 0)) {
    if (c == '_') continue;
    const int digit = c >= 'a' ? c - 'a' + 10 : c - '0';
    value = value * (is_hex ? 16 : 10) + static_cast<unsigned>(digit);
  }
  return is_negative ? u128{0} - value : value;
}

Setting setting_of(const std::string& word) {
  const std::size_t equals = word.find('=');
  Setting setting{word.substr(0, equals), -1, number(word.substr(equals + 1))};
  const std::size_t at = setting.name.find('@');
  if (at == std::string::npos) return setting;
  setting.lane = std::stoi(setting.name.substr(at + 1));
  setting.name.resize(at);
  return setting;
}

Line line_of(const std::string& text) {
  Line line;
  std::istringstream words(text);
  words >> line.instruction;
  bool is_after = false;
  for (std::string word; words >> word;) {
    if (word == "on") {
      words >> line.chip;
    } else if (word == "->") {
      is_after = true;
    } else {
      (is_after ? line.after : line.before).push_back(setting_of(word));
    }
  }
  return line;
}

const core::Body* body_of(const Line& line) {
  const model::Isa& isa = spec().isa;
  for (u32 chip = 0; chip < isa.chips.size(); ++chip) {
    if (!line.chip.empty() && isa.chips[chip].name != line.chip) continue;
    for (const model::Form& form : isa.forms) {
      const model::Instruction& instruction = isa.instructions[form.instruction];
      if (form.chip != chip || instruction.name_on(chip) != line.instruction) continue;
      for (const model::Semantics& semantics : instruction.semantics) {
        if (semantics.chips >> chip & 1) return &semantics.body;
      }
    }
  }
  return nullptr;
}

int slot_number(const core::Body& body, const std::string& name) {
  for (std::size_t i = 0; i < body.slots.size(); ++i) {
    if (body.slots[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

u128 low_ones(unsigned bits) { return bits >= 128 ? ~u128{0} : (u128{1} << bits) - 1; }

/// Sets a slot, a lane of it, or one of the words that are no slots; false when there is no such thing.
bool apply(const core::Body& body, const Setting& setting, core::Environment& environment) {
  if (setting.name == "lane") return environment.lane = static_cast<u32>(setting.value), true;
  if (setting.name == "wave") return environment.wave_size = static_cast<u32>(setting.value), true;
  if (setting.name == "exec" && slot_number(body, "exec") < 0)
    return environment.exec = static_cast<u64>(setting.value), true;
  const int slot = slot_number(body, setting.name);
  if (setting.name == "mode") environment.mode = static_cast<u32>(setting.value);
  if (slot < 0) return setting.name == "mode";
  const u128 value = setting.value & low_ones(body.slots[slot].type.bits);
  if (setting.lane < 0) {
    environment.slots[slot] = core::wide_value(value);
  } else {
    environment.lanes[slot][setting.lane] = value;
  }
  return true;
}

std::string hex(u128 value) {
  std::ostringstream text;
  text << std::hex << "0x";
  if (value >> 64) text << static_cast<u64>(value >> 64) << '_';
  text << static_cast<u64>(value);
  return text.str();
}

void run_line(const std::string& text) {
  const Line line = line_of(text);
  const core::Body* body = body_of(line);
  ASSERT_NE(body, nullptr) << "no body: " << text;
  core::Environment environment;
  environment.slots.resize(body->slots.size());
  environment.lanes.assign(body->slots.size(), std::vector<u128>(64));
  for (const Setting& setting : line.before)
    ASSERT_TRUE(apply(*body, setting, environment)) << setting.name << ": " << text;
  const auto done = core::run(*body, environment);
  ASSERT_TRUE(done) << text;
  for (const Setting& wanted : line.after) {
    const int slot = slot_number(*body, wanted.name);
    ASSERT_GE(slot, 0) << wanted.name << ": " << text;
    const unsigned bits =
        body->slots[slot].type.kind == core::TypeKind::mask && wanted.lane < 0 ? 1 : body->slots[slot].type.bits;
    const u128 got = wanted.lane < 0 ? core::low_bits(environment.slots[slot]) : environment.lanes[slot][wanted.lane];
    EXPECT_EQ(hex(got & low_ones(bits)), hex(wanted.value & low_ones(bits))) << wanted.name << ": " << text;
  }
}

TEST(SpecValues, TheSpecHasNoMistakes) { EXPECT_EQ(spec().mistakes, ""); }

TEST(SpecValues, InstructionsComputeWhatTheExamplesSay) {
  unsigned count = 0;
  for (const auto& file : std::filesystem::directory_iterator(GFXISA_SOURCE_DIR "/tests/gen/values")) {
    std::ifstream lines(file.path());
    for (std::string text; std::getline(lines, text);) {
      if (text.empty() || text[0] == '#') continue;
      run_line(text);
      ++count;
    }
  }
  EXPECT_GT(count, 100u);
}

}  // namespace
}  // namespace gfxisa

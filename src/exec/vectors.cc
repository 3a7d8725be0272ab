#include "exec/vectors.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "exec/snippet.h"
#include "inst/instruction.h"

namespace gfxisa::exec {
namespace {

using nlohmann::json;

constexpr u32 most_waves = 32;
constexpr u32 vector_mode = 0x3c0;  // f32 denormals flushed, f16 and f64 kept, nearest even, DX10_CLAMP, IEEE

struct Skip {
  std::string reason;
};

std::vector<u8> code_of(const json& vector) {
  std::vector<u8> code;
  for (const auto& part : vector.at("program")) {
    const auto& text = part.get_ref<const std::string&>();
    for (std::size_t i = 0; i + 1 < text.size(); i += 2)
      code.push_back(static_cast<u8>(std::stoul(text.substr(i, 2), nullptr, 16)));
  }
  return code;
}

/// Ordered like the floats that the words are: comparable as integers.
i64 ordered(u32 word) { return (word >> 31) != 0 ? -static_cast<i64>(word & 0x7fffffff) : static_cast<i64>(word); }

bool is_nan(u32 word) { return (word & 0x7fffffff) > 0x7f800000; }

/// What a vector says of one lane of one register.
struct Expectation {
  u32 want = 0, mask = 0;
  std::optional<std::pair<u32, u32>> accepted;
  bool is_flag = false;
};

bool agrees(const Expectation& expected, u32 got) {
  const bool is_whole = expected.mask == 0xffffffffu || (expected.is_flag && expected.mask == 1);
  if (is_whole) return got == expected.want;
  if (expected.accepted)
    return ordered(got) >= ordered(expected.accepted->first) && ordered(got) <= ordered(expected.accepted->second);
  if (is_nan(expected.want)) return is_nan(got);
  return ((got ^ expected.want) & expected.mask) == 0;
}

/// Empty when the vector asserts nothing about this lane.
std::optional<Expectation> expectation(const std::string& reg, const json& entry, std::size_t lane) {
  const auto number = [&](const char* name) -> std::optional<u32> {
    const auto list = entry.find(name);
    if (list == entry.end() || !list->is_array() || lane >= list->size() || !(*list)[lane].is_number()) return {};
    return static_cast<u32>((*list)[lane].get<u64>());
  };
  const auto want = number("lanes"), mask = number("assert_mask");
  if (!want || !mask || *mask == 0) return {};
  Expectation expected{*want, *mask, {}, reg == "scc"};
  const auto list = entry.find("accept_f32");
  if (list != entry.end() && list->is_array() && lane < list->size() && (*list)[lane].is_array()) {
    const json& range = (*list)[lane];
    expected.accepted = std::pair{static_cast<u32>(range.at(0).get<u64>()), static_cast<u32>(range.at(1).get<u64>())};
  }
  return expected;
}

/// Memory and registers at the start.
class VectorRun {
 public:
  explicit VectorRun(const json& vector) : vector_(vector) {
    const auto& arch = vector.at("arch").get_ref<const std::string&>();
    chip_ = find_chip(arch);
    if (chip_ < 0) throw Skip{"unknown target " + arch};
    lanes_ = vector.at("n_lanes").get<u32>();
    code_ = code_of(vector);
    SnippetOptions options;
    options.chip = static_cast<unsigned>(chip_);
    options.wave_size = vector.at("wave_size").get<u32>();
    options.mode = vector_mode;
    options.waves = waves_ = vector.at("waves").get<u32>();
    if (waves_ == 0 || waves_ > most_waves) throw Skip{fmt::format("{} waves", waves_)};
    snippet_ = std::make_unique<Snippet>(options, code_);
    set_up();
  }

  std::string run() {
    const Fault fault = snippet_->run();
    if (fault) {
      const std::string what = snippet_->describe(fault);
      if (fault.kind == FaultKind::bad_instruction || fault.kind == FaultKind::not_executable) throw Skip{what};
      return what;
    }
    return compare();
  }

 private:
  void set_up() {
    out_.resize(vector_.at("mem").at("out").at("bytes").get<u64>());
    arguments_[0] = reinterpret_cast<u64>(out_.data());
    const u64 block = reinterpret_cast<u64>(arguments_);
    snippet_->memory().add(out_.data(), out_.size(), true);
    snippet_->memory().add(arguments_, sizeof arguments_, false);
    for (u32 number = 0; number < waves_; ++number) set_up(snippet_->wave(number), block);
  }

  void set_up(Wave& wave, u64 block) {
    const u32 first_item = wave.number * wave.wave_size(), items = lanes_ <= first_item ? 0 : lanes_ - first_item;
    wave.set_exec(items >= 64 ? ~u64{0} : (u64{1} << items) - 1);
    wave.set_pair(80, block);
    const bool starts_with_id = vector_.at("init").contains("s0_1");
    if (starts_with_id) wave.set_pair(0, block);
    for (u32 lane = 0; lane < wave.wave_size(); ++lane) {
      wave.row(255)[lane] = first_item + lane;
      if (starts_with_id) wave.row(0)[lane] = first_item + lane;
    }
  }

  /// A register's values: of vector registers those of all waves, one behind the other.
  Result<RegisterImage> read(const std::string& reg) const {
    auto image = snippet_->read(reg);
    for (u32 number = 1; image && image->is_vector && number < waves_; ++number) {
      const auto more = snippet_->read(reg, number);
      image->values.insert(image->values.end(), more->values.begin(), more->values.end());
    }
    return image;
  }

  std::string compare() const {
    const json& expected = vector_.at("expected");
    for (const auto& [reg, entry] : expected.items()) {
      const auto image = read(reg);
      if (!image) throw Skip{image.error().message};
      for (std::size_t lane = 0; lane < entry.at("lanes").size(); ++lane) {
        const auto want = expectation(reg, entry, lane);
        if (!want) continue;
        const u32 got = image->values[image->is_vector ? lane % image->values.size() : 0];
        if (agrees(*want, got)) continue;
        return fmt::format("{} lane {}: 0x{:08x}, expected 0x{:08x} (mask 0x{:08x})", reg, lane, got, want->want,
                           want->mask);
      }
    }
    return vector_.value("rest_zero", false) ? compare_rest(expected) : "";
  }

  std::string compare_rest(const json& expected) const {
    for (const char* cls : {"v", "s"}) {
      for (u32 i = 0; i < 16; ++i) {
        const std::string reg = cls + std::to_string(i);
        if (expected.contains(reg)) continue;
        const auto image = read(reg);
        if (!image) continue;
        for (std::size_t lane = 0; lane < image->values.size(); ++lane) {
          if (image->is_vector && lane >= lanes_) break;
          if (image->values[lane] != 0)
            return fmt::format("{} lane {}: 0x{:08x}, expected to stay 0", reg, lane, image->values[lane]);
        }
      }
    }
    return {};
  }

  const json& vector_;
  int chip_ = -1;
  u32 lanes_ = 0, waves_ = 1;
  std::vector<u8> code_, out_;
  u64 arguments_[1] = {};
  std::unique_ptr<Snippet> snippet_;
};

/// The instructions the vector is made of, for a message.
std::string listing(const json& vector) {
  std::string out;
  for (const auto& line : vector.value("asm", json::array()))
    out += (out.empty() ? "" : "; ") + line.get<std::string>();
  return out;
}

}  // namespace

VectorResult run_vector(const std::string& line) {
  VectorResult result;
  std::string doubt;
  try {
    const json vector = json::parse(line);
    result.id = vector.value("id", "");
    // Bytes that the assembler does not give back are doubtful: they are run, but a difference says nothing.
    const bool is_doubtful = vector.value("llvm_reasm", "") == "rejected";
    if (is_doubtful) doubt = "doubtful encoding, which LLVM's assembler refuses: ";
    VectorRun run(vector);
    result.reason = run.run();
    if (result.reason.empty()) return result;
    result.outcome = is_doubtful ? VectorOutcome::skipped : VectorOutcome::failed;
    result.reason += "\n    " + listing(vector);
    result.reason = doubt + result.reason;
  } catch (const Skip& skip) {
    result.outcome = VectorOutcome::skipped;
    result.reason = doubt + skip.reason;
  } catch (const std::exception& problem) {  // the JSON library's
    result.outcome = VectorOutcome::failed;
    result.reason = std::string("not a vector: ") + problem.what();
  }
  return result;
}

VectorSummary run_vectors(std::istream& file, const std::function<void(const VectorResult&)>& report) {
  VectorSummary summary;
  for (std::string line; std::getline(file, line);) {
    if (line.empty()) continue;
    const VectorResult result = run_vector(line);
    if (result.outcome == VectorOutcome::passed)
      ++summary.passed;
    else if (result.outcome == VectorOutcome::failed)
      ++summary.failed;
    else
      ++summary.skipped;
    if (result.outcome != VectorOutcome::passed) report(result);
  }
  return summary;
}

}  // namespace gfxisa::exec

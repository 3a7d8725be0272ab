// Relations of data/ptx*.ref that claim equality: the PTX instruction, written in the language of bodies, and the AMD
// instruction's body are run by the reference evaluator on edge cases and 100,000 random inputs.
#include "doc/ptx.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <fstream>
#include <map>
#include <random>
#include <set>

#include "../float_bits.h"
#include "core/blob.h"
#include "core/evaluate.h"
#include "doc/embedded.h"
#include "doc/reference_text.h"
#include "inst/instruction.h"
#include "lang/parser.h"
#include "model/isa.h"

namespace gfxisa {
namespace {

constexpr unsigned random_inputs = 100000;

std::string read_spec(const std::string& name) {
  std::ifstream in(std::string(GFXISA_SOURCE_DIR) + "/spec/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Encodings of the test's own give the PTX instruction's operands a place.
constexpr std::string_view encodings = R"(
encoding PTX 64 on rdna4
  title    PTX
  63:54    = 0b1010101010
  53:44    op
  43:36    vdst  vgpr  is d
  35:27    src2  src   is c
  26:18    src1  src   is b
  17:9     src0  src   is a
  8:0      reserved
  syntax   d a b c

encoding PTXM 64 on rdna4
  title    PTX with a predicate
  63:54    = 0b1010101011
  53:44    op
  43:37    sdst  sdst  is d
  36       reserved
  35:27    src2  src   is c
  26:18    src1  src   is b
  17:9     src0  src   is a
  8:0      reserved
  syntax   d a b c

encoding PTXT 64 on rdna4
  title    PTX with a table
  63:54    = 0b1010101000
  53:44    op
  43:36    vdst  vgpr  is d
  35:27    src2  src   is c
  26:18    src1  src   is b
  17:9     src0  src   is a
  8:0      src3  src   is table
  syntax   d a b c table

encoding PTXA 64 on rdna4
  title    PTX with an address
  63:54    = 0b1010101001
  53:44    op
  43:36    vdst  vgpr  is d
  35:28    addr  vgpr  is addr
  27:20    src0  vgpr  is data
  19:12    src1  vgpr  is data2
  11:0     reserved
  syntax   d addr data data2

encoding PTXS 64 on rdna4
  title    PTX with a carry
  63:54    = 0b1010100111
  53:44    op
  43:37    sdst  sdst  is d
  36:29    src2  ssrc  is carry
  28:21    src1  ssrc  is b
  20:13    src0  ssrc  is a
  12:0     reserved
  syntax   d a b carry

encoding PTXW 64 on rdna4
  title    PTX across a warp
  63:54    = 0b1010100110
  53:44    op
  43:36    vdst  vgpr  is d
  35:28    src2  ssrc  is c
  27:20    src1  ssrc  is b
  19:12    src0  vgpr  is a
  11:0     reserved
  syntax   d a b c
)";

constexpr unsigned memory_bytes = 256, lane_count = 32;

struct Restriction {
  std::string operand;
  u64 mask = 0;             ///< `b & 31`
  std::vector<u64> values;  ///< `b of 1 2 4`
  u64 apply(u64 value) const { return values.empty() ? value & mask : values[value % values.size()]; }
};

/// Which PTX operands an AMD slot holds: one, or two of which the first is the low half, or a number.
struct Place {
  std::string slot, low, high;
  unsigned shift = 0;  ///< to the right
};

/// How an AMD instruction's slots are filled where their names are not those of PTX's operands.
struct Like {
  std::string mnemonic;  ///< with `*` and `?`
  std::vector<Place> places;
};

struct Operand {
  std::string name;
  unsigned width;
};

/// A PTX instruction of data/ptx*.ref with a meaning.
struct Case {
  std::string name;
  std::vector<Operand> sources, results;
  std::string result;  ///< format of d
  std::vector<Restriction> restrictions;
  std::vector<Like> likes;
  bool is_of_warp = false;
  core::Body body;
};

/// Bits of f32, u16, f16x2.
unsigned width_of(std::string_view format) {
  if (format == "mask") return 1;  // of a lane
  if (format == "address") return 64;
  const std::size_t digit = format.find_first_of("0123456789");
  const unsigned bits = static_cast<unsigned>(std::stoul(std::string(format.substr(digit))));
  return format.find('x', digit) == std::string_view::npos ? bits : bits * 2;
}

Restriction restriction_of(std::string_view text) {
  const auto words = split_words(text);
  EXPECT_GE(words.size(), 3u) << "when takes `OPERAND & MASK` or `OPERAND of VALUE...`: " << text;
  Restriction out{std::string(words.front()), 0, {}};
  for (std::size_t i = 2; i < words.size(); ++i) out.values.push_back(std::stoull(std::string(words[i]), nullptr, 0));
  if (words[1] != "&") return out;
  out.mask = out.values.front();
  out.values.clear();
  return out;
}

/// `MNEMONIC a b c`: the AMD slots a, b, c in this order; `MNEMONIC addr=addr data=c:b`: by name.
Like like_of(std::string_view text) {
  const auto words = split_words(text);
  Like out{std::string(words.front()), {}};
  static constexpr std::string_view slots[] = {"a", "b", "c"};
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::size_t equals = words[i].find('=');
    const std::string_view slot = equals == std::string_view::npos ? slots[i - 1] : words[i].substr(0, equals);
    const std::string_view value = equals == std::string_view::npos ? words[i] : words[i].substr(equals + 1);
    const std::size_t colon = value.find(':'), shift = value.find(">>");
    Place place{std::string(slot), std::string(value.substr(0, std::min(colon, shift))), "", 0};
    if (colon != std::string_view::npos) place.high = value.substr(colon + 1);
    if (shift != std::string_view::npos)
      place.shift = static_cast<unsigned>(std::stoul(std::string(value.substr(shift + 2))));
    out.places.push_back(std::move(place));
  }
  return out;
}

/// The block as a family of the spec language.
Case case_of(const ReferenceBlock& block, std::size_t opcode, std::string& spec) {
  Case out;
  out.name = block.name;
  spec += fmt::format("\nfamily ptx_{}\n  about    PTX.\n  ptx      none\n\n", opcode);
  const std::string takes = block.text("takes");
  const auto words = split_words(takes);
  std::string_view encoding = "PTX";
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    const bool is_result = words[i] == "d" || words[i] == "scc";
    spec += fmt::format("  {} {} {}\n", words[i], is_result ? "out" : "in", words[i + 1]);
    (is_result ? out.results : out.sources).push_back({std::string(words[i]), width_of(words[i + 1])});
    if (words[i] == "d") out.result = words[i + 1];
    if (words[i] == "addr") encoding = "PTXA";
    if (words[i] == "scc") encoding = "PTXS";
    if (words[i] == "table") encoding = "PTXT";
  }
  if (out.result == "mask") encoding = "PTXM";
  out.is_of_warp = block.text("meaning").starts_with("for lane");
  if (out.is_of_warp) encoding = "PTXW";
  spec += fmt::format("\n  {} rdna4\n      {}\n\n  exec {}\n", encoding, opcode,
                      encoding == "PTXS" ? ""
                      : out.is_of_warp   ? "wave"
                                         : "lane");
  for (const ReferenceLine& line : block.lines) {
    if (line.word == "meaning") spec += fmt::format("    {}\n", line.rest);
    if (line.word == "within") spec += fmt::format("      {}\n", line.rest);
    if (line.word == "when") out.restrictions.push_back(restriction_of(line.rest));
    if (line.word == "like") out.likes.push_back(like_of(line.rest));
  }
  return out;
}

std::vector<Case> all_cases() {
  std::string spec(encodings);
  std::vector<Case> cases;
  for (const ReferenceBlock& block : ptx_blocks()) {
    if (!block.text("meaning").empty()) cases.push_back(case_of(block, cases.size(), spec));
  }
  Sources sources;
  Diagnostics diagnostics(sources);
  std::vector<lang::File> files;
  for (const char* name : {"arch.isa", "types.isa", "operands.isa", "prelude.isa"}) {
    files.push_back(lang::parse(sources.add(name, read_spec(name)), sources, diagnostics));
  }
  files.push_back(lang::parse(sources.add("ptx.isa", spec), sources, diagnostics));
  model::Isa isa;
  if (!diagnostics.has_errors()) isa = model::build_isa(files, sources, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.text(false);
  if (diagnostics.has_errors()) return {};
  for (const model::Instruction& instruction : isa.instructions) {
    EXPECT_EQ(instruction.semantics.size(), 1u);
    cases[std::stoul(instruction.name.substr(instruction.name.find('_') + 1))].body =
        instruction.semantics.front().body;
  }
  return cases;
}

/// An AMD instruction's body that a PTX instruction is compared with.
struct Counterpart {
  std::string mnemonic;
  u16 semantics = no_semantics;
  auto operator<=>(const Counterpart&) const = default;
};

core::Body body_of(const Counterpart& counterpart) {
  const SemanticsRow& row = tables().semantics[counterpart.semantics];
  auto body = core::deserialise(tables().tree_words.subspan(row.first_blob, row.blob_words));
  EXPECT_TRUE(static_cast<bool>(body)) << counterpart.mnemonic;
  return body ? std::move(*body) : core::Body{};
}

/// What the spec calls the same, by PTX name: every body that an instruction has on some generation. Those without a
/// body are in `without`.
std::map<std::string, std::set<Counterpart>> same_ones(std::set<std::string>& without) {
  const Tables& all = tables();
  std::map<std::string, std::set<Counterpart>> out;
  for (unsigned chip = 0; chip < all.chips.size(); ++chip) {
    for (const FormRow& form : all.forms.subspan(all.chips[chip].first_form, all.chips[chip].form_count)) {
      const InstructionRow& row = all.instructions[form.instruction];
      for (const PtxRow& ptx : all.ptx.subspan(row.first_ptx, row.ptx_count)) {
        if (ptx.relation != 0 || (ptx.chips >> chip & 1) == 0) continue;
        const std::string name = ptx_name(all.text(ptx.name)), mnemonic(all.text(form.mnemonic));
        if (form.semantics == no_semantics) without.insert(name + " by " + mnemonic);
        // A body's first name is enough.
        auto& known = out[name];
        const bool is_known = std::any_of(known.begin(), known.end(),
                                          [&](const Counterpart& c) { return c.semantics == form.semantics; });
        if (!is_known) known.insert({mnemonic, form.semantics});
      }
    }
  }
  return out;
}

/// The body on the newest generation that has the instruction.
Counterpart newest(const std::string& mnemonic) {
  const Tables& all = tables();
  for (std::size_t c = all.chips.size(); c-- > 0;) {
    const ChipRow& chip = all.chips[c];
    for (u32 i = chip.first_name; i < chip.first_name + chip.name_count; ++i) {
      const u16 semantics = all.forms[all.name_index[i].form].semantics;
      if (all.text(all.name_index[i].name) == mnemonic && semantics != no_semantics) return {mnemonic, semantics};
    }
  }
  ADD_FAILURE() << mnemonic << " has no body";
  return {};
}

int slot_named(const core::Body& body, std::string_view name) {
  for (std::size_t i = 0; i < body.slots.size(); ++i) {
    if (body.slots[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

using Values = std::vector<std::pair<std::string, u128>>;
using Memory = std::array<u8, memory_bytes>;

/// Runs a body in memory (and as large a data share) on sources by slot name.
struct Run {
  Memory memory{}, share{};
  core::Environment environment;

  void operator()(const core::Body& body, const Values& sources, bool is_of_warp) {
    environment.mode = 0x3f0;
    environment.slots.resize(body.slots.size());
    if (is_of_warp) {
      environment.exec = (u64{1} << lane_count) - 1;
      environment.lanes.assign(body.slots.size(), std::vector<u128>(lane_count));
    }
    for (const auto& [name, value] : sources) {
      const int slot = slot_named(body, name);
      ASSERT_GE(slot, 0) << "no slot " << name;
      environment.slots[static_cast<unsigned>(slot)] = core::wide_value(value);
      if (is_of_warp) {
        auto& lanes = environment.lanes[static_cast<unsigned>(slot)];
        // The words that lanes exchange differ; numbers of lanes are the same for all.
        for (unsigned lane = 0; lane < lane_count; ++lane) lanes[lane] = name == "a" ? u32(value) * (lane + 1) : value;
      }
    }
    environment.load = [this](core::Space space, u64 address, unsigned bits, u32) {
      core::WideValue out{};
      if (address + bits / 8 <= memory_bytes) std::memcpy(out.data(), bytes(space).data() + address, bits / 8);
      return out;
    };
    environment.store = [this](core::Space space, u64 address, unsigned bits, u128 value, u32) {
      if (address + bits / 8 <= memory_bytes) std::memcpy(bytes(space).data() + address, &value, bits / 8);
    };
    ASSERT_TRUE(static_cast<bool>(core::run(body, environment)));
  }
  Memory& bytes(core::Space space) { return space == core::Space::data_share ? share : memory; }
  u128 result(const core::Body& body, std::string_view name, unsigned width) const {
    int slot = slot_named(body, name);
    // A predicate is a mask of lanes, or SCC.
    if (slot < 0 && name == "d") slot = slot_named(body, "scc");
    EXPECT_GE(slot, 0) << "no slot " << name;
    return slot < 0 ? 0 : cut(core::low_bits(environment.slots[static_cast<unsigned>(slot)]), width);
  }
  static u128 cut(u128 value, unsigned width) { return width == 128 ? value : value & ((u128{1} << width) - 1); }
};

/// Equal, or both a NaN: PTX gives one NaN, AMD the quieted operand.
bool agree(std::string_view format, u128 wanted, u128 given) {
  if (wanted == given) return true;
  if (format == "f16x2") {
    return agree("f16", wanted & 0xffff, given & 0xffff) && agree("f16", wanted >> 16, given >> 16);
  }
  if (format == "bf16x2") {
    return agree("f32", (wanted & 0xffff) << 16, (given & 0xffff) << 16) &&
           agree("f32", wanted >> 16 << 16, given >> 16 << 16);
  }
  return format.starts_with("f") && is_nan(static_cast<u64>(wanted), width_of(format)) &&
         is_nan(static_cast<u64>(given), width_of(format));
}

/// Whether memory is the same, or differs in a NaN of the operand's format at the place that is updated.
bool memories_agree(const Memory& wanted, const Memory& given, std::size_t place, std::string_view format) {
  if (wanted == given) return true;
  if (format.find('f') == std::string_view::npos) return false;
  const std::size_t size = width_of(format) / 8;
  Memory patched = given;
  u128 before = 0, after = 0;
  std::memcpy(&before, wanted.data() + place, size);
  std::memcpy(&after, given.data() + place, size);
  std::memcpy(patched.data() + place, &before, size);
  return patched == wanted && agree(format, before, after);
}

class Comparison {
 public:
  Comparison(const Case& c, const Counterpart& amd) : case_(c), amd_(amd), body_(body_of(amd)) {
    for (const Like& like : c.likes) {
      if (matches_pattern(like.mnemonic, amd.mnemonic)) {
        places_ = like.places;
        return;
      }
    }
    for (const Operand& source : c.sources) places_.push_back({source.name, source.name, "", 0});
  }

  void run() {
    std::size_t combinations = 1;
    for (const Operand& source : case_.sources) combinations *= edges_of(source.width).size();
    for (std::size_t n = 0; n < combinations && !has_failed_; ++n) {
      std::vector<u128> values;
      std::size_t rest = n;
      for (const Operand& source : case_.sources) {
        const auto edges = edges_of(source.width);
        values.push_back(edges[rest % edges.size()]);
        rest /= edges.size();
      }
      compare(std::move(values), n);
    }
    // A warp's operation has as many inputs as it has lanes.
    const unsigned count = case_.is_of_warp ? random_inputs / lane_count : random_inputs;
    for (unsigned n = 0; n < count && !has_failed_; ++n) {
      std::vector<u128> values;
      for (const Operand& source : case_.sources) {
        u128 value = random_();
        if (source.width > 64) value |= u128{random_()} << 64;
        value = Run::cut(value, source.width);
        values.push_back(n % 2 != 0 ? value >> (random_() % source.width) : value);
      }
      compare(std::move(values), n);
    }
  }

 private:
  static std::vector<u64> edges_of(unsigned width);

  u128 value_of(const std::vector<u128>& values, std::string_view name, unsigned* width = nullptr) const {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (case_.sources[i].name != name) continue;
      if (width != nullptr) *width = case_.sources[i].width;
      return values[i];
    }
    ADD_FAILURE() << case_.name << " has no operand " << name;
    return 0;
  }

  Values to_amd(const std::vector<u128>& values) const {
    Values out;
    for (const Place& place : places_) {
      unsigned width = 0;
      if (place.low.front() >= '0' && place.low.front() <= '9') {
        out.emplace_back(place.slot, std::stoul(place.low));
        continue;
      }
      u128 value = value_of(values, place.low, &width) >> place.shift;
      if (!place.high.empty()) value |= value_of(values, place.high) << width;
      out.emplace_back(place.slot, value);
    }
    return out;
  }

  /// Memory with anything in it, at the place of the address one of the operands now and then.
  Memory memory_for(const std::vector<u128>& values, std::size_t number) {
    Memory out{};
    for (std::size_t at = 0; at < memory_bytes; at += 8) {
      const u64 word = random_();
      std::memcpy(out.data() + at, &word, 8);
    }
    const std::size_t which = number / 2 % (values.size() + 1);
    if (which < values.size() && case_.sources[which].name != "addr")
      std::memcpy(out.data() + place_, &values[which], case_.sources[which].width / 8);
    return out;
  }

  void compare(std::vector<u128> values, std::size_t number) {
    bool has_address = false;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Operand& source = case_.sources[i];
      // What an address names lies in memory.
      if (source.name == "addr") values[i] &= memory_bytes / 2 - 1;
      for (const Restriction& restriction : case_.restrictions) {
        if (restriction.operand == source.name) values[i] = restriction.apply(static_cast<u64>(values[i]));
      }
      if (source.name != "addr") continue;
      has_address = true;
      place_ = static_cast<std::size_t>(values[i]);
    }
    Values to_ptx;
    for (std::size_t i = 0; i < values.size(); ++i) to_ptx.emplace_back(case_.sources[i].name, values[i]);
    Run ptx, amd;
    if (has_address) ptx.memory = ptx.share = amd.memory = amd.share = memory_for(values, number);
    has_failed_ = true;
    ASSERT_NO_FATAL_FAILURE(ptx(case_.body, to_ptx, case_.is_of_warp)) << case_.name;
    ASSERT_NO_FATAL_FAILURE(amd(body_, to_amd(values), case_.is_of_warp)) << case_.name << " " << amd_.mnemonic;
    has_failed_ = false;
    bool are_same = true;
    for (const Operand& result : case_.results) {
      const std::string_view format = result.name == "d" ? case_.result : "b1";
      if (case_.is_of_warp) {
        are_same = are_same && lanes(ptx, case_.body) == lanes(amd, body_);
      } else {
        are_same = are_same && agree(format, ptx.result(case_.body, result.name, result.width),
                                     amd.result(body_, result.name, result.width));
      }
    }
    const std::string format = has_address ? memory_format() : "";
    are_same = are_same && memories_agree(ptx.memory, amd.memory, place_, format) &&
               memories_agree(ptx.share, amd.share, place_, format);
    if (are_same) return;
    has_failed_ = true;
    std::string text;
    for (const auto& [name, value] : to_ptx) text += fmt::format(" {} = {:#x}", name, static_cast<u64>(value));
    for (const Operand& result : case_.results) {
      if (!case_.is_of_warp)
        text += fmt::format("; {} {:#x}, not {:#x}", result.name,
                            static_cast<u64>(amd.result(body_, result.name, result.width)),
                            static_cast<u64>(ptx.result(case_.body, result.name, result.width)));
    }
    FAIL() << case_.name << " against " << amd_.mnemonic << " on" << text;
  }

  static std::vector<u128> lanes(const Run& run, const core::Body& body) {
    return run.environment.lanes[static_cast<unsigned>(slot_named(body, "d"))];
  }
  /// The type of what an operation on memory works with: that of its name.
  std::string memory_format() const {
    const std::size_t dot = case_.name.rfind('.');
    return case_.name.substr(dot + 1);
  }

  const Case& case_;
  const Counterpart& amd_;
  core::Body body_;
  std::vector<Place> places_;
  std::size_t place_ = 0;  ///< the address of this comparison
  bool has_failed_ = false;
  std::mt19937_64 random_{7};
};

std::vector<u64> Comparison::edges_of(unsigned width) {
  if (width == 1) return {0, 1};
  if (width >= 64) {
    return {0,
            1,
            2,
            63,
            64,
            0x7fffffffffffffff,
            0x8000000000000000,
            ~u64{0},
            0xffffffff,
            0x100000000,
            1ull << 52,
            0x3ff0000000000000,
            0x7ff0000000000000,
            0x7ff8000000000000,
            0x7ff0000000000001,
            0x000fffffffffffff,
            0xc1e0000000000000,
            0x41efffffffe00000};
  }
  if (width == 16) {
    return {0,      1,      2,      15,     16,     0x7fff, 0x8000, 0x8001, 0xffff,
            0x3c00, 0x7bff, 0x7c00, 0x7e00, 0x7c01, 0x03ff, 0x0400, 0xbc00, 0xfc00};
  }
  return {0,          1,          2,          31,         32,         33,         255,        256,
          0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0x0000ffff, 0xffff0000, 0x00ffffff, 0x3f800000,
          0x7f800000, 0x7fc00000, 0x7f800001, 0x807fffff, 0x4f000000, 0xcf000000};
}

constexpr unsigned shares = 8;  ///< so that they run side by side

class PtxRelation : public testing::TestWithParam<unsigned> {};

// What the spec calls the same, and what data/ptx*.ref calls alike under restrictions.
TEST_P(PtxRelation, EqualOnesAreEqual) {
  const std::vector<Case> cases = all_cases();
  ASSERT_GT(cases.size(), 300u);
  std::set<std::string> without;
  const auto same = same_ones(without);
  for (std::size_t i = GetParam(); i < cases.size(); i += shares) {
    std::set<Counterpart> counterparts;
    if (const auto found = same.find(cases[i].name); found != same.end()) counterparts = found->second;
    for (const Like& like : cases[i].likes) {
      if (like.mnemonic.find_first_of("*?") == std::string::npos) counterparts.insert(newest(like.mnemonic));
    }
    for (const Counterpart& counterpart : counterparts) {
      if (counterpart.semantics == no_semantics) continue;
      Comparison(cases[i], counterpart).run();
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Shares, PtxRelation, testing::Range(0u, shares));

// Nothing is called the same that is not compared.
TEST(Ptx, NothingIsCalledTheSameUntested) {
  std::set<std::string> without, with_meaning;
  for (const ReferenceBlock& block : ptx_blocks()) {
    if (!block.text("meaning").empty()) with_meaning.insert(std::string(block.name));
  }
  std::size_t bodies = 0, untested = 0;
  for (const auto& [name, counterparts] : same_ones(without)) {
    bodies += counterparts.size();
    if (with_meaning.count(name) != 0) continue;
    ++untested;
    ADD_FAILURE() << name << " has no meaning in data/ptx*.ref, and " << counterparts.begin()->mnemonic
                  << " is called the same";
  }
  for (const std::string& instruction : without) ADD_FAILURE() << instruction << " has no body to compare";
  printf(
      "%zu bodies of AMD instructions are called the same as a PTX instruction, %zu PTX instructions of them "
      "untested\n",
      bodies, untested);
}

// What is called equivalent and tested may not be denied by the spec; names of instructions in the data exist.
TEST(Ptx, EntriesSayWhatThereIs) {
  for (const PtxEntry& entry : ptx_entries()) {
    EXPECT_FALSE(entry.counterparts.empty() && entry.sequences.empty() && entry.none.empty() && entry.tested.empty())
        << entry.name;
  }
}

TEST(Ptx, NamesAreThoseOfPtx) {
  EXPECT_EQ(ptx_name("add.i32"), "add.s32");
  EXPECT_EQ(ptx_name("shfl.sync.idx.b32"), "shfl.sync.idx.b32");
  EXPECT_EQ(ptx_name("setp.nge.f32"), "setp.ltu.f32");
  EXPECT_EQ(ptx_name("setp.o.f16"), "setp.num.f16");
  EXPECT_EQ(ptx_name("setp.lt.i32"), "setp.lt.s32");
  EXPECT_EQ(ptx_name("setp.f.f32"), "mov.pred");
}

TEST(Ptx, BothDirections) {
  const auto entry = find_ptx("bfe.u32");
  ASSERT_TRUE(static_cast<bool>(entry));
  const auto has = [&](std::string_view name) {
    for (const PtxCounterpart& c : entry->counterparts) {
      if (c.mnemonic == name) return true;
    }
    return false;
  };
  EXPECT_TRUE(has("v_bfe_u32"));
  EXPECT_TRUE(has("s_bfe_u32"));
  const auto wrong = find_ptx("bfe.u33");
  ASSERT_FALSE(static_cast<bool>(wrong));
  EXPECT_NE(wrong.error().message.find("bfe.u32"), std::string::npos);
}

// Whatever PTX instruction is named, it is said what it does, and what AMD has for it or why nothing.
TEST(Ptx, EveryEntryIsWhole) {
  for (const PtxEntry& entry : ptx_entries()) {
    EXPECT_NE(entry.about, "") << entry.name;
    EXPECT_FALSE(entry.counterparts.empty() && entry.sequences.empty() && entry.none.empty()) << entry.name;
    for (const PtxCounterpart& c : entry.counterparts)
      EXPECT_TRUE(c.relation == "equivalent" || !c.why.empty()) << entry.name << ": " << c.mnemonic;
  }
}

}  // namespace
}  // namespace gfxisa

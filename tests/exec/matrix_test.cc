// Matrix operations: exact products of small integers, element by element where tests/golden/matrix_layouts.tsv says
// they lie.
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "program_text.h"

namespace gfxisa {
namespace {

/// Bits of coordinates, highest first: `k2 i3 i2`; `-` is a bit that is 0.
struct Places {
  std::string format;
  std::vector<std::string> lane, element;
};

struct Operation {
  std::string chip, mnemonic, modifiers;
  unsigned wave = 64;
  std::map<std::string, Places> matrices;  ///< A B D, C where it is not as D, and SA SB of scaled ones
};

struct Coordinates {
  unsigned i = 0, j = 0, k = 0, b = 0;
  unsigned of(char letter) const { return letter == 'i' ? i : letter == 'j' ? j : letter == 'k' ? k : b; }
};

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::vector<Operation> read_operations() {
  std::ifstream in(std::string(GFXISA_SOURCE_DIR) + "/tests/golden/matrix_layouts.tsv");
  std::map<std::string, std::size_t> known;
  std::vector<Operation> operations;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, '\t');) cells.push_back(cell);
    EXPECT_EQ(cells.size(), 8u) << line;
    const std::string key = cells[0] + cells[1] + cells[2] + cells[3];
    const auto [place, is_new] = known.try_emplace(key, operations.size());
    if (is_new) operations.push_back({cells[0], cells[2], cells[3], static_cast<unsigned>(std::stoul(cells[1])), {}});
    const auto bits = [](const std::string& text) { return text == "-" ? std::vector<std::string>() : words_of(text); };
    operations[place->second].matrices[cells[4]] = {cells[5], bits(cells[6]), bits(cells[7])};
  }
  return operations;
}

const std::vector<Operation>& operations() {
  static const std::vector<Operation> all = read_operations();
  return all;
}

unsigned number_at(const std::vector<std::string>& bits, const Coordinates& at) {
  unsigned number = 0;
  for (const std::string& bit : bits)
    number = number * 2 + (bit == "-" ? 0 : at.of(bit[0]) >> std::stoul(bit.substr(1)) & 1);
  return number;
}

/// One more than the highest value of a coordinate in these matrices.
unsigned size_of(const Operation& operation, char letter, std::initializer_list<const char*> matrices) {
  unsigned size = 1;
  for (const char* matrix : matrices) {
    const Places& places = operation.matrices.at(matrix);
    for (const auto* bits : {&places.lane, &places.element}) {
      for (const std::string& bit : *bits) {
        if (bit[0] == letter) size = std::max(size, 2u << std::stoul(bit.substr(1)));
      }
    }
  }
  return size;
}

// ------------------------------------------------------------------------------------------------ formats

struct Format {
  const char* name;
  unsigned width, exponent, mantissa;
  int bias;  ///< 0: an integer
};
constexpr Format formats[] = {
    {"f64", 64, 11, 52, 1023}, {"f32", 32, 8, 23, 127}, {"xf32", 32, 8, 23, 127}, {"f16", 16, 5, 10, 15},
    {"bf16", 16, 8, 7, 127},   {"fp8", 8, 4, 3, 7},     {"bf8", 8, 5, 2, 15},     {"fp8_fnuz", 8, 4, 3, 8},
    {"bf8_fnuz", 8, 5, 2, 16}, {"fp6", 6, 2, 3, 1},     {"bf6", 6, 3, 2, 3},      {"fp4", 4, 2, 1, 1},
    {"i32", 32, 0, 0, 0},      {"i8", 8, 0, 0, 0},      {"iu8", 8, 0, 0, 0},      {"iu4", 4, 0, 0, 0},
    {"e8m0", 8, 8, 0, 127},    {"e5m3", 8, 5, 3, 15},   {"e4m3", 8, 4, 3, 7}};

const Format& format_named(const std::string& name) {
  for (const Format& format : formats) {
    if (name == format.name) return format;
  }
  ADD_FAILURE() << "unknown format " << name;
  return formats[0];
}

/// Bits of a number that the format holds exactly.
u64 encoded(const Format& format, double value) {
  const u64 ones = format.width == 64 ? ~u64{0} : (u64{1} << format.width) - 1;
  if (format.bias == 0) return static_cast<u64>(static_cast<i64>(value)) & ones;
  if (value == 0) return 0;
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent) * 2;
  int scaled = exponent - 1 + format.bias;
  double mantissa = std::ldexp(fraction - 1, static_cast<int>(format.mantissa));
  if (scaled <= 0) {
    mantissa = std::ldexp(fraction, static_cast<int>(format.mantissa) + scaled - 1);
    scaled = 0;
  }
  const bool has_sign = format.width > format.exponent + format.mantissa;
  const u64 sign = value < 0 && has_sign ? u64{1} << (format.width - 1) : 0;
  return sign | static_cast<u64>(scaled) << format.mantissa | static_cast<u64>(mantissa);
}

// ------------------------------------------------------------------------------------------------ one run

/// How a run differs from the plain one.
struct Variation {
  std::string modifiers;
  std::function<unsigned(unsigned)> block_of_a;  ///< which block of A block b uses
  std::function<unsigned(unsigned)> lane_of_b;   ///< which lane stands for lane l of B
  std::function<double(double, unsigned)> a, b;  ///< what becomes of element k of a row or column
  std::function<double(double)> c;
  bool is_signed = false;    ///< integers: both sources
  unsigned first_index = 0;  ///< sparse: number of the first pair of index bits
  std::string constant;      ///< in place of the third source
  double constant_value = 0;
};

class Run {
 public:
  Run(const Operation& operation, const Variation& variation, u32 seed)
      : op_(operation), variation_(variation), random_(seed) {
    is_sparse_ = op_.mnemonic.find("mac") != std::string::npos;
    is_scaled_ = op_.matrices.count("SA") != 0;
    M_ = size_of(op_, 'i', {"A", "D"});
    N_ = size_of(op_, 'j', {"B", "D"});
    K_ = size_of(op_, 'k', {"B"});
    blocks_ = size_of(op_, 'b', {"A", "B", "D"});
    stored_ = is_sparse_ ? K_ / 2 : K_;
  }

  void check() {
    const std::string text = assembly();
    SCOPED_TRACE(op_.chip + " wave" + std::to_string(op_.wave) + ": " + text);
    auto snippet = make_snippet(op_.chip, text + "; s_endpgm; v_mov_b32_e32 v150, v150", op_.wave);
    snippet_ = snippet.get();
    fill();
    const auto fault = snippet->run();
    ASSERT_FALSE(fault) << static_cast<int>(fault.kind);
    compare();
  }

 private:
  static constexpr u32 a_ = 0, b_ = 32, c_ = 64, d_ = 96, sa_ = 130, sb_ = 134;

  const Places& places(const char* matrix) const { return op_.matrices.at(matrix); }
  const Format& format(const char* matrix) const { return format_named(places(matrix).format); }
  u32 registers(const char* matrix) const {
    return std::max(1u, (format(matrix).width << places(matrix).element.size()) / 32);
  }
  /// The third source's name in the table.
  const char* third() const { return op_.matrices.count("C") != 0 ? "C" : "D"; }
  /// CDNA 1 has sums in accumulation registers only.
  u32 sum_register(u32 number) const { return op_.chip == "cdna1" ? number + 256 : number; }
  std::string sum_group(u32 first, u32 count) const {
    std::string text = group(first, count);
    if (op_.chip == "cdna1") text[0] = 'a';
    return text;
  }
  static std::string group(u32 first, u32 count) {
    if (count == 1) return "v" + std::to_string(first);
    return "v[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
  }
  std::string assembly() const {
    const std::string addend = !variation_.constant.empty() ? variation_.constant
                               : is_sparse_ ? group(c_, stored_ * 16 / op_.wave * 2 * M_ / 16 > 32 ? 2 : 1)
                                            : sum_group(c_, registers(third()));
    std::string text = op_.mnemonic + " " + sum_group(d_, registers("D")) + ", " + group(a_, registers("A")) + ", " +
                       group(b_, registers("B")) + ", " + addend;
    if (is_scaled_) text += ", " + group(sa_, registers("SA")) + ", " + group(sb_, registers("SB"));
    if (!op_.modifiers.empty()) text += " " + op_.modifiers;
    return variation_.modifiers.empty() ? text : text + " " + variation_.modifiers;
  }

  /// Puts `bits` of `width` at element `number` of a lane.
  void put(u32 first, unsigned lane, unsigned number, unsigned width, u64 bits) {
    for (unsigned bit = 0; bit < width; ++bit) {
      const unsigned at = number * width + bit;
      u32& word = snippet_->wave().row(first + at / 32)[lane];
      word = (word & ~(1u << at % 32)) | static_cast<u32>(bits >> bit & 1) << at % 32;
    }
  }
  u64 get(u32 first, unsigned lane, unsigned number, unsigned width) const {
    u64 bits = 0;
    for (unsigned bit = 0; bit < width; ++bit) {
      const unsigned at = number * width + bit;
      bits |= static_cast<u64>(snippet_->wave().row(first + at / 32)[lane] >> at % 32 & 1) << bit;
    }
    return bits;
  }
  /// Writes a number where the table says, and copies to lanes that it does not name.
  void write(const char* matrix, u32 first, const Coordinates& at, double value) {
    const unsigned lane = number_at(places(matrix).lane, at), number = number_at(places(matrix).element, at);
    const u64 bits = encoded(format(matrix), value);
    for (unsigned copy = lane; copy < op_.wave; copy += 1u << places(matrix).lane.size())
      put(first, copy, number, format(matrix).width, bits);
  }

  double small() {
    const int most = places("D").format == "bf16" ? 1 : 3;
    const bool is_unsigned = places("A").format.substr(0, 2) == "iu" && !variation_.is_signed;
    return std::uniform_int_distribution<int>(is_unsigned ? 0 : -most, most)(random_);
  }
  double scale(const std::string& format_name) {
    static constexpr double powers[] = {0.5, 1, 2, 4}, others[] = {0.5, 1, 1.5, 3};
    const unsigned which = std::uniform_int_distribution<unsigned>(0, 3)(random_);
    return format_name == "e8m0" ? powers[which] : others[which];
  }

  void fill() {
    a_values_.assign(blocks_ * M_ * stored_, 0);
    b_values_.clear();
    columns_.assign(blocks_ * M_ * stored_, 0);
    c_values_.assign(blocks_ * M_ * N_, 0);
    for (unsigned block = 0; block < blocks_; ++block) {
      for (unsigned k = 0; k < K_; ++k) {
        for (unsigned j = 0; j < N_; ++j) {
          const Coordinates at{0, j, k, block};
          const double value = small();
          write("B", b_, at, value);
          b_values_[{number_at(places("B").lane, at), number_at(places("B").element, at)}] = value;
        }
      }
      for (unsigned i = 0; i < M_; ++i) {
        for (unsigned k = 0; k < stored_; ++k) fill_a({i, 0, k, block});
        for (unsigned j = 0; j < N_; ++j) {
          const double value = std::uniform_int_distribution<int>(-8, 8)(random_);
          c_values_[(block * M_ + i) * N_ + j] = value;
          write(third(), sum_register(is_sparse_ ? d_ : c_), {i, j, 0, block}, value);
        }
      }
    }
    if (is_scaled_) fill_scales();
  }

  void fill_a(const Coordinates& at) {
    const double value = small();
    const std::size_t place = (at.b * M_ + at.i) * stored_ + at.k;
    a_values_[place] = value;
    write("A", a_, at, value);
    columns_[place] = at.k;
    if (!is_sparse_) return;
    // Two different columns of four, in order.
    static constexpr unsigned pairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    if (at.k % 2 == 0) pair_ = std::uniform_int_distribution<unsigned>(0, 5)(random_);
    columns_[place] = at.k / 2 * 4 + pairs[pair_][at.k % 2];
    put(c_, number_at(places("A").lane, at), number_at(places("A").element, at) + variation_.first_index, 2,
        columns_[place] & 3);
  }

  void fill_scales() {
    for (unsigned k = 0; k < K_; ++k) {
      for (unsigned i = 0; i < std::max(M_, N_); ++i) {
        for (const bool is_a : {true, false}) {
          if (i >= (is_a ? M_ : N_)) continue;
          const char* name = is_a ? "SA" : "SB";
          const Coordinates at{i, i, k, 0};
          const auto key = std::make_tuple(is_a, number_at(places(name).lane, at), number_at(places(name).element, at));
          if (scales_.count(key) == 0) scales_[key] = scale(places(name).format);
          write(name, is_a ? sa_ : sb_, at, scales_[key]);
        }
      }
    }
  }
  double scale_at(bool is_a, unsigned i, unsigned k) const {
    if (!is_scaled_) return 1;
    const Coordinates at{i, i, k, 0};
    const Places& where = places(is_a ? "SA" : "SB");
    return scales_.at({is_a, number_at(where.lane, at), number_at(where.element, at)});
  }

  double expected(unsigned block, unsigned i, unsigned j) const {
    double sum = c_values_[(block * M_ + i) * N_ + j];
    if (!variation_.constant.empty()) sum = variation_.constant_value;
    if (variation_.c) sum = variation_.c(sum);
    const unsigned from = variation_.block_of_a ? variation_.block_of_a(block) : block;
    for (unsigned p = 0; p < stored_; ++p) {
      const unsigned k = columns_[(from * M_ + i) * stored_ + p];
      const Coordinates at{0, j, k, block};
      unsigned lane = number_at(places("B").lane, at);
      if (variation_.lane_of_b) lane = variation_.lane_of_b(lane);
      double x = a_values_[(from * M_ + i) * stored_ + p];
      double y = b_values_.at({lane, number_at(places("B").element, at)});
      if (variation_.a) x = variation_.a(x, p);
      if (variation_.b) y = variation_.b(y, k);
      sum += x * y * scale_at(true, i, k) * scale_at(false, j, k);
    }
    return sum;
  }

  void compare() const {
    const Format& sum = format("D");
    unsigned wrong = 0;
    for (unsigned block = 0; block < blocks_; ++block) {
      for (unsigned i = 0; i < M_; ++i) {
        for (unsigned j = 0; j < N_ && wrong < 4; ++j) {
          const Coordinates at{i, j, 0, block};
          const u64 got =
              get(sum_register(d_), number_at(places("D").lane, at), number_at(places("D").element, at), sum.width);
          const double want = expected(block, i, j);
          EXPECT_EQ(got, encoded(sum, want)) << "block " << block << " row " << i << " column " << j << ": " << want;
          wrong += got != encoded(sum, want);
        }
      }
    }
  }

  const Operation& op_;
  const Variation& variation_;
  std::mt19937 random_;
  bool is_sparse_ = false, is_scaled_ = false;
  unsigned M_ = 0, N_ = 0, K_ = 0, blocks_ = 0, stored_ = 0, pair_ = 0;
  exec::Snippet* snippet_ = nullptr;
  std::vector<double> a_values_, c_values_;
  std::vector<unsigned> columns_;
  std::map<std::pair<unsigned, unsigned>, double> b_values_;  ///< by lane and element
  std::map<std::tuple<bool, unsigned, unsigned>, double> scales_;
};

void check(const Operation& operation, const Variation& variation = {}, u32 seed = 1) {
  Run(operation, variation, seed).check();
}

const Operation& find(const std::string& chip, unsigned wave, const std::string& mnemonic) {
  for (const Operation& operation : operations()) {
    if (operation.chip == chip && operation.wave == wave && operation.mnemonic == mnemonic) return operation;
  }
  ADD_FAILURE() << "no " << mnemonic << " on " << chip;
  return operations().front();
}

// ------------------------------------------------------------------------------------------------ tests

TEST(Matrix, EveryOperationMultipliesSmallIntegersExactly) {
  for (const Operation& operation : operations()) check(operation);
}

TEST(Matrix, EveryOperationIsInTheTable) {
  std::set<std::string> known;
  for (const Operation& operation : operations()) known.insert(operation.chip + " " + operation.mnemonic);
  for (const ChipRow& chip : tables().chips) {
    for (u32 i = chip.first_form; i < chip.first_form + chip.form_count; ++i) {
      const FormRow& form = tables().forms[i];
      const InstructionRow& row = tables().instructions[form.instruction];
      const bool is_matrix = tables().text(row.topic).substr(0, 15) == "Matrix multiply";
      // What keeps scales for the next operation multiplies nothing.
      const bool has_result = form.semantics != no_semantics && tables().semantics[form.semantics].output_count != 0;
      if (!is_matrix || !has_result) continue;
      const std::string name = std::string(tables().text(chip.name)) + " " + std::string(tables().text(form.mnemonic));
      EXPECT_EQ(known.count(name), 1u) << name;
    }
  }
}

TEST(Matrix, BlocksOfTheFirstSourceAreShared) {
  const auto shared = [](unsigned size, unsigned which) {
    return Variation{"cbsz:" + std::to_string(size) + " abid:" + std::to_string(which),
                     [=](unsigned block) { return (block >> size << size) + which; },
                     {},
                     {},
                     {},
                     {},
                     false,
                     0,
                     "",
                     0};
  };
  check(find("cdna1", 64, "v_mfma_f32_32x32x4f16"), shared(1, 1));
  check(find("cdna2", 64, "v_mfma_f32_16x16x1f32"), shared(2, 3));
  check(find("cdna3", 64, "v_mfma_f32_4x4x4_16b_bf16"), shared(2, 1));
  check(find("cdna4", 64, "v_mfma_i32_4x4x4_16b_i8"), shared(4, 11));
}

TEST(Matrix, LanesOfTheSecondSourceAreMoved) {
  for (unsigned blgp = 1; blgp < 8; ++blgp) {
    Variation variation;
    variation.modifiers = "blgp:" + std::to_string(blgp);
    variation.lane_of_b = [=](unsigned lane) {
      if (blgp < 3) return lane % 32 + (blgp - 1) * 32;
      return blgp == 3 ? (lane + 16) % 64 : lane % 16 + (blgp - 4) * 16;
    };
    check(find("cdna1", 64, "v_mfma_f32_32x32x2f32"), variation);
    check(find("cdna3", 64, "v_mfma_f32_16x16x4_4b_f16"), variation);
    check(find("cdna4", 64, "v_mfma_i32_32x32x4_2b_i8"), variation);
  }
}

TEST(Matrix, SignsOfDoubles) {
  Variation variation;
  variation.modifiers = "neg:[1,0,1]";
  variation.a = [](double x, unsigned) { return -x; };
  variation.c = [](double x) { return -x; };
  check(find("cdna3", 64, "v_mfma_f64_16x16x4_f64"), variation);
  check(find("cdna4", 64, "v_mfma_f64_4x4x4_4b_f64"), variation);
}

TEST(Matrix, SignsOfEvenAndOddElements) {
  Variation variation;
  variation.modifiers = "neg_lo:[1,0,0] neg_hi:[0,1,0]";
  variation.a = [](double x, unsigned k) { return k % 2 == 0 ? -x : x; };
  variation.b = [](double x, unsigned k) { return k % 2 == 1 ? -x : x; };
  for (const char* name : {"v_wmma_f32_16x16x16_f16", "v_wmma_bf16_16x16x16_bf16"}) {
    for (const char* chip : {"rdna3", "rdna3.5", "rdna4"}) check(find(chip, 32, name), variation);
  }
}

TEST(Matrix, SignsOfTheThirdSource) {
  Variation turned, absolute, both;
  turned.modifiers = "neg_lo:[0,0,1]";
  turned.c = [](double x) { return -x; };
  absolute.modifiers = "neg_hi:[0,0,1]";
  absolute.c = [](double x) { return std::fabs(x); };
  both.modifiers = "neg_lo:[0,0,1] neg_hi:[0,0,1]";
  both.c = [](double x) { return -std::fabs(x); };
  for (const Variation* variation : {&turned, &absolute, &both}) {
    check(find("rdna3", 64, "v_wmma_f32_16x16x16_bf16"), *variation);
    check(find("rdna4", 32, "v_wmma_f16_16x16x16_f16"), *variation);
    check(find("cdna5", 32, "v_wmma_f32_16x16x32_f16"), *variation);
  }
}

TEST(Matrix, IntegersMayBeSigned) {
  Variation variation;
  variation.modifiers = "neg_lo:[1,1,0]";
  variation.is_signed = true;
  for (const Operation& operation : operations()) {
    if (operation.mnemonic.find("_iu") != std::string::npos) check(operation, variation);
  }
}

TEST(Matrix, SumsInOtherHalvesOfRegisters) {
  auto s = make_snippet("rdna3", "v_wmma_f16_16x16x16_f16 v[16:23], v[0:7], v[8:15], v[16:23] op_sel:[0,0,1]");
  for (unsigned reg = 0; reg < 16; ++reg) set(*s, "v" + std::to_string(reg) + "=0x3c003c00");
  for (unsigned reg = 16; reg < 24; ++reg) set(*s, "v" + std::to_string(reg) + "=0x40001234");
  EXPECT_FALSE(s->run());
  EXPECT_EQ(lane_of(*s, "v16", 0), 0x4c801234u);  // 16 + 2
  EXPECT_EQ(lane_of(*s, "v23", 31), 0x4c801234u);
}

TEST(Matrix, SumsOfIntegersSaturate) {
  for (const char* text : {"v_wmma_i32_16x16x16_iu8 v[16:23], v[0:3], v[4:7], v[16:23] clamp",
                           "v_wmma_i32_16x16x16_iu8 v[16:23], v[0:3], v[4:7], v[16:23]"}) {
    auto s = make_snippet("rdna3", text);
    for (unsigned reg = 0; reg < 8; ++reg) set(*s, "v" + std::to_string(reg) + "=0xffffffff");
    for (unsigned reg = 16; reg < 24; ++reg) set(*s, "v" + std::to_string(reg) + "=0x7fffff00");
    EXPECT_FALSE(s->run());
    const bool clamps = std::string(text).find("clamp") != std::string::npos;
    EXPECT_EQ(lane_of(*s, "v16", 3), clamps ? 0x7fffffffu : 0x7fffff00u + 16 * 255 * 255);
  }
}

TEST(Matrix, PlacesOfStoredElements) {
  Variation second;
  second.modifiers = "abid:1";
  second.first_index = 4;
  check(find("cdna3", 64, "v_smfmac_f32_16x16x32_f16"), second);
  second.first_index = 8;
  check(find("cdna4", 64, "v_smfmac_i32_16x16x64_i8"), second);
  second.modifiers = "index_key:1";
  check(find("rdna4", 32, "v_swmmac_f32_16x16x32_fp8_fp8"), second);
  second.first_index = 4;
  check(find("rdna4", 64, "v_swmmac_f32_16x16x32_f16"), second);
}

TEST(Matrix, ConstantsFillTheThirdSource) {
  Variation variation;
  variation.constant = "1.0";
  variation.constant_value = 1;
  check(find("cdna3", 64, "v_mfma_f32_32x32x8_f16"), variation);
  check(find("cdna4", 64, "v_mfma_f64_16x16x4_f64"), variation);
  check(find("rdna3", 32, "v_wmma_f16_16x16x16_f16"), variation);
  check(find("rdna4", 64, "v_wmma_f32_16x16x16_fp8_fp8"), variation);
  variation.constant = "5";
  variation.constant_value = 5;
  check(find("rdna4", 32, "v_wmma_i32_16x16x32_iu4"), variation);
}

TEST(Matrix, NotNumbersAndInfinities) {
  auto s = make_snippet(
      "gfx942",
      "v_mfma_f32_16x16x16_f16 v[8:11], v[0:1], v[2:3], 0; v_mfma_f32_16x16x16_f16 v[12:15], v[4:5], v[2:3], 0", 64);
  set(*s, "v0=0x7c00");  // infinity times 0 in every row
  set(*s, "v4=0x7c00");
  EXPECT_FALSE(s->run());
  EXPECT_EQ(lane_of(*s, "v8", 0), 0x7fc00000u);
  EXPECT_EQ(lane_of(*s, "v15", 63), 0x7fc00000u);
}

}  // namespace
}  // namespace gfxisa

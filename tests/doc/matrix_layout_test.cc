// Layouts of matrices against the engine: one element of A and one of B are set, and exactly the element of D that the
// layouts say must come out.
#include "doc/matrix_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "codec/encode.h"
#include "doc/example.h"
#include "exec/snippet.h"
#include "inst/instruction.h"
#include "inst/registers.h"
#include "text/assemble.h"

namespace gfxisa {
namespace {

const Tables& all() { return tables(); }

struct Index {
  u32 i = 0, j = 0, k = 0, b = 0, p = 0;
  u32& of(char name) { return name == 'i' ? i : name == 'j' ? j : name == 'k' ? k : name == 'p' ? p : b; }
};

struct Place {
  u32 lane, item;
};

/// All places that hold the element; more than one where lanes hold copies.
std::vector<Place> places_of(const MatrixLayout& layout, Index index) {
  std::vector<Place> out;
  for (u32 lane = 0; lane < 1u << layout.lane.size(); ++lane) {
    for (u32 item = 0; item < 1u << layout.item.size(); ++item) {
      bool holds = true;
      const auto check = [&](const std::vector<IndexBit>& bits, u32 number) {
        for (std::size_t at = 0; at < bits.size(); ++at) {
          if (bits[at].index != '*' && (index.of(bits[at].index) >> bits[at].bit & 1) != (number >> at & 1))
            holds = false;
        }
      };
      check(layout.lane, lane);
      check(layout.item, item);
      if (holds) out.push_back({lane, item});
    }
  }
  return out;
}

/// A small positive number in a format of so many bits, whatever the format is: a middle exponent, or 1 or so as an
/// integer.
u64 some_number(u32 bits, std::string_view mnemonic) {
  if (bits == 64) return 0x3ff0000000000000u;
  if (bits == 32) return 0x3f800000u;
  if (bits == 16) return mnemonic.find("bf16") != std::string_view::npos ? 0x3f80u : 0x3c00u;
  if (bits == 8)
    return mnemonic.find("i8") != std::string_view::npos || mnemonic.find("iu8") != std::string_view::npos ? 1u : 0x3cu;
  return bits == 6 ? 8 : 2;
}

class Product {
 public:
  /// `element_bits`: of formats that fields of the instruction choose.
  Product(unsigned chip, u32 form, unsigned wave_size, u32 element_bits) : chip_(chip), wave_size_(wave_size) {
    const std::string line = example_text(chip, form);
    const auto made = line.empty() ? Result<Instruction>(Error{}) : assemble_line(chip, line);
    if (!made) return;
    instruction_ = *made;
    if (element_bits != 8) choose(element_bits == 6 ? 2 : 4);
    u8 bytes[max_words * 4] = {};
    append_bytes(instruction_, bytes);
    code_.assign(bytes, bytes + instruction_.size);
    ready_ = true;
  }
  bool ready() const { return ready_; }

  /// Elements of D that are not 0 after A[i][k] and B[k][j] were set.
  std::vector<Place> run(const MatrixLayout& a, const MatrixLayout& b, const MatrixLayout& d, const Index& index) {
    exec::SnippetOptions options;
    options.chip = chip_;
    options.wave_size = wave_size_;
    options.lds_bytes = options.scratch_bytes = 64;
    exec::Snippet snippet(options, code_);
    const std::string_view name = all().text(all().forms[instruction_.form].mnemonic);
    for (const Place& place : places_of(a, index))
      write(snippet, "a", place, a.element_bits, some_number(a.element_bits, name));
    for (const Place& place : places_of(b, index))
      write(snippet, "b", place, b.element_bits, some_number(b.element_bits, name));
    set_scales(snippet);
    EXPECT_FALSE(static_cast<bool>(snippet.run())) << name;
    std::vector<Place> out;
    for (u32 lane = 0; lane < wave_size_; ++lane) {
      for (u32 item = 0; item < 1u << d.item.size(); ++item) {
        if (read(snippet, {lane, item}, d.element_bits) != 0) out.push_back({lane, item});
      }
    }
    return out;
  }

 private:
  /// The number of a format, for both sources.
  void choose(u64 format) {
    for (const std::string_view name : {"cbsz", "blgp", "matrix_a_fmt", "matrix_b_fmt"}) {
      const FieldRow* field = find_field(instruction_.encoding(), name);
      if (field != nullptr) instruction_.set_bits(field->low, field->width, format & low_ones(field->width));
    }
    const FieldRow* high = find_field(instruction_.encoding(), "matrix_b_fmt2");
    if (high != nullptr) instruction_.set_bits(high->low, high->width, format >> 2);
  }
  /// Sources that are no matrices are scales: 2 to the power of 0.
  void set_scales(exec::Snippet& snippet) const {
    for (unsigned i = 0; i < instruction_.form_row().operand_count; ++i) {
      const OperandValue operand = operand_of(instruction_, i, wave_size_);
      const std::string_view slot = all().text(operand.slot->name);
      if (operand.slot->access != Access::in || operand.kind == no_kind || slot == "a" || slot == "b" || slot == "c")
        continue;
      for (u32 word = 0; word < register_count(operand.bits); ++word) {
        for (u32 lane = 0; lane < wave_size_ && operand.code >= 256; ++lane)
          snippet.wave().row(operand.code - 256 + word)[lane] = 0x7f7f7f7f;
        if (operand.code < 128) snippet.wave().scalar_file()[operand.code + word] = 0x7f7f7f7f;
      }
    }
  }
  u32 first_register(std::string_view slot) const {
    for (unsigned i = 0; i < instruction_.form_row().operand_count; ++i) {
      const OperandValue operand = operand_of(instruction_, i, wave_size_);
      if (all().text(operand.slot->name) == slot) return operand.code - 256;
    }
    return 0;
  }
  void write(exec::Snippet& snippet, std::string_view slot, Place place, u32 bits, u64 value) {
    const u32 at = place.item * bits, first = first_register(slot) + at / 32;
    snippet.wave().row(first)[place.lane] |= static_cast<u32>(value << (at % 32));
    if (bits < 32 && at % 32 + bits > 32)
      snippet.wave().row(first + 1)[place.lane] |= static_cast<u32>(value >> (32 - at % 32));
    if (bits == 64) snippet.wave().row(first + 1)[place.lane] = static_cast<u32>(value >> 32);
  }
  u64 read(exec::Snippet& snippet, Place place, u32 bits) {
    const u32 at = place.item * bits, first = first_register("d") + at / 32;
    const u64 low = snippet.wave().row(first)[place.lane] >> (at % 32);
    if (bits == 64) return low | u64{snippet.wave().row(first + 1)[place.lane]} << 32;
    return bits == 32 ? low : low & ((1u << bits) - 1);
  }

  unsigned chip_, wave_size_ = 32;
  Instruction instruction_;
  std::vector<u8> code_;
  bool ready_ = false;
};

/// Waves that a chip has, 32 first.
std::vector<unsigned> waves_of(const ChipRow& chip) {
  std::vector<unsigned> out;
  if ((chip.waves & 1) != 0) out.push_back(32);
  if ((chip.waves & 2) != 0) out.push_back(64);
  return out;
}

unsigned check_products(unsigned chip, u32 form, unsigned wave_size, u32 element_bits, std::mt19937& random) {
  Product product(chip, form, wave_size, element_bits);
  const auto layouts =
      product.ready() ? matrix_layouts(chip, form, wave_size, element_bits) : std::vector<MatrixLayout>();
  const std::string where = std::string(all().text(all().forms[form].mnemonic)) + " on " +
                            std::string(all().text(all().chips[chip].name)) + " in waves of " +
                            std::to_string(wave_size) + ", " + std::to_string(element_bits) + " bits";
  EXPECT_EQ(layouts.size(), 3u) << where << ": no layout";
  if (layouts.size() != 3) return 0;
  const MatrixShape shape = *shape_of(all().text(all().forms[form].mnemonic));
  u32 block_bits = 0;
  bool is_sparse = false;
  for (const IndexBit& bit : layouts[0].lane) block_bits += bit.index == 'b';
  for (const IndexBit& bit : layouts[0].item) is_sparse = is_sparse || bit.index == 'p';
  const auto any = [&](u32 end) { return static_cast<u32>(random()) % end; };
  for (unsigned round = 0; round < 8; ++round) {
    Index index{any(shape.rows), any(shape.columns), any(shape.depth), any(1u << block_bits),
                any(std::max(1u, shape.depth / 2))};
    // The index register is 0: a stored element is the first of its four columns.
    if (is_sparse) index.k = index.p / 2 * 4;
    const auto found = product.run(layouts[0], layouts[1], layouts[2], index);
    const auto wanted = places_of(layouts[2], index);
    EXPECT_FALSE(found.empty()) << where << ": nothing came out";
    for (const Place& place : found) {
      const bool expected = std::any_of(wanted.begin(), wanted.end(),
                                        [&](const Place& p) { return p.lane == place.lane && p.item == place.item; });
      EXPECT_TRUE(expected) << where << ": lane " << place.lane << " item " << place.item;
    }
  }
  return 8;
}

TEST(MatrixLayout, AgreesWithTheEngine) {
  std::mt19937 random(3);
  unsigned checked = 0;
  for (unsigned chip = 0; chip < all().chips.size(); ++chip) {
    const ChipRow& row = all().chips[chip];
    for (u32 form = row.first_form; form < row.first_form + row.form_count; ++form) {
      if (all().forms[form].semantics == no_semantics || !shape_of(all().text(all().forms[form].mnemonic))) continue;
      for (const unsigned wave_size : waves_of(row)) {
        for (const u32 bits : source_widths(form))
          checked += check_products(chip, form, wave_size, source_widths(form).size() > 1 ? bits : 8, random);
      }
    }
  }
  printf("%u products checked\n", checked);
}

// Every element has a place, and every place an element.
TEST(MatrixLayout, CoversTheMatrix) {
  for (unsigned chip = 0; chip < all().chips.size(); ++chip) {
    const ChipRow& row = all().chips[chip];
    for (u32 form = row.first_form; form < row.first_form + row.form_count; ++form) {
      const unsigned wave_size = waves_of(row).back();
      const std::string_view mnemonic = all().text(all().forms[form].mnemonic);
      const auto shape = shape_of(mnemonic);
      if (!shape) continue;
      for (const MatrixLayout& layout : matrix_layouts(chip, form, wave_size)) {
        std::map<char, u32> bits;
        for (const auto* part : {&layout.lane, &layout.item}) {
          for (const IndexBit& bit : *part) bits[bit.index] |= 1u << bit.bit;
        }
        EXPECT_LE(1u << layout.lane.size(), wave_size) << mnemonic;
        if (layout.name != 'B') {
          EXPECT_EQ(bits['i'] + 1, shape->rows) << mnemonic << layout.name;
        }
        if (layout.name != 'A') {
          EXPECT_EQ(bits['j'] + 1, shape->columns) << mnemonic << layout.name;
        }
        if (layout.name != 'D') {
          const bool is_sparse = bits['p'] != 0;
          EXPECT_EQ(is_sparse ? (bits['p'] + 1) * 2 : bits['k'] + 1, shape->depth) << mnemonic << layout.name;
        }
      }
    }
  }
}

}  // namespace
}  // namespace gfxisa

// gfxisa for C++20: the functions of gfxisa.h with values, views and spans. Header only; link the same library.
//
//   const auto isa = gfxisa::Isa::find("gfx942");
//   gfxisa::Instruction instruction;
//   if (isa && isa->decode(bytes, instruction) == gfxisa::Status::ok) std::cout << instruction.text() << '\n';
//
// Everything gfxisa.h says of threads, memory and errors holds. Nothing here throws but std::bad_alloc, from what returns std::string.
#pragma once
#include <gfxisa/gfxisa.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gfxisa {
inline namespace v0 {

enum class Status {
  ok = GFXISA_OK,
  truncated = GFXISA_TRUNCATED,
  unknown_encoding = GFXISA_UNKNOWN_ENCODING,
  unknown_opcode = GFXISA_UNKNOWN_OPCODE,
  bad_operand = GFXISA_BAD_OPERAND,
  bad_suffix = GFXISA_BAD_SUFFIX,
  bad_argument = GFXISA_BAD_ARGUMENT,
  refused = GFXISA_REFUSED,
  no_memory = GFXISA_NO_MEMORY
};

inline std::string_view to_string(Status status) { return gfxisa_status_text(static_cast<gfxisa_status>(status)); }

struct Options {
  unsigned wave_size = 0;  ///< 32 or 64; 0: 32 where the set has it
};

/// Why text or values make no instruction.
struct Refusal {
  std::string message, hint;
  unsigned column = 0;  ///< of a line of text, from 1; 0: no place
};

/// What an instruction is made of: see gfxisa_details. Large (a few KiB); keep one and fill it again.
class Details {
 public:
  const gfxisa_details* operator->() const { return &raw_; }
  const gfxisa_details& raw() const { return raw_; }
  gfxisa_details& raw() { return raw_; }
  std::span<const gfxisa_operand> operands() const { return {raw_.operands, raw_.operand_count}; }
  std::span<const gfxisa_field> fields() const { return {raw_.fields, raw_.field_count}; }
  std::span<const gfxisa_implicit> implicit() const { return {raw_.implicit, raw_.implicit_count}; }

 private:
  gfxisa_details raw_{};
};

/// A decoded, encoded or assembled instruction. Plain data.
class Instruction {
 public:
  Instruction() = default;
  explicit Instruction(const gfxisa_instruction& raw) : raw_(raw) {}

  const gfxisa_instruction& raw() const { return raw_; }
  gfxisa_instruction& raw() { return raw_; }
  std::size_t size() const { return raw_.size; }
  std::span<const std::byte> bytes() const { return std::as_bytes(std::span(raw_.words)).first(raw_.size); }

  /// LLVM's text.
  std::string text(Options options = {}) const {
    const gfxisa_options own{options.wave_size};
    char buffer[256];
    const std::size_t length = gfxisa_format(&raw_, &own, buffer, sizeof buffer);
    if (length < sizeof buffer) return {buffer, length};
    std::string all(length + 1, '\0');
    gfxisa_format(&raw_, &own, all.data(), all.size());
    all.pop_back();
    return all;
  }

  Status describe(Details& out, Options options = {}) const {
    const gfxisa_options own{options.wave_size};
    return static_cast<Status>(gfxisa_describe(&raw_, &own, &out.raw()));
  }

  /// The second of two operations in one instruction (VOPD).
  std::optional<Instruction> second() const {
    Instruction other;
    if (gfxisa_second(&raw_, &other.raw_) == 0) return std::nullopt;
    return other;
  }

 private:
  gfxisa_instruction raw_{};
};

/// An instruction in one of its encodings, to encode.
class Form {
 public:
  explicit Form(std::uint32_t number) : number_(number) {}
  std::uint32_t number() const { return number_; }

  /// With all operands 0: describe it for the roles and fields there are.
  Instruction blank() const {
    Instruction blank;
    gfxisa_form(number_, &blank.raw());
    return blank;
  }

  Status encode(std::span<const gfxisa_operand_value> operands, std::span<const gfxisa_field_value> fields, Instruction& out,
                Refusal* refusal = nullptr, const char* suffix = nullptr) const {
    gfxisa_error error{};
    const gfxisa_status status = gfxisa_encode(number_, suffix, operands.data(), operands.size(), fields.data(), fields.size(),
                                               &out.raw(), &error);
    if (refusal != nullptr && status == GFXISA_REFUSED) *refusal = {error.message, error.hint, error.column};
    return static_cast<Status>(status);
  }

 private:
  std::uint32_t number_;
};

/// One of the instruction sets.
class Isa {
 public:
  /// By name (`cdna3`) or processor (`gfx942`).
  static std::optional<Isa> find(const char* name) {
    const int number = gfxisa_find_isa(name);
    return number < 0 ? std::nullopt : std::optional(Isa(static_cast<unsigned>(number)));
  }
  static std::vector<Isa> all() {
    std::vector<Isa> isas;
    for (unsigned i = 0; i < gfxisa_isa_count(); ++i) isas.push_back(Isa(i));
    return isas;
  }

  unsigned number() const { return number_; }
  const char* name() const { return gfxisa_isa_name(number_); }
  const char* title() const { return gfxisa_isa_title(number_); }

  /// On failure out.size() is how many bytes to skip.
  Status decode(std::span<const std::byte> bytes, Instruction& out) const {
    return static_cast<Status>(gfxisa_decode(number_, bytes.data(), bytes.size(), &out.raw()));
  }
  /// What is wrong with bytes that decode refused.
  std::string explain(std::span<const std::byte> bytes) const {
    char buffer[512];
    gfxisa_explain(number_, bytes.data(), bytes.size(), buffer, sizeof buffer);
    return buffer;
  }
  Status assemble(std::string_view line, Instruction& out, Refusal* refusal = nullptr, Options options = {}) const {
    const gfxisa_options own{options.wave_size};
    gfxisa_error error{};
    const gfxisa_status status = gfxisa_assemble(number_, line.data(), line.size(), &own, &out.raw(), &error);
    if (refusal != nullptr && status == GFXISA_REFUSED) *refusal = {error.message, error.hint, error.column};
    return static_cast<Status>(status);
  }
  /// The forms of a mnemonic, the shortest first.
  std::vector<Form> forms(const char* mnemonic) const {
    std::vector<std::uint32_t> numbers(gfxisa_find_forms(number_, mnemonic, nullptr, 0));
    gfxisa_find_forms(number_, mnemonic, numbers.data(), numbers.size());
    std::vector<Form> found;
    for (const std::uint32_t number : numbers) found.push_back(Form(number));
    return found;
  }
  /// Code of `s5`, `v[2:3]`, `vcc`.
  std::optional<std::uint32_t> register_code(const char* name) const {
    const int code = gfxisa_register_code(number_, name);
    return code < 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(code));
  }

 private:
  explicit Isa(unsigned number) : number_(number) {}
  unsigned number_;
};

}  // namespace v0
}  // namespace gfxisa

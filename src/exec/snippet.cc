#include "exec/snippet.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>

#include "codec/decode.h"
#include "exec/access.h"
#include "exec/half_bits.h"
#include "exec/interpreter.h"
#include "exec/wave_setup.h"
#include "inst/registers.h"
#include "text/disassemble.h"

namespace gfxisa::exec {
namespace {

/// Every VGPR and AccVGPR there is, so that all can be set and read.
constexpr u32 snippet_registers = 512;
constexpr std::size_t buffer_bytes = 65536;

template <class T>
std::optional<T> whole_number(std::string_view text, int base) {
  T value{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (failure != std::errc() || end != text.data() + text.size() || text.empty()) return {};
  return value;
}

std::optional<double> real_number(std::string_view text) {
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || text.empty()) return {};
  return value;
}

/// Bits of a float with its suffix; empty when `text` is none.
std::optional<u64> float_bits(std::string_view text) {
  if (text.size() < 2 || text.substr(0, 2) == "0x") return {};
  const char suffix = text.back();
  const auto value = real_number(text.substr(0, text.size() - 1));
  if (!value) return {};
  if (suffix == 'f') return std::bit_cast<u32>(static_cast<float>(*value));
  if (suffix == 'd') return std::bit_cast<u64>(*value);
  if (suffix == 'h') return half_bits(*value);
  return {};
}

std::optional<u64> integer_bits(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
  const auto value = is_hex ? whole_number<u64>(text.substr(2), 16) : whole_number<u64>(text, 10);
  if (!value) return {};
  return is_negative ? u64{0} - *value : *value;
}

bool fits(u64 value, u32 bits) {
  if (bits >= 64) return true;
  const u64 above = value >> bits, negative = static_cast<u64>(static_cast<i64>(value) >> (bits - 1));
  return above == 0 || negative == ~u64{0};
}

}  // namespace

/// Where a register is: SCC, MODE, a code of the scalar file, or rows.
struct Snippet::Place {
  enum class Kind { scc, mode, scalar, vector } kind = Kind::scalar;
  u32 first = 0;  ///< code or row
  u32 bits = 32;
  u32 words() const { return register_count(bits); }
};

Snippet::Snippet(const SnippetOptions& options, std::span<const u8> code)
    : options_(options),
      code_(code.begin(), code.end()),
      program_(options.chip, options.wave_size, code_),
      lds_(options.lds_bytes),
      scratch_(new u8[u64{options.scratch_bytes} * options.wave_size * options.waves]()),
      buffer_(buffer_bytes) {
  memory_.add(buffer_.data(), buffer_.size(), true);
  workgroup_.lds = lds_.data();
  workgroup_.lds_bytes = options.lds_bytes;
  workgroup_.sync = &sync_;
  workgroup_.wave_count = workgroup_.live_waves = options.waves;
  for (u32 number = 0; number < options.waves; ++number) {
    Wave& wave = waves_.emplace_back(options.wave_size, std::max(snippet_registers, program_.vector_registers()));
    u8* const scratch = scratch_.get() + u64{options.scratch_bytes} * options.wave_size * number;
    connect_wave(wave, program_, WaveTraits(program_.chip()), workgroup_, memory_, {scratch, options.scratch_bytes},
                 options.mode);
    wave.number = number;
    wave.set_exec(wave.all_lanes());
  }
}

Result<Snippet::Place> Snippet::find(std::string_view reg) const {
  if (reg == "scc") return Place{Place::Kind::scc, 0, 1};
  if (reg == "mode") return Place{Place::Kind::mode, 0, 32};
  const auto named = find_register(options_.chip, reg);
  if (!named || named->bits == 0) {
    return Error{fmt::format("no register '{}' on {}", reg, tables().text(tables().chips[options_.chip].name)),
                 "s0, s[0:1], v0, v[2:3], a0, ttmp0, vcc, exec, m0, scc, mode, lds[0:12], mem[0:12]"};
  }
  // VCC and EXEC of a wave of 32 are one register.
  const u32 bits = waves_.front().wave_size() == 32 && (reg == "vcc" || reg == "exec") ? 32 : named->bits;
  const CodeRow& row = code_row(options_.chip, named->code);
  if (row.cls == CodeClass::vgpr) return Place{Place::Kind::vector, static_cast<u32>(row.value), bits};
  if (row.cls == CodeClass::agpr)
    return Place{Place::Kind::vector, Program::first_accumulator + static_cast<u32>(row.value), bits};
  if (named->code + register_count(bits) > 128)
    return Error{fmt::format("'{}' holds nothing that can be set or read", reg), {}};
  return Place{Place::Kind::scalar, named->code, bits};
}

void Snippet::set_words(const Place& place, u32 lane, u64 value) {
  for (u32 word = 0; word < place.words(); ++word) {
    const u32 part = word < 2 ? static_cast<u32>(value >> (32 * word)) : 0;
    if (place.kind == Place::Kind::vector)
      waves_.front().row(place.first + word)[lane] = part;
    else
      waves_.front().scalar_file()[place.first + word] = part;
  }
}

/// Words of the data share or the buffer.
struct Snippet::Words {
  u8* first = nullptr;  ///< nullptr: the name is a register's
  u64 count = 0, left = 0;
};

Result<Snippet::Words> Snippet::find_words(std::string_view name) const {
  const bool is_share = name.starts_with("lds[");
  if ((!is_share && !name.starts_with("mem[")) || !name.ends_with(']')) return Words{};
  const std::string_view inside = name.substr(4, name.size() - 5);
  const std::size_t colon = inside.find(':');
  const auto first = integer_bits(inside.substr(0, colon));
  const auto last = colon == std::string_view::npos ? first : integer_bits(inside.substr(colon + 1));
  const std::vector<u8>& bytes = is_share ? lds_ : buffer_;
  if (!first || !last) return Error{fmt::format("'{}' has no bytes from and to", name), "lds[16], mem[0:12]"};
  if (*first > *last || *first % 4 != 0 || *last / 4 * 4 + 4 > bytes.size())
    return Error{fmt::format("'{}' is no word of {} bytes", name, bytes.size()), "bytes count from 0, words have four"};
  // Who sets words may do so: the snippet is not const then.
  return Words{const_cast<u8*>(bytes.data()) + *first, (*last - *first) / 4 + 1, (bytes.size() - *first) / 4};
}

/// A value, or `mem` and `mem+64`: addresses in the buffer.
Result<u64> Snippet::value_of(std::string_view text, u32 bits) const {
  if (!text.starts_with("mem")) return parse_register_value(text, bits);
  const auto distance = text.size() == 3 ? u64{0} : text[3] == '+' ? integer_bits(text.substr(4)) : std::nullopt;
  if (!distance || bits < 64)
    return Error{fmt::format("'{}' is no address for {} bits", text, bits), "s[0:1]=mem, v[2:3]=mem+64"};
  return reinterpret_cast<u64>(buffer_.data()) + *distance;
}

Result<bool> Snippet::set(std::string_view reg, std::span<const u64> values) {
  const auto found = find(reg);
  if (!found) return found.error();
  const u32 lanes = found->kind == Place::Kind::vector ? waves_.front().wave_size() : 1;
  if (values.size() != 1 && (values.size() > lanes || values.empty())) {
    return Error{
        fmt::format("{} values for '{}', which has {} lane{}", values.size(), reg, lanes, lanes == 1 ? "" : "s"), {}};
  }
  if (found->kind == Place::Kind::scc)
    waves_.front().scc = values[0] != 0;
  else if (found->kind == Place::Kind::mode)
    write_mode(waves_.front(), static_cast<u32>(values[0]));
  else if (values.size() == 1)
    for (u32 lane = 0; lane < lanes; ++lane) set_words(*found, lane, values[0]);
  else
    for (u32 lane = 0; lane < values.size(); ++lane) set_words(*found, lane, values[lane]);
  return true;
}

Result<bool> Snippet::set(std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos) return Error{fmt::format("'{}' is not REGISTER=VALUE", assignment), {}};
  const std::string_view reg = assignment.substr(0, equals);
  const auto words = find_words(reg);
  if (!words) return words.error();
  u32 bits = 32;
  if (words->first == nullptr) {
    const auto found = find(reg);
    if (!found) return found.error();
    bits = std::min(found->bits, 64u);
  }
  std::vector<u64> values;
  for (std::string_view rest = assignment.substr(equals + 1);;) {
    const std::size_t comma = rest.find(',');
    const auto value = value_of(rest.substr(0, comma), bits);
    if (!value) return value.error();
    values.push_back(*value);
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  if (words->first == nullptr) return set(reg, values);
  if (values.size() > words->left)
    return Error{fmt::format("{} values do not fit behind '{}'", values.size(), reg), {}};
  for (std::size_t i = 0; i < values.size(); ++i) std::memcpy(words->first + 4 * i, &values[i], 4);
  return true;
}

Result<RegisterImage> Snippet::read(std::string_view reg, unsigned number) const {
  const auto words = find_words(reg);
  if (!words) return words.error();
  if (words->first != nullptr) {
    RegisterImage image;
    image.is_memory = true;
    image.values.resize(words->count);
    std::memcpy(image.values.data(), words->first, words->count * 4);
    return image;
  }
  const Wave& wave = waves_[number];
  const auto found = find(reg);
  if (!found) return found.error();
  RegisterImage image;
  if (found->kind == Place::Kind::scc || found->kind == Place::Kind::mode) {
    image.is_bit = found->kind == Place::Kind::scc;
    image.values = {image.is_bit ? wave.scc & 1 : wave.mode};
    return image;
  }
  image.is_vector = found->kind == Place::Kind::vector;
  image.words = found->words();
  for (u32 lane = 0; lane < (image.is_vector ? waves_.front().wave_size() : 1); ++lane) {
    for (u32 word = 0; word < image.words; ++word) {
      const u32 place = found->first + word;
      image.values.push_back(image.is_vector ? wave.row(place)[lane] : wave.scalar_file()[place]);
    }
  }
  return image;
}

/// A fault that no instruction noted is that of the one at which the wave stands.
static void place_fault(Wave& wave) {
  if (wave.fault.code_address == 0 && wave.next != nullptr)
    wave.fault.code_address = wave.code_base + wave.next->code_offset;
}

/// Until the wave has ended, or waits for another.
Fault Snippet::run_turn(Wave& wave, HostControl& control) {
  WaveState state = WaveState::running;
  while (state == WaveState::running && wave.executed < options_.max_instructions)
    state = run_wave(wave, options_.max_instructions - wave.executed, control);
  if (state == WaveState::running) wave.fail(FaultKind::too_many_instructions, 0, 0, 0);
  place_fault(wave);
  const bool is_at_end = wave.fault.kind == FaultKind::end_of_code && wave.fault.address == 0;
  if (wave.fault && !is_at_end) return wave.fault;
  wave.has_ended = wave.has_ended || is_at_end;
  if (wave.has_ended) workgroup_.leave();
  return {};
}

Fault Snippet::run() {
  HostControl control;
  workgroup_.live_waves = workgroup_.wave_count;
  for (Wave& wave : waves_) {
    wave.next = program_.step_at(0);
    wave.has_ended = false;
    wave.fault = {};
  }
  for (bool progress = true; progress;) {
    progress = false;
    for (Wave& wave : waves_) {
      if (wave.has_ended || wave.is_blocked()) continue;
      if (wave.sync_wait.kind != SyncWait::Kind::none && sync_.blocks(wave)) continue;
      progress = true;
      if (const Fault fault = run_turn(wave, control)) return fault;
    }
  }
  for (Wave& wave : waves_) {
    if (wave.has_ended) continue;
    wave.fail(FaultKind::deadlock, 0, 0, 0);
    place_fault(wave);
    return wave.fault;
  }
  return {};
}

Result<u64> parse_register_value(std::string_view text, u32 bits) {
  std::optional<u64> value = float_bits(text);
  if (!value) value = integer_bits(text);
  if (!value) return Error{fmt::format("'{}' is not a value", text), "15, 0xf, -1, 1.5f, 1.5h, 1.5d"};
  if (!fits(*value, bits)) return Error{fmt::format("'{}' does not fit in {} bits", text, bits), {}};
  return bits >= 64 ? *value : *value & ((u64{1} << bits) - 1);
}

std::string register_line(std::string_view name, const RegisterImage& image) {
  const auto lane_text = [&](u32 lane) {
    std::string text = "0x";
    for (unsigned word = image.words; word-- > 0;)
      text += fmt::format("{:08x}", image.values[lane * image.words + word]);
    return text;
  };
  std::string out = fmt::format("{} = ", name);
  if (image.is_bit) return out + fmt::format("{}", image.values[0]);
  if (!image.is_vector && !(image.is_memory && image.lanes() > 1)) return out + lane_text(0);
  out += '[';
  for (u32 lane = 0; lane < image.lanes(); ++lane) out += (lane == 0 ? "" : ", ") + lane_text(lane);
  return out + ']';
}

std::string Snippet::describe(const Fault& fault) const {
  const u64 offset = fault.code_address - program_.address();
  std::string out;
  if (offset < code_.size()) {
    const Decoded decoded = decode(options_.chip, program_.code().subspan(offset), options_.wave_size);
    if (decoded) out = to_text(decoded.instruction) + " ";
  }
  out += fmt::format("at offset 0x{:x}: {}", offset, exec::describe(fault.kind));
  if (fault.bytes != 0) out += fmt::format(" ({} bytes at 0x{:x}, lane {})", fault.bytes, fault.address, fault.lane);
  if (fault.kind == FaultKind::trap || fault.kind == FaultKind::bad_register) out += fmt::format(" {}", fault.number);
  return out;
}

}  // namespace gfxisa::exec

#include "exec/trace.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <span>

#include "codec/decode.h"
#include "exec/program.h"
#include "inst/registers.h"
#include "text/disassemble.h"

namespace gfxisa::exec {
namespace {

constexpr u32 first_special = 106;

std::string instruction_text(const Program& program, u32 offset) {
  if (offset >= program.code().size()) return "(end of the code)";
  const Decoded decoded = decode(program.chip(), program.code().subspan(offset), program.wave_size());
  return decoded ? to_text(decoded.instruction) : "(no instruction)";
}

std::string wave_name(const Wave& wave) {
  const auto& id = wave.workgroup->id;
  return fmt::format("{},{},{} w{}", id[0], id[1], id[2], wave.number);
}

/// VCC and EXEC are two codes each, of which a wave of 32 has the first.
std::string scalar_name(const Wave& wave, u32 code) {
  if (code < first_special) return fmt::format("s{}", code);
  if (code == code_vcc || code == code_vcc + 1) return code == code_vcc ? "vcc_lo" : "vcc_hi";
  if (code == code_exec || code == code_exec + 1) return code == code_exec ? "exec_lo" : "exec_hi";
  return code == wave.m0_code ? "m0" : code < 124 ? fmt::format("ttmp{}", code - 108) : fmt::format("code{}", code);
}

std::string vector_name(unsigned chip, u32 number) {
  constexpr u32 accumulators = Program::first_accumulator;
  return number < accumulators || !find_register(chip, "a0") ? fmt::format("v{}", number)
                                                             : fmt::format("a{}", number - accumulators);
}

std::string row_text(std::span<const u32> values, std::span<const u32> old) {
  u32 changed = 0;
  bool are_equal = true;
  u32 first = 0;
  for (std::size_t lane = 0; lane < values.size(); ++lane) {
    if (values[lane] == old[lane]) continue;
    if (changed++ == 0) first = values[lane];
    are_equal = are_equal && values[lane] == first;
  }
  if (are_equal)
    return fmt::format("0x{:08x}", first) + (changed == values.size() ? "" : fmt::format(" in {} lanes", changed));
  std::string text = "[";
  for (const u32 value : values) text += fmt::format("{}0x{:08x}", text.size() == 1 ? "" : " ", value);
  return text + "]";
}

}  // namespace

void TextTrace::before(const Wave& wave, const Step&) {
  const u32 words = wave.row_offset(wave.vector_registers()) / 4;
  registers_.assign(wave.scalar_file(), wave.scalar_file() + words);
  scc_ = wave.scc;
  mode_ = wave.mode;
}

std::string TextTrace::vector_changes(const Wave& wave) const {
  std::string out;
  const u32 lanes = wave.wave_size();
  for (u32 number = 0; number < wave.vector_registers(); ++number) {
    const std::span<const u32> now(wave.row(number), lanes);
    const std::span<const u32> old(registers_.data() + wave.row_offset(number) / 4, lanes);
    if (std::ranges::equal(now, old)) continue;
    out += fmt::format(" {}={}", vector_name(program_->chip(), number), row_text(now, old));
  }
  return out;
}

std::string TextTrace::changes(const Wave& wave) const {
  std::string out;
  for (u32 code = 0; code < register_codes; ++code) {
    const u32 value = wave.scalar_file()[code];
    if (value != registers_[code]) out += fmt::format(" {}=0x{:08x}", scalar_name(wave, code), value);
  }
  if (wave.scc != scc_) out += fmt::format(" scc={}", wave.scc);
  if (wave.mode != mode_) out += fmt::format(" mode=0x{:08x}", wave.mode);
  return out + vector_changes(wave);
}

void TextTrace::after(const Wave& wave, const Step& step) {
  const std::string changed = changes(wave);
  fmt::print(out_, "{} 0x{:04x} {}{}{}\n", wave_name(wave), step.code_offset,
             instruction_text(*program_, step.code_offset), changed.empty() ? "" : " ;", changed);
}

EventTrace::EventTrace(std::FILE* out) : out_(out) { fmt::print(out_, "{{\"traceEvents\":["); }

EventTrace::~EventTrace() { fmt::print(out_, "\n],\"displayTimeUnit\":\"ns\"}}\n"); }

/// Processes are numbers; a first event gives them their names.
u32 EventTrace::process_of(const std::array<u32, 3>& workgroup) {
  const auto [known, is_new] = processes_.try_emplace(workgroup, static_cast<u32>(processes_.size()) + 1);
  if (is_new) {
    fmt::print(out_, "{}\n{{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":{},\"args\":{{\"name\":\"workgroup {}\"}}}}",
               processes_.size() == 1 ? "" : ",", known->second, fmt::join(workgroup, ","));
  }
  return known->second;
}

void EventTrace::before(const Wave& wave, const Step& step) {
  const std::string text = instruction_text(*program_, step.code_offset);
  const u32 process = process_of(wave.workgroup->id);
  fmt::print(out_,
             ",\n{{\"name\":\"{}\",\"ph\":\"X\",\"ts\":{},\"dur\":1,\"pid\":{},\"tid\":{},"
             "\"args\":{{\"text\":\"{}\",\"offset\":\"0x{:x}\",\"lanes\":{}}}}}",
             text.substr(0, text.find(' ')), time_++, process, wave.number, text, step.code_offset,
             std::popcount(wave.exec()));
}

}  // namespace gfxisa::exec

// How fast bytes become instructions, and instructions bytes: on every form of a chip, one after the other.
#include <benchmark/benchmark.h>

#include <fstream>
#include <string>
#include <vector>

#include "codec/decode.h"
#include "codec/encode.h"

namespace gfxisa {
namespace {

/// A form and operands it takes.
struct Sample {
  u32 form = 0;
  std::vector<OperandInput> operands;
};

OperandInput first_legal(const FormRow& form, unsigned operand) {
  const Tables& all = tables();
  const OperandRow& row = all.operands[form.first_operand + operand];
  if (row.field == 0xff) return OperandInput::code(row.implied_code);
  for (u32 i = 0; i < form.check_count; ++i) {
    const CheckRow& check = all.checks[form.first_check + i];
    if (check.operand != operand) continue;
    for (u32 value = 0; value < 512; ++value) {
      const bool is_legal = all.legal_values[check.legal][value / 64] >> (value % 64) & 1;
      if (is_legal) return OperandInput::code(value * check.scale + check.offset);
    }
  }
  return OperandInput::immediate(0);
}

std::vector<Sample> samples_of(unsigned chip) {
  std::vector<Sample> samples;
  const ChipRow& row = tables().chips[chip];
  for (u32 form = row.first_form; form < row.first_form + row.form_count; ++form) {
    const FormRow& form_row = tables().forms[form];
    if (share_of(tables().encodings[form_row.encoding]) != Share::whole) continue;
    Sample sample{form, {}};
    for (unsigned i = 0; i < form_row.operand_count; ++i) sample.operands.push_back(first_legal(form_row, i));
    samples.push_back(std::move(sample));
  }
  return samples;
}

std::vector<u8> code_of(const std::vector<Sample>& samples) {
  std::vector<u8> code;
  for (const Sample& sample : samples) {
    const Result<Instruction> instruction = encode(sample.form, sample.operands);
    if (!instruction) continue;
    code.resize(code.size() + instruction->size);
    append_bytes(*instruction, code.data() + code.size() - instruction->size);
  }
  return code;
}

void decode_all_forms(benchmark::State& state) {
  const unsigned chip = static_cast<unsigned>(state.range(0));
  const std::vector<u8> code = code_of(samples_of(chip));
  i64 count = 0;
  for (auto _ : state) {
    for (std::size_t at = 0; at < code.size();) {
      const Decoded decoded = decode(chip, std::span(code).subspan(at));
      benchmark::DoNotOptimize(decoded.instruction.form);
      at += decoded.instruction.size;
      ++count;
    }
  }
  state.SetItemsProcessed(count);
  state.SetLabel(std::string(tables().text(tables().chips[chip].title)));
}
BENCHMARK(decode_all_forms)->DenseRange(0, chip_count - 1);

/// The words of a golden file: all opcodes with registers and constants of every sort.
void decode_golden(benchmark::State& state, const std::string& chip) {
  std::ifstream file(std::string(GFXISA_GOLDEN) + "/" + chip + ".txt");
  std::vector<u8> code;
  std::string kind, hex, text;
  while (file >> kind >> hex && std::getline(file, text)) {
    for (std::size_t i = 0; kind == "=" && i + 1 < hex.size(); i += 2)
      code.push_back(static_cast<u8>(std::stoul(hex.substr(i, 2), nullptr, 16)));
  }
  const unsigned number = static_cast<unsigned>(find_chip(chip));
  i64 count = 0;
  for (auto _ : state) {
    for (std::size_t at = 0; at < code.size(); ++count) {
      const Decoded decoded = decode(number, std::span(code).subspan(at));
      benchmark::DoNotOptimize(decoded.instruction.form);
      at += decoded.instruction.size;
    }
  }
  state.SetItemsProcessed(count);
}
BENCHMARK_CAPTURE(decode_golden, rdna3, "rdna3");
BENCHMARK_CAPTURE(decode_golden, cdna3, "cdna3");

void encode_all_forms(benchmark::State& state) {
  const unsigned chip = static_cast<unsigned>(state.range(0));
  const std::vector<Sample> samples = samples_of(chip);
  for (auto _ : state) {
    for (const Sample& sample : samples) benchmark::DoNotOptimize(encode(sample.form, sample.operands));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<i64>(samples.size()));
  state.SetLabel(std::string(tables().text(tables().chips[chip].title)));
}
BENCHMARK(encode_all_forms)->Arg(0)->Arg(4)->Arg(9);

}  // namespace
}  // namespace gfxisa

BENCHMARK_MAIN();

// Which registers LLVM says an instruction reads and writes: lines of hexadecimal bytes in, a line of JSON each out. Built and run
// by scripts/compare_operands.py where llvm-22-dev is installed; no part of the project's programs.
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstrDesc.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Triple.h>

#include <cstdio>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <vector>

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUDisassembler();
}

namespace {

std::vector<uint8_t> bytes_of(const std::string& line) {
  std::vector<uint8_t> bytes;
  for (std::size_t i = 0; i + 1 < line.size(); i += 2)
    bytes.push_back(static_cast<uint8_t>(std::stoul(line.substr(i, 2), nullptr, 16)));
  return bytes;
}

void print_set(const char* name, const std::set<std::string>& registers) {
  std::printf(",\"%s\":[", name);
  bool is_first = true;
  for (const std::string& one : registers) {
    std::printf("%s\"%s\"", is_first ? "" : ",", one.c_str());
    is_first = false;
  }
  std::printf("]");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUDisassembler();
  const llvm::Triple triple("amdgcn-amd-amdhsa");
  std::string problem;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, problem);
  if (target == nullptr) return std::fprintf(stderr, "%s\n", problem.c_str()), 1;
  const llvm::MCTargetOptions options;
  const std::unique_ptr<llvm::MCRegisterInfo> registers(target->createMCRegInfo(triple));
  const std::unique_ptr<llvm::MCAsmInfo> assembly(target->createMCAsmInfo(*registers, triple, options));
  const std::unique_ptr<llvm::MCSubtargetInfo> subtarget(target->createMCSubtargetInfo(triple, argv[1], argv[2]));
  const std::unique_ptr<llvm::MCInstrInfo> instructions(target->createMCInstrInfo());
  llvm::MCContext context(triple, assembly.get(), registers.get(), subtarget.get());
  const std::unique_ptr<llvm::MCDisassembler> disassembler(target->createMCDisassembler(*subtarget, context));
  std::string line;
  while (std::getline(std::cin, line)) {
    const std::vector<uint8_t> bytes = bytes_of(line);
    llvm::MCInst instruction;
    uint64_t size = 0;
    const auto status = disassembler->getInstruction(instruction, size, bytes, 0, llvm::nulls());
    if (status != llvm::MCDisassembler::Success) {
      std::printf("{\"bytes\":\"%s\"}\n", line.c_str());
      continue;
    }
    const llvm::MCInstrDesc& description = instructions->get(instruction.getOpcode());
    std::set<std::string> reads, writes, implicit_reads, implicit_writes;
    for (unsigned i = 0; i < instruction.getNumOperands(); ++i) {
      const llvm::MCOperand& operand = instruction.getOperand(i);
      if (!operand.isReg() || !operand.getReg()) continue;
      (i < description.getNumDefs() ? writes : reads).insert(registers->getName(operand.getReg()));
    }
    for (const auto one : description.implicit_uses()) implicit_reads.insert(registers->getName(one));
    for (const auto one : description.implicit_defs()) implicit_writes.insert(registers->getName(one));
    std::printf("{\"bytes\":\"%s\",\"opcode\":\"%s\"", line.c_str(), instructions->getName(instruction.getOpcode()).str().c_str());
    print_set("reads", reads);
    print_set("writes", writes);
    print_set("implicit_reads", implicit_reads);
    print_set("implicit_writes", implicit_writes);
    std::printf(",\"loads\":%d,\"stores\":%d}\n", description.mayLoad() ? 1 : 0, description.mayStore() ? 1 : 0);
  }
}

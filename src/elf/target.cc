#include "elf/target.h"

#include <algorithm>
#include <array>

#include "inst/instruction.h"

namespace gfxisa {

namespace {

struct Processor {
  u8 number;
  std::string_view target;
  bool has_xnack = false, has_sramecc = false;
};
// EF_AMDGPU_MACH_AMDGCN_*; numbers and features were checked with objects of llvm-mc 22.
constexpr std::array processors = {
    Processor{0x30, "gfx908", true, true},
    Processor{0x3f, "gfx90a", true, true},
    Processor{0x40, "gfx940", true, true},
    Processor{0x4b, "gfx941", true, true},
    Processor{0x4c, "gfx942", true, true},
    Processor{0x4f, "gfx950", true, true},
    Processor{0x33, "gfx1010", true},
    Processor{0x34, "gfx1011", true},
    Processor{0x35, "gfx1012", true},
    Processor{0x42, "gfx1013", true},
    Processor{0x36, "gfx1030"},
    Processor{0x37, "gfx1031"},
    Processor{0x38, "gfx1032"},
    Processor{0x39, "gfx1033"},
    Processor{0x3e, "gfx1034"},
    Processor{0x3d, "gfx1035"},
    Processor{0x45, "gfx1036"},
    Processor{0x41, "gfx1100"},
    Processor{0x46, "gfx1101"},
    Processor{0x47, "gfx1102"},
    Processor{0x44, "gfx1103"},
    Processor{0x43, "gfx1150"},
    Processor{0x4a, "gfx1151"},
    Processor{0x55, "gfx1152"},
    Processor{0x58, "gfx1153"},
    Processor{0x48, "gfx1200"},
    Processor{0x4e, "gfx1201"},
    Processor{0x49, "gfx1250", true, true},
    Processor{0x5a, "gfx1251", true, true},
};

constexpr std::string_view triple = "amdgcn-amd-amdhsa--";

const Processor* find_processor(std::string_view name) {
  const auto* found =
      std::find_if(processors.begin(), processors.end(), [&](const Processor& p) { return p.target == name; });
  return found == processors.end() ? nullptr : found;
}

std::string_view sign_of(TargetFeature feature) { return feature == TargetFeature::on ? "+" : "-"; }
bool is_settled(TargetFeature feature) { return feature == TargetFeature::on || feature == TargetFeature::off; }

}  // namespace

std::string TargetId::text() const {
  std::string out = std::string(triple) + processor;
  if (is_settled(sramecc)) (out += ":sramecc") += sign_of(sramecc);
  if (is_settled(xnack)) (out += ":xnack") += sign_of(xnack);
  return out;
}

u32 TargetId::elf_flags() const {
  const Processor* found = find_processor(processor);
  const u32 number = found == nullptr ? 0 : found->number;
  return number | static_cast<u32>(xnack) << 8 | static_cast<u32>(sramecc) << 10;
}

std::string_view target_of_flags(u32 flags) {
  const u32 number = flags & 0xff;
  const auto* found =
      std::find_if(processors.begin(), processors.end(), [&](const Processor& p) { return p.number == number; });
  return found == processors.end() ? std::string_view{} : found->target;
}

u32 flags_of_version_3(u32 flags) {
  TargetId target = default_target(target_of_flags(flags));
  if (target.xnack == TargetFeature::any && (flags >> 8 & 1) == 0) target.xnack = TargetFeature::off;
  if (target.sramecc == TargetFeature::any && (flags >> 9 & 1) == 0) target.sramecc = TargetFeature::off;
  return target.processor.empty() ? flags & 0xff : target.elf_flags();
}

TargetId default_target(std::string_view name) {
  const int chip = find_processor(name) == nullptr ? find_chip(name) : -1;
  if (chip >= 0) name = tables().text(tables().texts[tables().chips[static_cast<std::size_t>(chip)].first_target]);
  const Processor* found = find_processor(name);
  if (found == nullptr) return {};
  TargetId target;
  target.processor = name;
  if (found->has_xnack) target.xnack = TargetFeature::any;
  if (found->has_sramecc) target.sramecc = TargetFeature::any;
  return target;
}

Result<TargetId> parse_target_id(std::string_view text) {
  const std::string whole(text);
  if (text.starts_with(triple)) text.remove_prefix(triple.size());
  std::size_t end = std::min(text.size(), text.find(':'));
  TargetId target = default_target(text.substr(0, end));
  if (target.processor != text.substr(0, end))
    return Error{"'" + whole + "' is no target id", "such as amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-"};
  while (end < text.size()) {
    text.remove_prefix(end + 1);
    end = std::min(text.size(), text.find(':'));
    std::string_view name = text.substr(0, end);
    const bool is_on = name.ends_with('+');
    if (!is_on && !name.ends_with('-')) return Error{"a feature of a target id ends in + or -", ""};
    name.remove_suffix(1);
    TargetFeature* feature = name == "xnack" ? &target.xnack : name == "sramecc" ? &target.sramecc : nullptr;
    if (feature == nullptr || *feature == TargetFeature::unsupported)
      return Error{target.processor + " has no feature '" + std::string(name) + "'", ""};
    *feature = is_on ? TargetFeature::on : TargetFeature::off;
  }
  return target;
}

}  // namespace gfxisa

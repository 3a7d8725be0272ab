// A dispatch written down while it runs: a line for each wave instruction with the registers that it changed, and
// events for the Perfetto viewer (ui.perfetto.dev).
#pragma once
#include <array>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "exec/observer.h"

namespace gfxisa::exec {

/// `0,0,0 w1 0x0010 v_add_nc_u32_e32 v1, v2, v3 ; v1=[0x00000001 0x00000002 ...]`: workgroup, wave, offset in the code,
/// instruction, what it changed. A vector register whose changed lanes are equal is one value.
class TextTrace : public Observer {
 public:
  /// Lines go to `out`, which must outlive this.
  explicit TextTrace(std::FILE* out) : out_(out) {}
  void start(const Program& program) override { program_ = &program; }
  void before(const Wave& wave, const Step& step) override;
  void after(const Wave& wave, const Step& step) override;

 private:
  std::string changes(const Wave& wave) const;
  std::string vector_changes(const Wave& wave) const;

  std::FILE* out_;
  const Program* program_ = nullptr;
  std::vector<u32> registers_;  ///< of the wave at hand before the instruction
  u32 scc_ = 0, mode_ = 0;
};

/// Trace Event Format of Chromium: a process a workgroup, a thread a wave, a microsecond an instruction.
class EventTrace : public Observer {
 public:
  explicit EventTrace(std::FILE* out);
  ~EventTrace() override;
  void start(const Program& program) override { program_ = &program; }
  void before(const Wave& wave, const Step& step) override;
  void after(const Wave&, const Step&) override {}

 private:
  std::FILE* out_;
  const Program* program_ = nullptr;
  u32 process_of(const std::array<u32, 3>& workgroup);

  u64 time_ = 0;
  std::map<std::array<u32, 3>, u32> processes_;
};

}  // namespace gfxisa::exec

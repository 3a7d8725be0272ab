// Watching waves while they run, an instruction at a time. A dispatch without observers runs another loop and pays
// nothing for them.
#pragma once
#include <span>

#include "machine/wave.h"

namespace gfxisa::exec {

struct Step;
class Program;

/// Called by one thread: a dispatch that is observed has no others.
class Observer {
 public:
  virtual ~Observer() = default;
  /// The dispatch begins.
  virtual void start(const Program& program) = 0;
  /// `wave` is about to execute `step`, and has done so. Several steps may be one instruction: all have its offset.
  virtual void before(const Wave& wave, const Step& step) = 0;
  virtual void after(const Wave& wave, const Step& step) = 0;
};

}  // namespace gfxisa::exec

// The reference as static files that work from a disk and from any server.
#pragma once
#include <functional>
#include <string>

#include "base/result.h"
#include "base/types.h"

namespace gfxisa {

struct SiteOptions {
  std::string directory;
  std::string decoder;  ///< file with the library as WebAssembly; empty: the site goes without the live decoder
  std::function<void(u32 done, u32 total)> progress;
};
struct SiteReport {
  u32 files = 0;
  u64 bytes = 0;
  u64 first_paint_bytes = 0;  ///< what the home page needs before it shows something
  bool has_decoder = false;
};

/// Writes all files; the directory is made when it is not there. Files of an earlier run are overwritten.
Result<SiteReport> write_site(const SiteOptions& options);

}  // namespace gfxisa

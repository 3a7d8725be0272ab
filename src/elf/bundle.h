// Offload bundles: code objects for several targets in one file, as clang makes them for HIP and OpenMP. Uncompressed
// (`__CLANG_OFFLOAD_BUNDLE__`) or compressed (`CCOB`, versions 1 to 3, zlib or zstd). Total: any bytes give a bundle or
// an error, and no more memory is taken than the compressed bytes really hold.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/types.h"

namespace gfxisa {

/// One entry: `hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+` and its bytes.
struct BundleEntry {
  std::string id;
  std::string target;         ///< gfx90a; empty for the host's entry
  std::string target_id;      ///< gfx90a:xnack+
  std::span<const u8> bytes;  ///< in the bundle's own memory or in the bytes that were read
};

struct Bundle {
  std::string compression;  ///< zlib, zstd, or empty
  unsigned version = 0;     ///< of the compressed header; 0 when uncompressed
  u64 offset = 0;           ///< where the bundle starts in what was read
  u64 size = 0;             ///< its bytes there
  std::vector<BundleEntry> entries;
  std::shared_ptr<const std::vector<u8>> inflated;  ///< keeps the bytes of a compressed bundle
};

/// Most bytes a compressed bundle may hold.
inline constexpr u64 max_bundle_bytes = u64{1} << 30;

/// Whether bytes begin like a bundle of either kind.
bool is_bundle(std::span<const u8> bytes);

/// All bundles of a fat binary: a file of one bundle, or a `.hip_fatbin` section in which several follow one another.
/// `bytes` must outlive the result.
Result<std::vector<Bundle>> read_bundles(std::span<const u8> bytes);

}  // namespace gfxisa

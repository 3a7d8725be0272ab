#include "elf/bundle.h"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <optional>

namespace gfxisa {
namespace {

constexpr std::string_view plain_magic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr std::string_view compressed_magic = "CCOB";
constexpr std::size_t step_bytes = std::size_t{1} << 16;

bool starts_with(std::span<const u8> bytes, std::string_view magic) {
  return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

/// Little-endian numbers one after the other; `is_short` once one was not all there.
class NumberReader {
 public:
  explicit NumberReader(std::span<const u8> bytes) : bytes_(bytes) {}
  template <class T>
  T take() {
    T value{};
    if (bytes_.size() - at_ < sizeof value) {
      is_short_ = true;
      return value;
    }
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::string_view take_text(u64 size) {
    if (size > bytes_.size() - at_) {
      is_short_ = true;
      return {};
    }
    const std::string_view text(reinterpret_cast<const char*>(bytes_.data()) + at_, size);
    at_ += size;
    return text;
  }
  std::size_t at() const { return at_; }
  bool is_short() const { return is_short_; }

 private:
  std::span<const u8> bytes_;
  std::size_t at_ = 0;
  bool is_short_ = false;
};

/// `kind-triple-TARGET`: the target starts at the first `gfx` after a dash.
void set_target(BundleEntry& entry) {
  const std::size_t at = entry.id.find("-gfx");
  if (at == std::string::npos) return;
  entry.target_id = entry.id.substr(at + 1);
  entry.target = entry.target_id.substr(0, entry.target_id.find(':'));
}

/// The entries of an uncompressed bundle; its size is where the last of them ends.
Result<Bundle> read_plain(std::span<const u8> bytes) {
  NumberReader reader(bytes);
  reader.take_text(plain_magic.size());
  const u64 count = reader.take<u64>();
  constexpr u64 least_entry_bytes = 24;
  if (reader.is_short() || count > (bytes.size() - reader.at()) / least_entry_bytes)
    return Error{fmt::format("the bundle claims {} entries, which its {} bytes cannot hold", count, bytes.size()), ""};
  Bundle bundle;
  u64 end = 0;
  for (u64 i = 0; i < count; ++i) {
    const u64 offset = reader.take<u64>(), size = reader.take<u64>(), id_size = reader.take<u64>();
    BundleEntry entry;
    entry.id = reader.take_text(id_size);
    if (reader.is_short()) return Error{fmt::format("the header of entry {} of the bundle is truncated", i), ""};
    if (offset > bytes.size() || size > bytes.size() - offset)
      return Error{fmt::format("entry {} of the bundle ({}) reaches beyond its end: truncated?", i, entry.id), ""};
    entry.bytes = bytes.subspan(offset, size);
    set_target(entry);
    end = std::max(end, offset + size);
    bundle.entries.push_back(std::move(entry));
  }
  bundle.size = std::max<u64>(end, reader.at());
  return bundle;
}

struct CompressedHeader {
  unsigned version = 0, method = 0;
  u64 file_size = 0;  ///< header included; 0 where the header does not say (version 1)
  u64 size = 0;       ///< uncompressed
  std::size_t header_size = 0;
};

Result<CompressedHeader> read_header(std::span<const u8> bytes) {
  NumberReader reader(bytes);
  CompressedHeader header;
  reader.take_text(compressed_magic.size());
  header.version = reader.take<u16>();
  header.method = reader.take<u16>();
  if (header.version == 2) header.file_size = reader.take<u32>();
  if (header.version == 3) header.file_size = reader.take<u64>();
  header.size = header.version == 3 ? reader.take<u64>() : reader.take<u32>();
  reader.take<u64>();  // part of an MD5 sum of the contents
  header.header_size = reader.at();
  if (reader.is_short()) return Error{"the header of the compressed bundle is truncated", ""};
  if (header.version < 1 || header.version > 3)
    return Error{fmt::format("a compressed bundle of version {} (of 1, 2, 3)", header.version), ""};
  if (header.method > 1)
    return Error{fmt::format("compression method {} of a bundle (0 is zlib, 1 zstd)", header.method), ""};
  if (header.size > max_bundle_bytes)
    return Error{fmt::format("the compressed bundle claims {} bytes, more than {}", header.size, max_bundle_bytes), ""};
  if (header.version != 1 && (header.file_size < header.header_size || header.file_size > bytes.size()))
    return Error{
        fmt::format("the compressed bundle claims {} bytes, there are {}: truncated?", header.file_size, bytes.size()),
        ""};
  return header;
}

/// Output that grows as it is filled, never beyond what was claimed.
class Inflated {
 public:
  explicit Inflated(u64 most) : most_(most) {}
  std::span<u8> room() {
    bytes_.resize(std::min<u64>(most_, filled_ + std::max<std::size_t>(step_bytes, filled_)));
    return std::span(bytes_).subspan(filled_);
  }
  void fill(std::size_t count) { filled_ += count; }
  bool is_full() const { return filled_ == most_; }
  std::vector<u8> take() {
    bytes_.resize(filled_);
    return std::move(bytes_);
  }

 private:
  u64 most_;
  std::size_t filled_ = 0;
  std::vector<u8> bytes_;
};

struct Unpacked {
  std::vector<u8> bytes;
  std::size_t consumed = 0;
};

std::optional<Unpacked> inflate_zlib(std::span<const u8> bytes, u64 size) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return {};
  Inflated out(size);
  stream.next_in = const_cast<u8*>(bytes.data());
  std::size_t given = 0;
  int state = Z_OK;
  while (state == Z_OK) {
    if (stream.avail_in == 0) {  // avail_in has 32 bits
      stream.avail_in = static_cast<uInt>(std::min<std::size_t>(bytes.size() - given, step_bytes));
      given += stream.avail_in;
    }
    const std::span<u8> room = out.room();
    stream.next_out = room.data();
    stream.avail_out = static_cast<uInt>(std::min<std::size_t>(room.size(), step_bytes));
    const uInt before = stream.avail_out;
    state = inflate(&stream, Z_NO_FLUSH);
    out.fill(before - stream.avail_out);
  }
  const std::size_t consumed = given - stream.avail_in;
  inflateEnd(&stream);
  if (state != Z_STREAM_END || !out.is_full()) return {};
  return Unpacked{out.take(), consumed};
}

struct FreeZstd {
  void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
};

std::optional<Unpacked> inflate_zstd(std::span<const u8> bytes, u64 size) {
  const std::unique_ptr<ZSTD_DStream, FreeZstd> stream(ZSTD_createDStream());
  if (!stream || ZSTD_isError(ZSTD_DCtx_setParameter(stream.get(), ZSTD_d_windowLogMax, 30)) != 0) return {};
  Inflated out(size);
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  while (true) {
    const std::span<u8> room = out.room();
    ZSTD_outBuffer buffer{room.data(), room.size(), 0};
    const std::size_t before = in.pos;
    const std::size_t left = ZSTD_decompressStream(stream.get(), &buffer, &in);
    if (ZSTD_isError(left) != 0) return {};
    out.fill(buffer.pos);
    if (left == 0) break;                                // the frame is complete
    if (buffer.pos == 0 && in.pos == before) return {};  // truncated, or more than was claimed
  }
  if (!out.is_full()) return {};
  return Unpacked{out.take(), in.pos};
}

Result<Bundle> read_compressed(std::span<const u8> bytes) {
  const Result<CompressedHeader> header = read_header(bytes);
  if (!header) return header.error();
  const std::span<const u8> whole = header->file_size != 0 ? bytes.first(header->file_size) : bytes;
  const std::span<const u8> packed = whole.subspan(header->header_size);
  const std::string_view method = header->method == 0 ? "zlib" : "zstd";
  std::optional<Unpacked> unpacked =
      header->method == 0 ? inflate_zlib(packed, header->size) : inflate_zstd(packed, header->size);
  if (!unpacked)
    return Error{fmt::format("the {} data of the compressed bundle is damaged, or not the {} bytes its header claims",
                             method, header->size),
                 ""};
  const auto inflated = std::make_shared<const std::vector<u8>>(std::move(unpacked->bytes));
  if (!starts_with(*inflated, plain_magic)) return Error{"the compressed data is not an offload bundle", ""};
  Result<Bundle> bundle = read_plain(*inflated);
  if (!bundle) return bundle;
  bundle->compression = method;
  bundle->version = header->version;
  bundle->size = header->file_size != 0 ? header->file_size : header->header_size + unpacked->consumed;
  bundle->inflated = inflated;
  return bundle;
}

/// Where the next bundle starts at or after `from`; the size when none does. Between bundles there are only zeros.
std::size_t next_bundle(std::span<const u8> bytes, std::size_t from) {
  while (from < bytes.size() && bytes[from] == 0) ++from;
  return from;
}

}  // namespace

bool is_bundle(std::span<const u8> bytes) {
  return starts_with(bytes, plain_magic) || starts_with(bytes, compressed_magic);
}

Result<std::vector<Bundle>> read_bundles(std::span<const u8> bytes) {
  std::vector<Bundle> bundles;
  for (std::size_t at = next_bundle(bytes, 0); at < bytes.size();) {
    const std::span<const u8> rest = bytes.subspan(at);
    if (!is_bundle(rest)) {
      if (bundles.empty()) return Error{"not an offload bundle", ""};
      return Error{fmt::format("what follows the bundle at byte {} is no bundle", bundles.back().offset), ""};
    }
    Result<Bundle> bundle = starts_with(rest, plain_magic) ? read_plain(rest) : read_compressed(rest);
    if (!bundle) return Error{fmt::format("bundle at byte {}: {}", at, bundle.error().message), bundle.error().hint};
    bundle->offset = at;
    at = next_bundle(bytes, at + bundle->size);
    bundles.push_back(std::move(*bundle));
  }
  return bundles;
}

}  // namespace gfxisa

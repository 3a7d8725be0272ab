#include "elf/bundle.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <cstring>

namespace gfxisa {
namespace {

template <class T>
void put(std::vector<u8>& out, T value) {
  u8 bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  for (const u8 byte : bytes) out.push_back(byte);
}

// One by one: g++ 12 sees an overflow in the range insert of bytes into an empty vector.
void put_text(std::vector<u8>& out, std::string_view text) {
  for (const char c : text) out.push_back(static_cast<u8>(c));
}

struct Entry {
  std::string id;
  std::string contents;
};
const std::vector<Entry> entries{{"host-x86_64-unknown-linux-gnu-", ""},
                                 {"hipv4-amdgcn-amd-amdhsa--gfx1100", "code of one"},
                                 {"hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-", "and of another"}};

std::vector<u8> plain_bundle() {
  std::size_t header = 24 + 8;
  for (const Entry& entry : entries) header += 24 + entry.id.size();
  std::vector<u8> out;
  put_text(out, "__CLANG_OFFLOAD_BUNDLE__");
  put<u64>(out, entries.size());
  u64 at = header;
  for (const Entry& entry : entries) {
    put<u64>(out, at);
    put<u64>(out, entry.contents.size());
    put<u64>(out, entry.id.size());
    put_text(out, entry.id);
    at += entry.contents.size();
  }
  for (const Entry& entry : entries) put_text(out, entry.contents);
  return out;
}

std::vector<u8> packed(const std::vector<u8>& bytes, unsigned method) {
  std::vector<u8> out(bytes.size() + 1000);
  if (method == 0) {
    uLongf size = out.size();
    EXPECT_EQ(compress(out.data(), &size, bytes.data(), bytes.size()), Z_OK);
    out.resize(size);
  } else {
    out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 3));
  }
  return out;
}

std::vector<u8> compressed_bundle(unsigned version, unsigned method, u64 claimed_size, u64 claimed_file_size) {
  const std::vector<u8> data = packed(plain_bundle(), method);
  std::vector<u8> out;
  put_text(out, "CCOB");
  put<u16>(out, static_cast<u16>(version));
  put<u16>(out, static_cast<u16>(method));
  const std::size_t header = version == 1 ? 20 : version == 2 ? 24 : 32;
  const u64 file_size = claimed_file_size != 0 ? claimed_file_size : header + data.size();
  if (version == 2) put<u32>(out, static_cast<u32>(file_size));
  if (version == 3) put<u64>(out, file_size);
  if (version == 3)
    put<u64>(out, claimed_size);
  else
    put<u32>(out, static_cast<u32>(claimed_size));
  put<u64>(out, 0);  // the sum
  out.insert(out.end(), data.begin(), data.end());
  return out;
}

void expect_entries(const Bundle& bundle) {
  ASSERT_EQ(bundle.entries.size(), entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(bundle.entries[i].id, entries[i].id);
    EXPECT_EQ(std::string(bundle.entries[i].bytes.begin(), bundle.entries[i].bytes.end()), entries[i].contents);
  }
  EXPECT_EQ(bundle.entries[0].target, "");
  EXPECT_EQ(bundle.entries[1].target, "gfx1100");
  EXPECT_EQ(bundle.entries[2].target, "gfx90a");
  EXPECT_EQ(bundle.entries[2].target_id, "gfx90a:sramecc+:xnack-");
}

TEST(Bundle, ReadsEveryVersionAndMethod) {
  const auto plain = read_bundles(plain_bundle());
  ASSERT_TRUE(plain) << plain.error().message;
  // Their bytes point into a temporary here, so only the names are looked at.
  EXPECT_EQ((*plain)[0].entries.size(), 3u);
  for (const unsigned version : {1u, 2u, 3u}) {
    for (const unsigned method : {0u, 1u}) {
      const auto bundles = read_bundles(compressed_bundle(version, method, plain_bundle().size(), 0));
      ASSERT_TRUE(bundles) << version << ' ' << method << ": " << bundles.error().message;
      ASSERT_EQ(bundles->size(), 1u);
      EXPECT_EQ((*bundles)[0].version, version);
      EXPECT_EQ((*bundles)[0].compression, method == 0 ? "zlib" : "zstd");
      expect_entries((*bundles)[0]);
    }
  }
}

TEST(Bundle, ReadsSeveralInARow) {
  std::vector<u8> all = plain_bundle();
  all.resize(4096);
  for (const unsigned version : {1u, 2u, 3u}) {
    const auto more = compressed_bundle(version, 1, plain_bundle().size(), 0);
    all.insert(all.end(), more.begin(), more.end());
    all.resize((all.size() + 4095) / 4096 * 4096);
  }
  const auto bundles = read_bundles(all);
  ASSERT_TRUE(bundles) << bundles.error().message;
  ASSERT_EQ(bundles->size(), 4u);
  for (const Bundle& bundle : *bundles) {
    EXPECT_EQ(bundle.offset % 4096, 0u);
    expect_entries(bundle);
  }
}

TEST(Bundle, AHeaderThatClaimsTooMuchIsAnError) {
  for (const u64 size : {u64{1} << 60, u64{1} << 31, u64{1} << 29, u64{3}, u64{0}}) {
    const auto bundles = read_bundles(compressed_bundle(3, 1, size, 0));
    ASSERT_FALSE(bundles) << size;
    EXPECT_NE(bundles.error().message.find("claims"), std::string::npos) << bundles.error().message;
  }
  EXPECT_FALSE(read_bundles(compressed_bundle(3, 1, plain_bundle().size(), u64{1} << 60)));
  EXPECT_FALSE(read_bundles(compressed_bundle(2, 0, plain_bundle().size(), 10)));
  EXPECT_FALSE(read_bundles(compressed_bundle(4, 0, plain_bundle().size(), 0)));
  std::vector<u8> many = plain_bundle();
  many[24 + 7] = 0x10;  // 2^60 entries
  EXPECT_FALSE(read_bundles(many));
}

TEST(Bundle, EveryTruncationAndEveryChangedByteIsABundleOrAnError) {
  for (const auto& bytes : {plain_bundle(), compressed_bundle(1, 0, plain_bundle().size(), 0),
                            compressed_bundle(3, 1, plain_bundle().size(), 0)}) {
    for (std::size_t size = 0; size < bytes.size(); ++size)
      (void)read_bundles(std::vector<u8>(bytes.begin(), bytes.begin() + static_cast<long>(size)));
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      std::vector<u8> changed = bytes;
      changed[at] ^= 0xff;
      const auto bundles = read_bundles(changed);
      EXPECT_TRUE(bundles || !bundles.error().message.empty());
    }
  }
}

}  // namespace
}  // namespace gfxisa

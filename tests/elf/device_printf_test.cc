// What device code prints: messages of words, records in buffers.
#include "elf/device_printf.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstring>

namespace gfxisa {
namespace {

class Bytes {
 public:
  template <class T>
  Bytes& add(T value) {
    for (const u8 byte : std::bit_cast<std::array<u8, sizeof value>>(value)) bytes.push_back(byte);
    return *this;
  }
  /// Ended by 0 and filled up to a multiple of `unit`.
  Bytes& text(const char* from, std::size_t unit) {
    const std::size_t start = bytes.size();
    do bytes.push_back(static_cast<u8>(*from));
    while (*from++ != '\0');
    while ((bytes.size() - start) % unit != 0) bytes.push_back(0);
    return *this;
  }
  std::vector<u8> bytes;
};

TEST(DevicePrintf, RecordsOfOpenCl) {
  const std::vector<std::string> formats = {"1:5:4:8:4:16:4:%hhd %v2hhd %f %v4f %s\\n", "2:0:a\\72b\\\\\\n",
                                            "3:3:16:4:8:%v3d %c %ld %%\\n", "4:2:4:8:%5d %s|\\n"};
  Bytes b;
  b.add(4u).add(12).text("hello", 4);
  b.add(3u).add(1).add(-2).add(3).add(0).add(u32{'x'}).add(i64{1} << 40);
  b.add(2u);
  b.add(1u).add(-3).add(-1).add(2).add(1.5f).add(1.0f).add(2.0f).add(3.0f).add(4.0f).text("", 4);
  EXPECT_EQ(printf_buffer_text(b.bytes, formats),
            "   12 hello|\n1,-2,3 x 1099511627776 %\na:b\\\n-3 -1,2 1.500000 1.000000,2.000000,3.000000,4.000000 \n");
  // What is cut off, or has no known format, ends the text.
  EXPECT_EQ(printf_buffer_text(std::span<const u8>(b.bytes).first(20), formats), "   12 hello|\n");
  EXPECT_EQ(printf_buffer_text(Bytes().add(2u).add(9u).add(2u).bytes, formats), "a:b\\\n");
}

TEST(DevicePrintf, RecordsOfHip) {
  const std::vector<std::string> formats = {"0:0:57c7cbbc6f6f5abe,lane %d says %s %5.2f\n"};
  Bytes b;
  b.add(36u << 2 | 2).add(u64{0x57c7cbbc6f6f5abe}).add(u64{3}).text("hello", 8).add(1.75);
  Bytes written;
  written.add(20u << 2).text("n %d\n", 8).add(u64{7});
  EXPECT_EQ(printf_buffer_text(b.bytes, formats), "lane 3 says hello  1.75\n");
  EXPECT_EQ(printf_buffer_text(written.bytes, {}), "n 7\n");
  EXPECT_EQ(printf_buffer_text(std::span<const u8>(b.bytes).first(30), formats), "");
  EXPECT_EQ(printf_buffer_text(Bytes().add(0u).add(0u).bytes, formats), "");
}

TEST(DevicePrintf, Messages) {
  u64 words[4] = {};
  std::memcpy(words, "%x %hd%%\n", 9);
  words[2] = 255;
  words[3] = 65535;
  EXPECT_EQ(device_printf_text(words), "ff -1%\n");
  EXPECT_EQ(device_printf_text(std::span<const u64>(words).first(3)), "ff ");
}

}  // namespace
}  // namespace gfxisa

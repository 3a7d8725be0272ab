#include "cli/input.h"

#include <emmintrin.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/large_pages.h"
#include "base/types.h"

namespace gfxisa::cli {
namespace {

constexpr std::size_t block_bytes = 1 << 16;
constexpr std::size_t line_bytes = 64;  ///< that are looked at from a line's start on

/// The first end of a line in `size` bytes at `start`, from where on 64 can be read; nullptr: none. Most lines end
/// within these, which are looked at all at once.
const char* find_line_end(const char* start, std::size_t size) {
  u64 ends = 0;
  for (unsigned i = 0; i < line_bytes; i += sizeof(__m128i)) {
    const __m128i part = _mm_loadu_si128(reinterpret_cast<const __m128i*>(start + i));
    ends |= u64{static_cast<u32>(_mm_movemask_epi8(_mm_cmpeq_epi8(part, _mm_set1_epi8('\n'))))} << i;
  }
  const std::size_t length = ends == 0 ? line_bytes : static_cast<std::size_t>(__builtin_ctzll(ends));
  if (length < std::min(size, line_bytes)) return start + length;
  if (size <= line_bytes) return nullptr;
  return static_cast<const char*>(std::memchr(start + line_bytes, '\n', size - line_bytes));
}

/// Closes what it opened, and leaves standard input open.
int close_file(std::FILE* file) { return file == stdin ? 0 : std::fclose(file); }

bool is_standard(const std::string& name) { return name.empty() || name == "-"; }

InputFile open_input(const std::string& name) {
  return {is_standard(name) ? stdin : std::fopen(name.c_str(), "rb"), close_file};
}

std::string cannot_read(const std::string& name) {
  return "cannot read " + (is_standard(name) ? "standard input" : name) + ": " + std::strerror(errno);
}

}  // namespace

Result<std::string> read_input(const std::string& name) {
  const InputFile file = open_input(name);
  if (file == nullptr) return Error{cannot_read(name), ""};
  std::string text;
  struct stat status {};
  const bool is_sized = fstat(fileno(file.get()), &status) == 0 && S_ISREG(status.st_mode);
  // One byte more than the file has, so that the first read sees its end.
  std::size_t room = is_sized ? static_cast<std::size_t>(status.st_size) + 1 : block_bytes, size = 0, count = 0;
  std::setvbuf(file.get(), nullptr, _IONBF, 0);
  do {
    text.reserve(size + room);
    prefer_large_pages(text.data() + size, room);
    text.resize(size + room);
    count = std::fread(text.data() + size, 1, room, file.get());
    size += count;
    room = std::max(size, block_bytes);
  } while (count > 0 && std::feof(file.get()) == 0);
  text.resize(size);
  if (std::ferror(file.get()) != 0) return Error{cannot_read(name), ""};
  return text;
}

Result<LineReader> LineReader::open(const std::string& name, std::function<void()> before_waiting) {
  InputFile file = open_input(name);
  if (file == nullptr) return Error{cannot_read(name), ""};
  return LineReader(std::move(file), name, std::move(before_waiting));
}

LineReader::LineReader(InputFile file, std::string name, std::function<void()> before_waiting)
    : file_(std::move(file)),
      name_(std::move(name)),
      before_waiting_(std::move(before_waiting)),
      block_(block_bytes + line_bytes) {}

/// False: there is no more.
bool LineReader::read_more() {
  if (is_at_end_) return false;
  before_waiting_();
  std::memmove(block_.data(), block_.data() + at_, end_ - at_);
  end_ -= at_;
  at_ = 0;
  if (end_ == block_.size() - line_bytes) block_.resize(2 * block_.size());  // a line longer than the block
  ssize_t count = 0;
  do {
    count = ::read(fileno(file_.get()), block_.data() + end_, block_.size() - line_bytes - end_);
  } while (count < 0 && errno == EINTR);
  if (count < 0) failure_ = cannot_read(name_);
  is_at_end_ = count <= 0;
  if (!is_at_end_) end_ += static_cast<std::size_t>(count);
  return !is_at_end_;
}

bool LineReader::next(std::string_view& line) {
  std::size_t seen = 0;
  while (true) {
    const char* start = block_.data() + at_;
    if (const char* end = find_line_end(start + seen, end_ - at_ - seen)) {
      line = {start, static_cast<std::size_t>(end - start)};
      at_ += line.size() + 1;
      return true;
    }
    seen = end_ - at_;
    if (!read_more()) break;
  }
  // The last line may have no end.
  line = {block_.data() + at_, end_ - at_};
  at_ = end_;
  return !line.empty();
}

}  // namespace gfxisa::cli

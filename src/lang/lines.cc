#include "lang/lines.h"

namespace gfxisa::lang {

std::size_t comment_start(std::string_view line) {
  for (std::size_t at = line.find("//"); at != std::string_view::npos; at = line.find("//", at + 1)) {
    if (at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t') return at;
  }
  return line.size();
}

static std::string_view without_end_blanks(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

std::vector<SourceLine> split_lines(u32 source, const Sources& sources, Diagnostics& diagnostics) {
  std::vector<SourceLine> lines;
  const std::string_view all = sources.text(source);
  u32 number = 0;
  for (std::size_t start = 0; start < all.size();) {
    const std::size_t stop = std::min(all.find('\n', start), all.size());
    const std::string_view raw = all.substr(start, stop - start);
    start = stop + 1;
    ++number;
    std::string_view text = without_end_blanks(raw.substr(0, comment_start(raw)));
    const std::size_t indent = std::min(text.find_first_not_of(' '), text.size());
    text.remove_prefix(indent);
    if (text.empty()) continue;
    if (const std::size_t tab = text.find('\t'); tab != std::string_view::npos) {
      diagnostics.error({source, number, static_cast<u32>(indent + tab + 1), 1}, "a tab",
                        "indent and align with spaces");
      continue;
    }
    lines.push_back({number, static_cast<u32>(indent), text});
  }
  return lines;
}

void LineReader::skip_blanks() {
  while (at_ < end_ && line_->text[at_] == ' ') ++at_;
}

std::string_view LineReader::peek() const {
  if (at_end()) return {};
  const std::string_view left = line_->text.substr(at_, end_ - at_);
  return left.substr(0, left.find(' '));
}

Location LineReader::here() const {
  const std::size_t length = peek().size();
  return {source_, line_->number, static_cast<u32>(line_->indent + at_ + 1),
          static_cast<u32>(length == 0 ? 1 : length)};
}

Word LineReader::next() {
  Word word{std::string(peek()), here()};
  at_ += word.text.size();
  skip_blanks();
  return word;
}

Text LineReader::rest() {
  Text text{at_end() ? std::string() : std::string(line_->text.substr(at_, end_ - at_)), here()};
  if (!at_end()) text.at.length = static_cast<u32>(end_ - at_);
  at_ = end_;
  return text;
}

Set LineReader::take_on() {
  const std::string_view whole = text();
  const std::size_t found = whole.rfind(" on ");
  if (found == std::string_view::npos || found < at_) {
    if (peek() != "on") return {};
  }
  LineReader tail = *this;
  tail.at_ = found == std::string_view::npos || found < at_ ? at_ : found + 1;
  const std::size_t cut = tail.at_;
  tail.next();
  Set set;
  while (!tail.at_end()) set.items.push_back(tail.next());
  end_ = cut;
  while (end_ > at_ && line_->text[end_ - 1] == ' ') --end_;
  return set;
}

}  // namespace gfxisa::lang

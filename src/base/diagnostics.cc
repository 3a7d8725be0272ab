#include "base/diagnostics.h"

namespace gfxisa {

u32 Sources::add(std::string name, std::string text) {
  files_.push_back({std::move(name), std::move(text), {}});
  return static_cast<u32>(files_.size() - 1);
}

std::string_view Sources::line(u32 source, u32 line) const {
  if (source >= files_.size()) return {};
  const File& file = files_[source];
  if (file.line_starts.empty()) {
    file.line_starts.push_back(0);
    for (u32 i = 0; i < file.text.size(); ++i) {
      if (file.text[i] == '\n') file.line_starts.push_back(i + 1);
    }
  }
  if (line == 0 || line > file.line_starts.size()) return {};
  const std::string_view rest = std::string_view(file.text).substr(file.line_starts[line - 1]);
  return rest.substr(0, rest.find('\n'));
}

// A text with more mistakes is not helped by listing them all.
static constexpr std::size_t most_messages = 1000;

void Diagnostics::error(Location at, std::string message, std::string hint) {
  add({at, std::move(message), std::move(hint), false}, errors_);
}

void Diagnostics::warning(Location at, std::string message, std::string hint) {
  add({at, std::move(message), std::move(hint), true}, warnings_);
}

void Diagnostics::add(Diagnostic diagnostic, std::size_t& count) {
  if (count >= most_messages) return;
  const Location& at = diagnostic.at;
  const std::string key =
      std::to_string(at.source) + ':' + std::to_string(at.line) + ':' + std::to_string(at.column) + diagnostic.message;
  if (!seen_.insert(key).second) return;
  ++count;
  list_.push_back(std::move(diagnostic));
}

std::string Diagnostics::text(bool colour) const {
  const char* red = colour ? "\033[1;31m" : "";
  const char* magenta = colour ? "\033[1;35m" : "";
  const char* bold = colour ? "\033[1m" : "";
  const char* plain = colour ? "\033[0m" : "";
  std::string out;
  for (const Diagnostic& d : list_) {
    out += bold + sources_->name(d.at.source);
    if (d.at.line != 0) out += ':' + std::to_string(d.at.line) + ':' + std::to_string(d.at.column);
    const char* severity = d.is_warning ? magenta : red;
    out += std::string(": ") + severity + (d.is_warning ? "warning: " : "error: ") + plain + bold + d.message + plain +
           '\n';
    const std::string_view line = sources_->line(d.at.source, d.at.line);
    if (!line.empty() && d.at.column != 0) {
      out += "    ";
      out += line;
      out += "\n    ";
      // Tabs are kept so that the caret stands under its character on any terminal.
      for (u32 i = 0; i + 1 < d.at.column; ++i) out += i < line.size() && line[i] == '\t' ? '\t' : ' ';
      out += severity + std::string("^") + std::string(d.at.length > 1 ? d.at.length - 1 : 0, '~') + plain + '\n';
    }
    if (!d.hint.empty()) out += "    hint: " + d.hint + '\n';
  }
  return out;
}

}  // namespace gfxisa

#include "gen/output.h"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace gfxisa::gen {

static bool holds(const std::string& file, const std::string& text) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return false;
  const std::string old((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  return old == text;
}

void OutputFolder::write(const std::string& name, const std::string& text) {
  names_.insert(name);
  std::error_code failure;
  std::filesystem::create_directories(path_, failure);
  const std::string file = path_ + "/" + name;
  if (holds(file, text)) return;
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  ++changed_;
  if (!out && error_.message.empty()) error_ = {"cannot write " + file, "is the folder writable?"};
}

}  // namespace gfxisa::gen

#include "elf/listing.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <set>

#include "elf/descriptor_text.h"
#include "elf/kernel_descriptor.h"
#include "elf/metadata_yaml.h"

namespace gfxisa {
namespace {

bool is_plain_name(std::string_view name) {
  const auto is_plain = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '$'; };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
         std::all_of(name.begin(), name.end(), is_plain);
}

/// A name inside a comment: one line, whatever the file holds.
std::string printable(std::string_view name) {
  std::string text(name);
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = '?';
  }
  return text;
}

std::string note_of(const ParsedElf& file, u32 section, u64 offset, u64 size) {
  std::string note;
  const auto first = std::lower_bound(
      file.relocations.begin(), file.relocations.end(), std::pair(section, offset),
      [](const ParsedRelocation& r, const std::pair<u32, u64>& at) { return std::pair(r.section, r.offset) < at; });
  for (auto at = first; at != file.relocations.end() && at->section == section && at->offset - offset < size; ++at) {
    note += fmt::format("{}{} {}{:+}", note.empty() ? "" : ", ", relocation_name(at->type), printable(at->symbol),
                        at->addend);
  }
  return note;
}

class ObjectListing {
 public:
  ObjectListing(const ParsedElf& file, unsigned chip, const TextOptions& options, const TextSink& sink)
      : file_(file), chip_(chip), options_(options), sink_(sink) {}

  void write() {
    if (!file_.target.empty()) emit(fmt::format("\t.amdgcn_target \"amdgcn-amd-amdhsa--{}\"\n", file_.target_id));
    if (file_.version != 0) emit(fmt::format("\t.amdhsa_code_object_version {}\n", file_.version));
    for (const ParsedSection& section : file_.sections) {
      if (section.is_code()) write_code(section);
    }
    for (const ParsedSection& section : file_.sections) {
      if (section.is_data()) write_data(section);
    }
    for (const ParsedSection& section : file_.sections) {
      if (section.type == SHT_NOTE) write_metadata(section);
    }
  }

 private:
  void emit(std::string_view text) { sink_(text); }

  static std::string name_of(const ParsedSection& section) {
    return is_plain_name(section.name) ? section.name : fmt::format(".section_{}", section.index);
  }

  void write_code(const ParsedSection& section) {
    begin_section(section, "ax");
    write_range(section, 0, section.bytes.size());
  }

  /// Descriptors as directives, everything else as words.
  void write_data(const ParsedSection& section) {
    begin_section(section, (section.flags & SHF_WRITE) != 0 ? "aw" : "a");
    u64 at = 0;
    for (const ParsedSymbol& symbol : file_.symbols) {
      const std::string_view kernel = kernel_of_descriptor(file_, symbol);
      if (kernel.empty() || symbol.section != section.index || symbol.offset < at) continue;
      if (symbol.offset > at) write_range(section, at, symbol.offset);
      write_descriptor(section, symbol, kernel);
      at = symbol.offset + kernel_descriptor_bytes;
    }
    if (at < section.bytes.size()) write_range(section, at, section.bytes.size());
  }

  void write_metadata(const ParsedSection& section) {
    const std::span<const u8> note = metadata_of_notes(section.bytes);
    std::string text = "\n\t.amdgpu_metadata\n";
    if (note.empty() || !append_metadata_yaml(text, note)) return;
    text += "\t.end_amdgpu_metadata\n";
    emit(text);
  }

  void begin_section(const ParsedSection& section, std::string_view flags) {
    emit(section.name == ".text" ? "\n\t.text\n"
                                 : fmt::format("\n\t.section {},\"{}\",@progbits\n", name_of(section), flags));
    if (section.alignment > 1 && std::has_single_bit(section.alignment))
      emit(fmt::format("\t.p2align {}\n", std::countr_zero(section.alignment)));
  }

  /// Bytes [start, end) of a section with what is known of the symbols there.
  void write_range(const ParsedSection& section, u64 start, u64 end) {
    std::set<std::string_view> seen;
    std::string types, sizes;
    for (const ParsedSymbol& symbol : file_.symbols) {
      if (symbol.section != section.index || symbol.offset < start || symbol.offset > end) continue;
      if (!is_plain_name(symbol.name) || !seen.insert(symbol.name).second) continue;
      if (symbol.offset == end && end != section.bytes.size()) continue;
      if (symbol.is_global) types += fmt::format("\t.globl {}\n", symbol.name);
      if (symbol.is_function || symbol.is_object)
        types += fmt::format("\t.type {},@{}\n", symbol.name, symbol.is_function ? "function" : "object");
      if (symbol.size != 0) sizes += fmt::format("\t.size {}, {}\n", symbol.name, symbol.size);
    }
    emit(types);
    write_listing(code_range(file_, section, chip_, start, end), options_, sink_);
    emit(sizes);
  }

  void write_descriptor(const ParsedSection& section, const ParsedSymbol& symbol, std::string_view kernel) {
    const std::span<const u8> bytes = section.bytes.subspan(symbol.offset, kernel_descriptor_bytes);
    std::string text;
    std::string problem;
    if (!is_plain_name(kernel)) problem = "the name is not one that directives take";
    if (!problem.empty() || !append_descriptor(text, kernel, file_.target_id, file_.has_xnack_mask, bytes, problem)) {
      text += fmt::format("\t// the descriptor of {}: {}\n", printable(kernel), problem);
      if (is_plain_name(symbol.name)) text += symbol.name + ":\n";
      for (unsigned at = 0; at < kernel_descriptor_bytes; at += 16) {
        text += "\t.long ";
        for (unsigned i = 0; i < 16; i += 4) {
          const u8* b = bytes.data() + at + i;
          text += fmt::format("{}0x{:02x}{:02x}{:02x}{:02x}", i == 0 ? "" : ", ", b[3], b[2], b[1], b[0]);
        }
        text += '\n';
      }
    }
    emit(text);
  }

  const ParsedElf& file_;
  unsigned chip_;
  const TextOptions& options_;
  const TextSink& sink_;
};

}  // namespace

std::string_view kernel_of_descriptor(const ParsedElf& file, const ParsedSymbol& symbol) {
  constexpr std::string_view ending = ".kd";
  const std::string_view name = symbol.name;
  if (!symbol.is_object || symbol.size != kernel_descriptor_bytes || !name.ends_with(ending)) return {};
  const ParsedSection* section = file.section_at(symbol.section);
  if (section == nullptr || section->is_code() || symbol.offset > section->bytes.size() ||
      section->bytes.size() - symbol.offset < kernel_descriptor_bytes)
    return {};
  return name.substr(0, name.size() - ending.size());
}

CodeRange code_range(const ParsedElf& file, const ParsedSection& section, unsigned chip, u64 start, u64 end) {
  CodeRange range;
  range.chip = chip;
  range.bytes = section.bytes.subspan(start, end - start);
  range.address = section.address + start;
  range.is_data = !section.is_code();
  std::set<std::string_view> seen;
  for (const ParsedSymbol& symbol : file.symbols) {
    if (symbol.section != section.index || symbol.offset < start || symbol.offset > end) continue;
    if (symbol.offset == end && end != section.bytes.size()) continue;  // the label of what follows
    const bool is_label = is_plain_name(symbol.name) && seen.insert(symbol.name).second;
    // A name that an assembler would not take, or has already, is a comment.
    range.labels.push_back({symbol.offset - start, is_label ? symbol.name : "// <" + printable(symbol.name) + ">",
                            symbol.is_object, symbol.size});
  }
  if (!file.relocations.empty()) {
    range.note = [&file, index = section.index, start](u64 offset, u64 size) {
      return note_of(file, index, start + offset, size);
    };
  }
  return range;
}

void write_object_listing(const ParsedElf& file, unsigned chip, const TextOptions& options, const TextSink& sink) {
  ObjectListing(file, chip, options, sink).write();
}

}  // namespace gfxisa

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "elf/elf_file.h"
#include "elf/object_file.h"
#include "elf/string_table.h"

namespace gfxisa {

namespace {

constexpr u64 page = 0x1000;

bool is_relative(RelocationType type) {
  return type == RelocationType::rel32 || type == RelocationType::rel64 || type == RelocationType::rel32_lo ||
         type == RelocationType::rel32_hi || type == RelocationType::rel16;
}

bool wants_table(RelocationType type) {
  return type == RelocationType::gotpcrel || type == RelocationType::gotpcrel32_lo ||
         type == RelocationType::gotpcrel32_hi;
}

u64 aligned(u64 value, u64 alignment) { return (value + alignment - 1) / alignment * alignment; }

/// One object to one image: read-only data, code, data, each a segment on pages of its own; what is not loaded is left
/// out.
class Linker {
 public:
  explicit Linker(const ObjectFile& object) : object_(object) {}

  Result<std::string> link() {
    collect_exports();
    find_table_entries();
    count_dynamic_relocations();
    lay_out();
    if (!relocate()) return error_;
    fill_tables();
    write_headers();
    return std::move(out_);
  }

 private:
  /// A piece of the image: a section of the object, or one the linker makes.
  struct Piece {
    std::string name;
    Elf64_Shdr row{};
    int section = -1;   ///< of the object
    std::string bytes;  ///< of a made one
    u32 segment_flags = PF_R;
    std::string link;  ///< section for sh_link
  };

  void collect_exports() {
    for (u32 i = 0; i < object_.symbols.size(); ++i) {
      const ObjectSymbol& symbol = object_.symbols[i];
      const bool is_visible = symbol.visibility == STV_DEFAULT || symbol.visibility == STV_PROTECTED;
      if (symbol.binding != STB_LOCAL && is_visible && is_loaded(symbol.section)) exports_.push_back(i);
    }
  }

  bool is_loaded(u32 section) const {
    return section < object_.sections.size() && (object_.sections[section].flags & SHF_ALLOC) != 0;
  }

  void find_table_entries() {
    for (const ObjectSection& section : object_.sections) {
      if ((section.flags & SHF_ALLOC) == 0) continue;
      for (const ObjectRelocation& relocation : section.relocations) {
        if (wants_table(relocation.type) && relocation.symbol != no_symbol)
          table_.try_emplace(relocation.symbol, table_.size() * 8);
      }
    }
  }

  void count_dynamic_relocations() {
    dynamic_count_ = table_.size();
    for (const ObjectSection& section : object_.sections) {
      if ((section.flags & SHF_ALLOC) == 0) continue;
      for (const ObjectRelocation& relocation : section.relocations)
        dynamic_count_ += relocation.type == RelocationType::abs64;
    }
  }

  Piece& add_made(std::string name, u32 type, u64 size, u64 alignment, u64 entry_size, std::string link = {},
                  u32 segment_flags = PF_R) {
    Piece piece;
    piece.name = std::move(name);
    piece.bytes.assign(size, '\0');
    piece.row.sh_type = type;
    piece.row.sh_flags = SHF_ALLOC | ((segment_flags & PF_W) != 0 ? u64{SHF_WRITE} : 0);
    piece.row.sh_addralign = alignment;
    piece.row.sh_entsize = entry_size;
    piece.row.sh_size = size;
    piece.link = std::move(link);
    piece.segment_flags = segment_flags;
    pieces_.push_back(std::move(piece));
    return pieces_.back();
  }

  void add_sections(u64 flags, bool with_notes, bool with_zeros, u32 segment_flags) {
    for (std::size_t i = 0; i < object_.sections.size(); ++i) {
      const ObjectSection& section = object_.sections[i];
      const u64 own = section.flags & (SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR);
      if (own != (SHF_ALLOC | flags) || (section.type == SHT_NOTE) != with_notes || section.has_bytes() == with_zeros)
        continue;
      Piece piece;
      piece.name = section.name;
      piece.section = static_cast<int>(i);
      piece.row.sh_type = section.type;
      piece.row.sh_flags = section.flags & ~u64{SHF_GROUP};
      piece.row.sh_addralign = section.alignment;
      piece.row.sh_size = section.size();
      piece.segment_flags = segment_flags;
      pieces_.push_back(std::move(piece));
    }
  }

  void make_pieces() {
    for (const u32 symbol : exports_) names_.add(object_.symbols[symbol].name);
    names_.finish();
    add_sections(0, true, false, PF_R);
    add_made(".dynsym", SHT_DYNSYM, (exports_.size() + 1) * sizeof(Elf64_Sym), 8, sizeof(Elf64_Sym), ".dynstr");
    const u64 buckets = std::max<u64>(exports_.size(), 1);
    add_made(".hash", SHT_HASH, (2 + buckets + exports_.size() + 1) * 4, 4, 4, ".dynsym");
    add_made(".dynstr", SHT_STRTAB, names_.bytes().size(), 1, 0).bytes = names_.bytes();
    if (dynamic_count_ != 0)
      add_made(".rela.dyn", SHT_RELA, dynamic_count_ * sizeof(Elf64_Rela), 8, sizeof(Elf64_Rela), ".dynsym");
    add_sections(0, false, false, PF_R);
    add_sections(SHF_EXECINSTR, false, false, PF_R | PF_X);
    add_made(".dynamic", SHT_DYNAMIC, 9 * sizeof(Elf64_Dyn), 8, sizeof(Elf64_Dyn), ".dynstr", PF_R | PF_W);
    if (!table_.empty()) add_made(".got", SHT_PROGBITS, table_.size() * 8, 8, 0, {}, PF_R | PF_W);
    add_sections(SHF_WRITE | SHF_EXECINSTR, false, false, PF_R | PF_W);
    add_sections(SHF_WRITE, false, false, PF_R | PF_W);
    add_sections(SHF_WRITE, false, true, PF_R | PF_W);
    add_sections(0, false, true, PF_R | PF_W);
  }

  /// Addresses are the places in the file plus a multiple of the page that grows from segment to segment.
  void lay_out() {
    make_pieces();
    u64 at = sizeof(Elf64_Ehdr) + most_program_headers * sizeof(Elf64_Phdr), distance = 0, largest = page;
    for (const Piece& piece : pieces_) largest = std::max<u64>(largest, piece.row.sh_addralign);
    u32 flags = PF_R;
    for (Piece& piece : pieces_) {
      if (piece.segment_flags != flags) distance += largest;
      flags = piece.segment_flags;
      at = aligned(at, std::max<u64>(piece.row.sh_addralign, 1));
      piece.row.sh_offset = at;
      piece.row.sh_addr = at + distance;
      if (piece.section >= 0) addresses_[static_cast<u32>(piece.section)] = piece.row.sh_addr;
      at += piece.row.sh_size;  // zeros stand in the file too, which keeps places and addresses in step
    }
    out_.assign(at, '\0');
    for (const Piece& piece : pieces_) {
      const std::string& bytes =
          piece.section >= 0 ? object_.sections[static_cast<std::size_t>(piece.section)].bytes : piece.bytes;
      std::memcpy(out_.data() + piece.row.sh_offset, bytes.data(), bytes.size());
    }
  }

  const Piece* find_piece(std::string_view name) const {
    for (const Piece& piece : pieces_) {
      if (piece.name == name && piece.section < 0) return &piece;
    }
    return nullptr;
  }

  bool address_of(u32 index, u64& address) {
    address = 0;
    if (index == no_symbol) return true;
    const ObjectSymbol& symbol = object_.symbols[index];
    if (symbol.section == section_absolute) return address = symbol.value, true;
    if (symbol.section == section_undefined && symbol.binding == STB_WEAK) return true;
    const auto found = addresses_.find(symbol.section);
    if (found != addresses_.end()) return address = found->second + symbol.value, true;
    error_ =
        symbol.section == section_undefined
            ? Error{"the symbol '" + symbol.name + "' is not defined", "a linked file is complete: leave --link out"}
            : Error{"the symbol '" + symbol.name + "' has no place in a linked file", "define it in a section"};
    return false;
  }

  bool relocate() {
    const Piece* table = find_piece(".got");
    for (const auto& [symbol, offset] : table_) {
      u64 address = 0;
      if (!address_of(symbol, address)) return false;
      add_dynamic(table->row.sh_addr + offset, address);
    }
    for (const Piece& piece : pieces_) {
      if (piece.section < 0) continue;
      const ObjectSection& section = object_.sections[static_cast<std::size_t>(piece.section)];
      for (const ObjectRelocation& relocation : section.relocations) {
        if (!apply(piece, section, relocation)) return false;
      }
    }
    return true;
  }

  void add_dynamic(u64 place, u64 address) {
    Elf64_Rela entry{};
    entry.r_offset = place;
    entry.r_info = ELF64_R_INFO(u64{0}, static_cast<u64>(RelocationType::relative64));
    entry.r_addend = static_cast<i64>(address);
    append_value(dynamic_, entry);
  }

  bool apply(const Piece& piece, const ObjectSection& section, const ObjectRelocation& relocation) {
    u64 target = 0;
    if (wants_table(relocation.type) && relocation.symbol != no_symbol)
      target = find_piece(".got")->row.sh_addr + table_.at(relocation.symbol);
    else if (!address_of(relocation.symbol, target))
      return false;
    const u64 place = piece.row.sh_addr + relocation.offset;
    u64 value = target + static_cast<u64>(relocation.addend);
    if (is_relative(relocation.type) || wants_table(relocation.type)) value -= place;
    if (relocation.type == RelocationType::abs64) add_dynamic(place, value);
    if (relocation.type == RelocationType::abs32 && relocation.symbol != no_symbol &&
        object_.symbols[relocation.symbol].section != section_absolute)
      return fail(section, relocation, "an address of 32 bits in code that may be loaded anywhere");
    return write(piece, section, relocation, value);
  }

  bool fail(const ObjectSection& section, const ObjectRelocation& relocation, std::string_view what) {
    const std::string symbol = relocation.symbol == no_symbol ? "" : object_.symbols[relocation.symbol].name;
    error_ = {fmt::format("{}+0x{:x}: {} ('{}')", section.name, relocation.offset, what, symbol), ""};
    return false;
  }

  bool write(const Piece& piece, const ObjectSection& section, const ObjectRelocation& relocation, u64 value) {
    unsigned bytes = 4;
    switch (relocation.type) {
      case RelocationType::abs64:
      case RelocationType::rel64:
        bytes = 8;
        break;
      case RelocationType::abs32_hi:
      case RelocationType::rel32_hi:
      case RelocationType::gotpcrel32_hi:
        value >>= 32;
        break;
      case RelocationType::rel32:
      case RelocationType::gotpcrel:
        if (static_cast<i64>(value) != static_cast<i32>(value)) return fail(section, relocation, "too far away");
        break;
      case RelocationType::rel16: {
        const i64 words = (static_cast<i64>(value) - 4) / 4;
        if (words != static_cast<i16>(words)) return fail(section, relocation, "too far for a branch");
        value = static_cast<u64>(words);
        bytes = 2;
        break;
      }
      default:
        break;
    }
    if (relocation.offset > piece.row.sh_size || piece.row.sh_size - relocation.offset < bytes)
      return fail(section, relocation, "a relocation outside its section");
    std::memcpy(out_.data() + piece.row.sh_offset + relocation.offset, &value, bytes);
    return true;
  }

  template <class T>
  void put(const Piece& piece, u64 index, const T& value) {
    std::memcpy(out_.data() + piece.row.sh_offset + index * sizeof(T), &value, sizeof value);
  }

  void fill_tables() {
    const Piece* symbols = find_piece(".dynsym");
    const Piece* hashes = find_piece(".hash");
    const u32 buckets = static_cast<u32>(std::max<std::size_t>(exports_.size(), 1));
    put(*hashes, 0, buckets);
    put(*hashes, 1, static_cast<u32>(exports_.size() + 1));
    std::vector<u32> heads(buckets), chains(exports_.size() + 1);
    for (u32 i = 0; i < exports_.size(); ++i) {
      const ObjectSymbol& symbol = object_.symbols[exports_[i]];
      Elf64_Sym entry{};
      entry.st_name = names_.offset(symbol.name);
      entry.st_info = ELF64_ST_INFO(symbol.binding, symbol.type);
      entry.st_other = symbol.visibility;
      entry.st_shndx = section_index(symbol.section);
      entry.st_value = addresses_[symbol.section] + symbol.value;
      entry.st_size = symbol.size;
      put(*symbols, i + 1, entry);
      u32& head = heads[hash_of(symbol.name) % buckets];
      chains[i + 1] = head;
      head = i + 1;
    }
    for (u32 i = 0; i < buckets; ++i) put(*hashes, 2 + i, heads[i]);
    for (u32 i = 0; i < chains.size(); ++i) put(*hashes, 2 + buckets + i, chains[i]);
    if (const Piece* relocations = find_piece(".rela.dyn"))
      std::memcpy(out_.data() + relocations->row.sh_offset, dynamic_.data(), dynamic_.size());
    fill_dynamic();
  }

  void fill_dynamic() {
    std::vector<Elf64_Dyn> entries;
    const auto add = [&](i64 tag, u64 value) {
      Elf64_Dyn entry{};
      entry.d_tag = tag;
      entry.d_un.d_val = value;
      entries.push_back(entry);
    };
    if (const Piece* relocations = find_piece(".rela.dyn")) {
      add(DT_RELA, relocations->row.sh_addr);
      add(DT_RELASZ, relocations->row.sh_size);
      add(DT_RELAENT, sizeof(Elf64_Rela));
    }
    add(DT_SYMTAB, find_piece(".dynsym")->row.sh_addr);
    add(DT_SYMENT, sizeof(Elf64_Sym));
    add(DT_STRTAB, find_piece(".dynstr")->row.sh_addr);
    add(DT_STRSZ, find_piece(".dynstr")->row.sh_size);
    add(DT_HASH, find_piece(".hash")->row.sh_addr);
    const Piece* dynamic = find_piece(".dynamic");
    for (u64 i = 0; i < entries.size(); ++i) put(*dynamic, i, entries[i]);
  }

  /// The hash of the System V ABI.
  static u32 hash_of(std::string_view name) {
    u32 hash = 0;
    for (const char c : name) {
      hash = (hash << 4) + static_cast<u8>(c);
      const u32 top = hash & 0xf0000000;
      hash = (hash ^ top >> 24) & ~top;
    }
    return hash;
  }

  u16 section_index(u32 section) const {
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      if (pieces_[i].section == static_cast<int>(section)) return static_cast<u16>(i + 1);
    }
    return SHN_ABS;
  }

  Elf64_Phdr segment(u32 type, u32 flags, u64 offset, u64 address, u64 size, u64 alignment) const {
    Elf64_Phdr header{};
    header.p_type = type;
    header.p_flags = flags;
    header.p_offset = offset;
    header.p_vaddr = header.p_paddr = address;
    header.p_filesz = header.p_memsz = size;
    header.p_align = alignment;
    return header;
  }

  std::vector<Elf64_Phdr> program_headers() const {
    std::vector<Elf64_Phdr> headers;
    Elf64_Phdr load = segment(PT_LOAD, PF_R, 0, 0, 0, page);
    for (const Piece& piece : pieces_) {
      if (piece.segment_flags != load.p_flags) {
        headers.push_back(load);
        load = segment(PT_LOAD, piece.segment_flags, piece.row.sh_offset, piece.row.sh_addr, 0, page);
      }
      load.p_filesz = load.p_memsz = piece.row.sh_offset + piece.row.sh_size - load.p_offset;
    }
    headers.push_back(load);
    for (const Piece& piece : pieces_) {
      const Elf64_Shdr& row = piece.row;
      if (row.sh_type == SHT_DYNAMIC)
        headers.push_back(segment(PT_DYNAMIC, PF_R | PF_W, row.sh_offset, row.sh_addr, row.sh_size, 8));
      if (row.sh_type == SHT_NOTE && headers.size() < most_program_headers)
        headers.push_back(segment(PT_NOTE, PF_R, row.sh_offset, row.sh_addr, row.sh_size, 4));
    }
    return headers;
  }

  void write_headers() {
    StringTable section_names;
    for (const Piece& piece : pieces_) section_names.add(piece.name);
    section_names.add(".shstrtab");
    section_names.finish();
    Elf64_Shdr strings{};
    strings.sh_name = section_names.offset(".shstrtab");
    strings.sh_type = SHT_STRTAB;
    strings.sh_offset = out_.size();
    strings.sh_size = section_names.bytes().size();
    strings.sh_addralign = 1;
    out_ += section_names.bytes();
    out_.resize(aligned(out_.size(), 8));
    const std::vector<Elf64_Phdr> programs = program_headers();
    Elf64_Ehdr header = elf_header(object_, ET_DYN);
    header.e_phoff = sizeof header;
    header.e_phentsize = sizeof(Elf64_Phdr);
    header.e_phnum = static_cast<u16>(programs.size());
    header.e_shoff = out_.size();
    header.e_shnum = static_cast<u16>(pieces_.size() + 2);
    header.e_shstrndx = static_cast<u16>(pieces_.size() + 1);
    append_value(out_, Elf64_Shdr{});
    for (Piece& piece : pieces_) {
      piece.row.sh_name = section_names.offset(piece.name);
      for (std::size_t i = 0; i < pieces_.size(); ++i) {
        if (!piece.link.empty() && pieces_[i].section < 0 && pieces_[i].name == piece.link)
          piece.row.sh_link = static_cast<u32>(i + 1);
      }
      if (piece.row.sh_type == SHT_DYNSYM) piece.row.sh_info = 1;
      append_value(out_, piece.row);
    }
    append_value(out_, strings);
    std::memcpy(out_.data(), &header, sizeof header);
    std::memcpy(out_.data() + sizeof header, programs.data(), programs.size() * sizeof(Elf64_Phdr));
  }

  static constexpr std::size_t most_program_headers = 12;

  const ObjectFile& object_;
  std::string out_;
  Error error_;
  std::vector<Piece> pieces_;
  std::map<u32, u64> addresses_;  ///< of the object's sections
  std::vector<u32> exports_;
  std::map<u32, u64> table_;  ///< symbols that need an entry of the global offset table, and its place there
  u64 dynamic_count_ = 0;
  std::string dynamic_;
  StringTable names_;
};

}  // namespace

Result<std::string> write_linked(const ObjectFile& object) { return Linker(object).link(); }

}  // namespace gfxisa

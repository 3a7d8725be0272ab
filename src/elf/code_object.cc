#include "elf/code_object.h"

#include <elf.h>
#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "elf/elf_file.h"
#include "elf/source_lines.h"
#include "inst/instruction.h"

namespace gfxisa {
namespace {

constexpr u32 relocation_relative64 = 13;  // R_AMDGPU_RELATIVE64
constexpr u32 relocation_abs64 = 3;        // R_AMDGPU_ABS64
constexpr u64 max_image_bytes = u64{1} << 32;
constexpr u64 page = 4096;

struct ElfEnd {
  void operator()(Elf* elf) const { elf_end(elf); }
};

}  // namespace

void Unmap::operator()(u8* start) const { munmap(start, size); }

const Kernel* CodeObject::find_kernel(std::string_view name) const {
  const auto found = std::find_if(kernels.begin(), kernels.end(), [&](const Kernel& kernel) {
    return kernel.metadata.name == name || kernel.metadata.symbol == name;
  });
  return found == kernels.end() ? nullptr : &*found;
}

std::string_view CodeObject::function_at(u64 offset) const {
  for (const Symbol& symbol : symbols) {
    if (symbol.is_function && offset >= symbol.offset && offset - symbol.offset < symbol.size) return symbol.name;
  }
  return {};
}

std::string CodeObject::source_at(u64 offset) const {
  return debug_file_.empty() ? std::string() : source_line(debug_file_, offset);
}

/// Takes an ELF file apart step by step; each step returns an empty string or what is wrong.
class CodeObjectReader {
 public:
  Result<CodeObject> read(std::span<const u8> bytes) {
    bytes_ = bytes;
    for (const auto step :
         {&CodeObjectReader::open, &CodeObjectReader::lay_out, &CodeObjectReader::read_symbols,
          &CodeObjectReader::read_notes, &CodeObjectReader::relocate, &CodeObjectReader::find_descriptors}) {
      std::string problem = (this->*step)();
      if (!problem.empty()) return Error{std::move(problem), hint_};
    }
    if (has_source_lines(bytes)) object_.debug_file_.assign(bytes.begin(), bytes.end());
    return std::move(object_);
  }

 private:
  std::string open();
  std::string lay_out();
  std::string read_symbols();
  std::string read_notes();
  std::string relocate();
  std::string find_descriptors();

  std::string read_header();
  std::string map_image(u64 size);
  std::string note_of(std::span<const u8> notes);
  std::string relocate_section(Elf_Scn* section, const GElf_Shdr& header);
  const Symbol* find_symbol(std::string_view name) const;
  /// Bytes [offset, offset + size) of the file, empty when they are not all there.
  std::span<const u8> file_range(u64 offset, u64 size) const {
    if (offset > bytes_.size() || size > bytes_.size() - offset) return {};
    return bytes_.subspan(offset, size);
  }
  bool in_image(u64 offset, u64 size) const {
    return offset <= object_.image_size_ && size <= object_.image_size_ - offset;
  }

  std::span<const u8> bytes_;
  std::unique_ptr<Elf, ElfEnd> elf_;
  CodeObject object_;
  std::string hint_;
};

std::string CodeObjectReader::open() {
  if (bytes_.size() < sizeof(Elf64_Ehdr) || std::memcmp(bytes_.data(), ELFMAG, SELFMAG) != 0) {
    hint_ = "a code object is made by clang --offload-arch or -target amdgcn-amd-amdhsa";
    return bytes_.size() < SELFMAG || std::memcmp(bytes_.data(), ELFMAG, SELFMAG) != 0
               ? "not an ELF file"
               : fmt::format("truncated ELF file: {} bytes, the header alone has {}", bytes_.size(),
                             sizeof(Elf64_Ehdr));
  }
  elf_version(EV_CURRENT);
  // libelf takes a non-const pointer and does not write in read mode.
  elf_.reset(elf_memory(reinterpret_cast<char*>(const_cast<u8*>(bytes_.data())), bytes_.size()));
  if (!elf_) return fmt::format("not a readable ELF file: {}", elf_errmsg(-1));
  return read_header();
}

std::string CodeObjectReader::read_header() {
  GElf_Ehdr header;
  if (gelf_getehdr(elf_.get(), &header) == nullptr) return fmt::format("bad ELF header: {}", elf_errmsg(-1));
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB) {
    return "not a 64-bit little-endian ELF file";
  }
  if (header.e_machine != machine_amdgpu) {
    return fmt::format("an ELF file for machine {}, not for an AMD GPU ({})", header.e_machine, machine_amdgpu);
  }
  if (header.e_ident[EI_OSABI] != os_amdhsa) return "an AMD GPU object for another system than AMDHSA";
  if (header.e_type == ET_REL) {
    hint_ = "link it: ld.lld -shared in.o -o out.co";
    return "a relocatable object, not a linked code object";
  }
  const unsigned version = header.e_ident[EI_ABIVERSION] + 2u;  // 1 to 4 stand for V3 to V6
  if (version < 3 || version > 6) return fmt::format("code object version {} (of 3, 4, 5, 6)", version);
  object_.version = version;
  object_.target = target_of_flags(header.e_flags);
  if (object_.target.empty())
    return fmt::format("unknown processor number 0x{:x} in the ELF flags", header.e_flags & 0xff);
  object_.chip = find_chip(object_.target);
  return {};
}

std::string CodeObjectReader::map_image(u64 size) {
  void* start = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) return fmt::format("no memory for an image of {} bytes", size);
  object_.image_ = {static_cast<u8*>(start), Unmap{size}};
  object_.image_size_ = size;
  return {};
}

std::string CodeObjectReader::lay_out() {
  std::size_t count = 0;
  if (elf_getphdrnum(elf_.get(), &count) != 0) return fmt::format("bad program headers: {}", elf_errmsg(-1));
  std::vector<GElf_Phdr> loads;
  u64 end = 0;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr header;
    if (gelf_getphdr(elf_.get(), static_cast<int>(i), &header) == nullptr) {
      return fmt::format("bad program header {}: {}", i, elf_errmsg(-1));
    }
    if (header.p_type != PT_LOAD) continue;
    if (header.p_filesz > header.p_memsz) return fmt::format("segment {} has more bytes in the file than in memory", i);
    if (header.p_vaddr > max_image_bytes || header.p_memsz > max_image_bytes) {
      return fmt::format("segment {} reaches beyond {} bytes", i, max_image_bytes);
    }
    if (file_range(header.p_offset, header.p_filesz).size() != header.p_filesz) {
      return fmt::format("segment {} reaches beyond the end of the file: truncated?", i);
    }
    end = std::max(end, header.p_vaddr + header.p_memsz);
    loads.push_back(header);
  }
  if (loads.empty()) return "no loadable segment";
  if (std::string problem = map_image((end + page - 1) / page * page); !problem.empty()) return problem;
  for (const GElf_Phdr& load : loads) {
    std::ranges::copy(file_range(load.p_offset, load.p_filesz), object_.image() + load.p_vaddr);
    object_.segments.push_back({load.p_vaddr, load.p_memsz, (load.p_flags & PF_W) != 0, (load.p_flags & PF_X) != 0});
  }
  return {};
}

std::string CodeObjectReader::read_symbols() {
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_.get(), section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_DYNSYM || header.sh_entsize == 0) continue;
    Elf_Data* data = elf_getdata(section, nullptr);
    if (data == nullptr) return fmt::format("bad symbol table: {}", elf_errmsg(-1));
    const std::size_t count = data->d_size / sizeof(Elf64_Sym);
    for (std::size_t i = 0; i < count; ++i) {
      GElf_Sym symbol;
      if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr || symbol.st_shndx == SHN_UNDEF) continue;
      const char* name = elf_strptr(elf_.get(), header.sh_link, symbol.st_name);
      if (name == nullptr || !in_image(symbol.st_value, symbol.st_size)) continue;
      object_.symbols.push_back({name, symbol.st_value, symbol.st_size, GELF_ST_TYPE(symbol.st_info) == STT_FUNC});
    }
  }
  std::sort(object_.symbols.begin(), object_.symbols.end(),
            [](const Symbol& a, const Symbol& b) { return std::tie(a.offset, a.name) < std::tie(b.offset, b.name); });
  return {};
}

std::string CodeObjectReader::note_of(std::span<const u8> notes) {
  // A note is three u32 (name size, data size, type), then name and data, each padded to 4 bytes.
  while (notes.size() >= sizeof(Elf64_Nhdr)) {
    Elf64_Nhdr note;
    std::memcpy(&note, notes.data(), sizeof note);
    const u64 name_bytes = (u64{note.n_namesz} + 3) & ~u64{3};
    const u64 data_bytes = (u64{note.n_descsz} + 3) & ~u64{3};
    const u64 size = sizeof note + name_bytes + data_bytes;
    if (size > notes.size()) return "a note reaches beyond its segment";
    const auto name = notes.subspan(sizeof note, note.n_namesz);
    const bool is_ours = name.size() == 7 && std::memcmp(name.data(), "AMDGPU", 7) == 0;
    if (is_ours && note.n_type == note_amdgpu_metadata) {
      auto metadata = read_metadata(notes.subspan(sizeof note + name_bytes, note.n_descsz));
      if (!metadata) return metadata.error().message;
      object_.printf_formats = std::move(metadata->printf_formats);
      for (KernelMetadata& kernel : metadata->kernels) {
        Kernel entry;
        entry.metadata = std::move(kernel);
        object_.kernels.push_back(std::move(entry));
      }
    }
    notes = notes.subspan(size);
  }
  return {};
}

std::string CodeObjectReader::read_notes() {
  std::size_t count = 0;
  elf_getphdrnum(elf_.get(), &count);
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr header;
    if (gelf_getphdr(elf_.get(), static_cast<int>(i), &header) == nullptr || header.p_type != PT_NOTE) continue;
    const auto notes = file_range(header.p_offset, header.p_filesz);
    if (notes.size() != header.p_filesz) return "the notes reach beyond the end of the file: truncated?";
    if (std::string problem = note_of(notes); !problem.empty()) return problem;
  }
  return {};
}

std::string CodeObjectReader::relocate_section(Elf_Scn* section, const GElf_Shdr& header) {
  Elf_Data* data = elf_getdata(section, nullptr);
  if (data == nullptr) return fmt::format("bad relocations: {}", elf_errmsg(-1));
  const u64 base = reinterpret_cast<u64>(object_.image());
  Elf_Scn* symbols = elf_getscn(elf_.get(), header.sh_link);
  Elf_Data* symbol_data = symbols != nullptr ? elf_getdata(symbols, nullptr) : nullptr;
  for (std::size_t i = 0; i < data->d_size / sizeof(Elf64_Rela); ++i) {
    GElf_Rela relocation;
    if (gelf_getrela(data, static_cast<int>(i), &relocation) == nullptr) return "bad relocation entry";
    const u32 type = GELF_R_TYPE(relocation.r_info);
    if (type == 0) continue;
    u64 value = base + static_cast<u64>(relocation.r_addend);
    if (type == relocation_abs64) {
      GElf_Sym symbol;
      const int index = static_cast<int>(GELF_R_SYM(relocation.r_info));
      if (symbol_data == nullptr || gelf_getsym(symbol_data, index, &symbol) == nullptr)
        return "a relocation without symbol";
      if (symbol.st_shndx == SHN_UNDEF) {
        const char* name = elf_strptr(elf_.get(), header.sh_link, symbol.st_name);
        return fmt::format("undefined symbol '{}'", name != nullptr ? name : "?");
      }
      value += symbol.st_value;
    } else if (type != relocation_relative64) {
      return fmt::format("relocation type {} in a linked code object", type);
    }
    if (!in_image(relocation.r_offset, sizeof value)) return "a relocation outside the image";
    std::memcpy(object_.image() + relocation.r_offset, &value, sizeof value);
  }
  return {};
}

std::string CodeObjectReader::relocate() {
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_.get(), section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_RELA || header.sh_entsize == 0) continue;
    if ((header.sh_flags & SHF_ALLOC) == 0) continue;  // for debug sections, not for the image
    if (std::string problem = relocate_section(section, header); !problem.empty()) return problem;
  }
  return {};
}

const Symbol* CodeObjectReader::find_symbol(std::string_view name) const {
  const auto found = std::find_if(object_.symbols.begin(), object_.symbols.end(),
                                  [&](const Symbol& symbol) { return symbol.name == name; });
  return found == object_.symbols.end() ? nullptr : &*found;
}

std::string CodeObjectReader::find_descriptors() {
  for (Kernel& kernel : object_.kernels) {
    const Symbol* symbol = find_symbol(kernel.metadata.symbol);
    if (symbol == nullptr)
      return fmt::format("kernel '{}' has no symbol '{}'", kernel.metadata.name, kernel.metadata.symbol);
    if (!in_image(symbol->offset, kernel_descriptor_bytes))
      return fmt::format("'{}' reaches outside the image", symbol->name);
    kernel.descriptor_offset = symbol->offset;
    kernel.descriptor = read_kernel_descriptor({object_.image() + symbol->offset, kernel_descriptor_bytes});
    kernel.entry_offset = symbol->offset + static_cast<u64>(kernel.descriptor.entry_offset);
    if (!in_image(kernel.entry_offset, 4) || kernel.entry_offset % 4 != 0) {
      return fmt::format("kernel '{}' starts outside the image", kernel.metadata.name);
    }
    if (const Symbol* code = find_symbol(kernel.metadata.name)) kernel.code_size = code->size;
  }
  return {};
}

Result<CodeObject> load_code_object(std::span<const u8> bytes) { return CodeObjectReader().read(bytes); }

}  // namespace gfxisa

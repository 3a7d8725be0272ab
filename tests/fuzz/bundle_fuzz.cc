// Any bytes: an offload bundle's entries, or an error; an entry that is an object is listed.
#include "elf/bundle.h"
#include "elf/listing.h"

using namespace gfxisa;

extern "C" int LLVMFuzzerTestOneInput(const u8* data, std::size_t size) {
  const Result<std::vector<Bundle>> bundles = read_bundles({data, size});
  if (!bundles) return 0;
  for (const Bundle& bundle : *bundles) {
    for (const BundleEntry& entry : bundle.entries) {
      const Result<ParsedElf> file = parse_elf(entry.bytes);
      const int chip = file ? find_chip(file->target) : -1;
      if (chip >= 0) write_object_listing(*file, static_cast<unsigned>(chip), {}, [](std::string_view) {});
    }
  }
  return 0;
}

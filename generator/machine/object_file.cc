#include "generator/machine/object_file.h"

#include "generator/support/status.h"

namespace lathe::machine {

ObjectSizes MeasureObject(const ElfFile& file) {
  ObjectSizes sizes;
  for (const Section& s : file.sections) {
    if (!s.allocated) continue;
    int64_t& kind = s.executable  ? sizes.text
                    : !s.writable ? sizes.rodata
                    : s.has_bytes ? sizes.data
                                  : sizes.bss;
    kind += static_cast<int64_t>(s.size);
  }
  for (const Symbol& symbol : file.symbols) {
    const int64_t size = static_cast<int64_t>(symbol.size);
    if (symbol.kind == SymbolKind::kFunction) sizes.functions[symbol.name] += size;
    if (symbol.kind != SymbolKind::kObject || symbol.section < 0) continue;
    const Section& home = file.sections[static_cast<size_t>(symbol.section)];
    if (home.allocated && !home.writable) sizes.constants[symbol.name] += size;
  }
  return sizes;
}

absl::StatusOr<ObjectSizes> ReadObjectSizes(absl::string_view bytes) {
  LATHE_ASSIGN_OR_RETURN(const ElfFile file, ReadElfFile(bytes));
  return MeasureObject(file);
}

}  // namespace lathe::machine

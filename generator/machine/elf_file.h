// Reads ELF files of any machine: sections, symbols and relocations, as needed to measure code.
#ifndef LATHE_MACHINE_ELF_FILE_H_
#define LATHE_MACHINE_ELF_FILE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace lathe::machine {

enum class Cpu { kArm, kAvr, kRiscV, kX86_64, kOther };

struct Section {
  uint64_t address = 0;
  absl::string_view bytes;  // empty if the file has none
  uint64_t size = 0;
  bool allocated = false, executable = false, writable = false, has_bytes = false;
};

enum class SymbolKind { kNone, kObject, kFunction, kSection, kOther };
constexpr int kUndefined = -1, kAbsolute = -2;

struct Symbol {
  std::string name;
  SymbolKind kind = SymbolKind::kNone;
  bool local = false;
  int section = kUndefined;  // its index, kUndefined or kAbsolute
  uint64_t value = 0;        // object files: an offset into the section; programs: an address
  uint64_t size = 0;
};

struct Relocation {
  int section = 0;      // the section to relocate
  uint64_t offset = 0;  // offset in the section
  int symbol = 0;       // its index
  int64_t addend = 0;   // 0 if it is stored in the section's bytes
};

struct ElfFile {
  Cpu cpu = Cpu::kOther;
  bool wide = false;      // 64-bit
  uint64_t flags = 0;     // machine-specific
  bool is_object = true;  // relocatable object
  std::vector<Section> sections;
  std::vector<Symbol> symbols;
  std::vector<Relocation> relocations;
};

// Returns the contents of an ELF file, which refer to `bytes`. Fails if `bytes` is not a valid ELF
// file.
absl::StatusOr<ElfFile> ReadElfFile(absl::string_view bytes);

}  // namespace lathe::machine

#endif  // LATHE_MACHINE_ELF_FILE_H_

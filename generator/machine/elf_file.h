// Reads ELF files of any machine: sections, symbols and relocations, as far as measuring code
// needs.
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
  absl::string_view bytes;  // empty where the file has none
  uint64_t size = 0;
  bool allocated = false, executable = false, writable = false, has_bytes = false;
};

enum class SymbolKind { kNone, kObject, kFunction, kSection, kOther };
constexpr int kUndefined = -1, kAbsolute = -2;

struct Symbol {
  std::string name;
  SymbolKind kind = SymbolKind::kNone;
  bool local = false;
  int section = kUndefined;  // an index, or one of the two above
  uint64_t value = 0;        // an offset into the section in objects, an address in programs
  uint64_t size = 0;
};

struct Relocation {
  int section = 0;      // that it changes
  uint64_t offset = 0;  // there
  int symbol = 0;       // an index
  int64_t addend = 0;   // 0 where it is in the section's bytes
};

struct ElfFile {
  Cpu cpu = Cpu::kOther;
  bool wide = false;      // of 64 bits
  uint64_t flags = 0;     // of the machine
  bool is_object = true;  // not linked yet
  std::vector<Section> sections;
  std::vector<Symbol> symbols;
  std::vector<Relocation> relocations;
};

// Fails where `bytes`, which the result refers to, is no ELF file or contradicts itself.
absl::StatusOr<ElfFile> ReadElfFile(absl::string_view bytes);

}  // namespace lathe::machine

#endif  // LATHE_MACHINE_ELF_FILE_H_

// Measures an ELF object of any machine: sizes of sections, functions and variables.
#ifndef LATHE_MACHINE_OBJECT_FILE_H_
#define LATHE_MACHINE_OBJECT_FILE_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/machine/elf_file.h"

namespace lathe::machine {

// Sizes in bytes, of sections that are loaded into memory, and of symbols by name.
struct ObjectSizes {
  int64_t text = 0;    // instructions
  int64_t rodata = 0;  // read-only data
  int64_t data = 0;    // initialized variables
  int64_t bss = 0;     // zero-initialized variables
  std::map<std::string, int64_t> functions;
  std::map<std::string, int64_t> constants;  // read-only variables
};

// Returns the sizes of a file that ReadElfFile returned.
ObjectSizes MeasureObject(const ElfFile& file);

// Reads `bytes` and measures it. Fails if `bytes` is not a valid ELF file.
absl::StatusOr<ObjectSizes> ReadObjectSizes(absl::string_view bytes);

}  // namespace lathe::machine

#endif  // LATHE_MACHINE_OBJECT_FILE_H_

// What a compiler made: sizes of sections, functions and variables of an ELF object, of any
// machine.
#ifndef LATHE_MACHINE_OBJECT_FILE_H_
#define LATHE_MACHINE_OBJECT_FILE_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/machine/elf_file.h"

namespace lathe::machine {

// In bytes.
struct ObjectSizes {
  int64_t text = 0;    // instructions
  int64_t rodata = 0;  // what is only read
  int64_t data = 0;    // variables with a first value
  int64_t bss = 0;     // variables without one
  std::map<std::string, int64_t> functions;
  std::map<std::string, int64_t> constants;  // variables that are only read
};

ObjectSizes MeasureObject(const ElfFile& file);

// Fails where `bytes` is no ELF object, or one that contradicts itself.
absl::StatusOr<ObjectSizes> ReadObjectSizes(absl::string_view bytes);

}  // namespace lathe::machine

#endif  // LATHE_MACHINE_OBJECT_FILE_H_

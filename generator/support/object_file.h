// What a compiler made: sizes of sections and functions of an ELF object, of any machine.
#ifndef LATHE_SUPPORT_OBJECT_FILE_H_
#define LATHE_SUPPORT_OBJECT_FILE_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace lathe {

// In bytes.
struct ObjectSizes {
  int64_t text = 0;    // instructions
  int64_t rodata = 0;  // what is only read
  int64_t data = 0;    // variables with a first value
  int64_t bss = 0;     // variables without one
  std::map<std::string, int64_t> functions;
};

// Fails where `bytes` is no ELF object, or one that contradicts itself.
absl::StatusOr<ObjectSizes> ReadObjectSizes(absl::string_view bytes);

}  // namespace lathe

#endif  // LATHE_SUPPORT_OBJECT_FILE_H_

// Prints the address of an element at an offset from a pointer: &base[offset].
//
// Pointer arithmetic (base + offset) would violate the advisory MISRA rule 18.4. Adding 0 would
// violate rule 2.2.
#ifndef LATHE_EMIT_C_NAMES_C_ADDRESS_H_
#define LATHE_EMIT_C_NAMES_C_ADDRESS_H_

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace lathe::emit {

// Returns "&base[offset]", or `base` if `offset` is "0". `base` is a primary expression or a cast
// in parentheses.
inline std::string AddressOf(absl::string_view base, absl::string_view offset) {
  if (offset == "0") return std::string(base);
  return absl::StrCat("&", base, "[", offset, "]");
}

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_NAMES_C_ADDRESS_H_

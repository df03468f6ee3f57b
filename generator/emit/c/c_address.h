// A pointer some elements behind another, written as the address of an element: arithmetic on
// pointers is what MISRA's rule 18.4 advises against, and adding 0 what its rule 2.2 forbids.
#ifndef LATHE_EMIT_C_C_ADDRESS_H_
#define LATHE_EMIT_C_C_ADDRESS_H_

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace lathe::emit {

// `base` is a primary expression or a cast in parentheses.
inline std::string AddressOf(absl::string_view base, absl::string_view offset) {
  if (offset == "0") return std::string(base);
  return absl::StrCat("&", base, "[", offset, "]");
}

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_C_ADDRESS_H_

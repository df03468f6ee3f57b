// Finds the identifiers in the text of C.
#ifndef LATHE_EMIT_C_KERNEL_IDENTIFIERS_H_
#define LATHE_EMIT_C_KERNEL_IDENTIFIERS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace lathe::emit {

// Returns the identifiers in `text`, except members and those in comments and literals.
std::vector<std::string> Identifiers(absl::string_view text);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_KERNEL_IDENTIFIERS_H_

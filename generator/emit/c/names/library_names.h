// Lists the names that system headers define: functions, types and macros. The type of a model with
// such a name would be declared twice in a file that also includes the header.
#ifndef LATHE_EMIT_C_NAMES_LIBRARY_NAMES_H_
#define LATHE_EMIT_C_NAMES_LIBRARY_NAMES_H_

#include "absl/strings/string_view.h"

namespace lathe::emit {

// Returns true if a header of C defines `name`, an identifier.
bool IsNameOfC(absl::string_view name);

// Returns true if a header of C, C++, POSIX or CUDA defines `name`, or is itself called `name`.
bool IsNameOfGpus(absl::string_view name);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_NAMES_LIBRARY_NAMES_H_

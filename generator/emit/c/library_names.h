// Names that headers give to functions, types, macros and the like: a model of such a name has a
// type that is declared twice where one of them is included too.
#ifndef LATHE_EMIT_C_LIBRARY_NAMES_H_
#define LATHE_EMIT_C_LIBRARY_NAMES_H_

#include "absl/strings/string_view.h"

namespace lathe::emit {

// Whether headers of C have it, an identifier.
bool IsNameOfC(absl::string_view name);

// Whether these or those of C++, POSIX and CUDA have it, or one of them is called so.
bool IsNameOfGpus(absl::string_view name);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_LIBRARY_NAMES_H_

// Names the Debian packages that have a C compiler.
#ifndef LATHE_TARGET_COMPILER_PACKAGES_H_
#define LATHE_TARGET_COMPILER_PACKAGES_H_

#include "absl/strings/string_view.h"

namespace lathe {

// Returns the packages of `compiler`, separated by spaces. Returns an empty string unless it is the
// compiler of a target, "gcc" or "clang".
absl::string_view PackagesOfCompiler(absl::string_view compiler);

}  // namespace lathe

#endif  // LATHE_TARGET_COMPILER_PACKAGES_H_

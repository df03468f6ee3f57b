// Names the Debian packages that have a C compiler.
#ifndef LATHE_TARGET_COMPILER_PACKAGES_H_
#define LATHE_TARGET_COMPILER_PACKAGES_H_

#include "absl/strings/string_view.h"

namespace lathe {

// For a target's compiler, gcc or clang, separated by spaces; empty for other compilers.
absl::string_view PackagesOfCompiler(absl::string_view compiler);

}  // namespace lathe

#endif  // LATHE_TARGET_COMPILER_PACKAGES_H_

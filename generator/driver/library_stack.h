// Measures the stack use of functions in the libraries of a C compiler, such as expf, memcpy and
// __aeabi_fadd.
#ifndef LATHE_DRIVER_LIBRARY_STACK_H_
#define LATHE_DRIVER_LIBRARY_STACK_H_

#include <set>
#include <string>
#include <vector>

#include "generator/driver/stack_depth.h"

namespace lathe::driver {

// Links only `names` with `cc` and `flags` in `folder`, so that the compiler selects the same
// libraries as for a program, and analyzes their instructions (machine/code_depth.h). Returns, for
// each name, the stack bytes of the function with its callees, or why they are unknown.
StackGraph MeasureLibraryStack(const std::string& cc, const std::vector<std::string>& flags,
                               const std::set<std::string>& names, const std::string& folder);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_LIBRARY_STACK_H_

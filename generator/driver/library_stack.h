// Measures the stack that functions of a C compiler's own libraries take: expf, memcpy,
// __aeabi_fadd.
#ifndef LATHE_DRIVER_LIBRARY_STACK_H_
#define LATHE_DRIVER_LIBRARY_STACK_H_

#include <set>
#include <string>
#include <vector>

#include "generator/driver/stack_depth.h"

namespace lathe::driver {

// Links `names` alone with `cc` and `flags`, in `folder`, so that the compiler chooses the same
// libraries as for a program, and follows their instructions (machine/code_depth.h). Of each name a
// function with the bytes of all that it calls too, or with the reason why they are not known.
StackGraph MeasureLibraryStack(const std::string& cc, const std::vector<std::string>& flags,
                               const std::set<std::string>& names, const std::string& folder);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_LIBRARY_STACK_H_

// The functions that stand where a value does: what may be called when the run says which.
#ifndef LATHE_LOWER_FUNCTIONS_AS_VALUES_H_
#define LATHE_LOWER_FUNCTIONS_AS_VALUES_H_

#include <vector>

#include "generator/ir/module.h"
#include "generator/lower/form.h"

namespace lathe::lower {

// GlobalIds and ExternFuncs, in the order of the program.
std::vector<Form> FunctionsAsValues(const ir::Module& module);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_FUNCTIONS_AS_VALUES_H_

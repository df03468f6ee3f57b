// Checks that a function value matches the callable type expected at its use.
#ifndef LATHE_LOWER_CHECK_FUNCTIONS_H_
#define LATHE_LOWER_CHECK_FUNCTIONS_H_

#include <string>

#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// Checks the functions of the module in `form`. Conditions that are not known at compile time
// become run-time checks, which fail with LATHE_E_SHAPE where the interpreter's comparison fails.
// Boxed values are not checked here: their calls check the arguments.
void CheckFunctions(RoutineBuilder& b, const Form& form, ir::StructInfoRef info,
                    const std::string& name, const Location& loc);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_CHECK_FUNCTIONS_H_

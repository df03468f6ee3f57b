// That a function which is handed over is what its place says: it takes what that says, and gives
// what that says.
#ifndef LATHE_LOWER_CHECK_FUNCTIONS_H_
#define LATHE_LOWER_CHECK_FUNCTIONS_H_

#include <string>

#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// Of the functions of the module in `form`: what is not known here ends the run with LATHE_E_SHAPE
// where the interpreter's comparison of a closure with its place fails. What only the run knows to
// be a function is not looked at: its calls check what they are given.
void CheckFunctions(RoutineBuilder& b, const Form& form, ir::StructInfoRef info,
                    const std::string& name, const Location& loc);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_CHECK_FUNCTIONS_H_

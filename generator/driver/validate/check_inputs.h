// Whether what a user's files hold is what a function takes.
#ifndef LATHE_DRIVER_VALIDATE_CHECK_INPUTS_H_
#define LATHE_DRIVER_VALIDATE_CHECK_INPUTS_H_

#include <vector>

#include "generator/interp/interpreter.h"

namespace lathe::driver {

// What `lathe run` would say of arguments that the function does not take is in `diags`: a mistake
// in a file is no failure that the program has to show too.
void CheckInputs(interp::Interpreter& interpreter, ir::GlobalId function,
                 const std::vector<interp::Value>& args, Diagnostics& diags);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_CHECK_INPUTS_H_

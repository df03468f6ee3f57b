// Checks that the arrays in a user's files match the parameters of a function.
#ifndef LATHE_DRIVER_VALIDATE_CHECK_INPUTS_H_
#define LATHE_DRIVER_VALIDATE_CHECK_INPUTS_H_

#include <vector>

#include "generator/interp/interpreter.h"

namespace lathe::driver {

// Reports the first mismatch in `diags`, as `lathe run` does. Arguments of a PrimFunc are not
// checked. A wrong file is an error of the input: the compiled program is not run with it.
void CheckInputs(interp::Interpreter& interpreter, ir::GlobalId function,
                 const std::vector<interp::Value>& args, Diagnostics& diags);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_CHECK_INPUTS_H_

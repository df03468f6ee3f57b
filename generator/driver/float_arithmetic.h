// Finds floating-point arithmetic in kernels, which a quantized model has where operators have no
// integer form.
#ifndef LATHE_DRIVER_FLOAT_ARITHMETIC_H_
#define LATHE_DRIVER_FLOAT_ARITHMETIC_H_

#include <optional>

#include "generator/ir/program.h"

namespace lathe::driver {

// Returns the widest floating-point type in which the kernel computes. Returns nothing if it
// computes in integers, or moves elements without computing.
std::optional<ir::DType> FloatArithmeticOf(const ir::Kernel& kernel);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_FLOAT_ARITHMETIC_H_

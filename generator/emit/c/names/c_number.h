// Prints numbers as C literals.
#ifndef LATHE_EMIT_C_NAMES_C_NUMBER_H_
#define LATHE_EMIT_C_NAMES_C_NUMBER_H_

#include <cstdint>
#include <string>

#include "generator/ir/dtype.h"

namespace lathe::emit {

// Returns the shortest decimal literal that reads back as the same double, or float if `single`.
// NaN and infinities need <math.h>.
std::string CFloatNumber(double value, bool single);

// Returns the literal of an integer or bool of `dtype`.
std::string CIntegerNumber(ir::DType dtype, int64_t value);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_NAMES_C_NUMBER_H_

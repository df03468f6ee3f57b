// Implements the mathematical intrinsics on floats. They compute in double and round once, so
// results of float32 and smaller types are as accurate as the C library's double functions.
#ifndef LATHE_INTERP_DATA_MATH_FUNCTIONS_H_
#define LATHE_INTERP_DATA_MATH_FUNCTIONS_H_

#include "absl/strings/string_view.h"

namespace lathe::interp {

using UnaryMath = double (*)(double);
using BinaryMath = double (*)(double, double);

// Return the index of the function of that name ("exp", "sqrt"; "pow", "atan2"), or -1. C's names
// for float ("expf") are found too, for external calls.
int FindUnaryMath(absl::string_view name);
int FindBinaryMath(absl::string_view name);

UnaryMath UnaryMathAt(int number);
BinaryMath BinaryMathAt(int number);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_DATA_MATH_FUNCTIONS_H_

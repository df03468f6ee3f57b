// The mathematical intrinsics: float in, float out. They compute in double and round once, so that
// float32 and smaller results are as good as the C library's double functions.
#ifndef LATHE_INTERP_DATA_MATH_FUNCTIONS_H_
#define LATHE_INTERP_DATA_MATH_FUNCTIONS_H_

#include "absl/strings/string_view.h"

namespace lathe::interp {

using UnaryMath = double (*)(double);
using BinaryMath = double (*)(double, double);

// The number of the function of that name ("exp", "sqrt"; "pow", "atan2"), or -1. C's own names
// with the suffix of float ("expf") are found too, for external calls.
int FindUnaryMath(absl::string_view name);
int FindBinaryMath(absl::string_view name);

UnaryMath UnaryMathAt(int number);
BinaryMath BinaryMathAt(int number);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_DATA_MATH_FUNCTIONS_H_

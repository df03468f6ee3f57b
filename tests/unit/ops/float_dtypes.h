// The floats that most sweeps go through.
#ifndef LATHE_TESTS_UNIT_OPS_FLOAT_DTYPES_H_
#define LATHE_TESTS_UNIT_OPS_FLOAT_DTYPES_H_

namespace lathe::ops {

inline constexpr const char* kFloats[] = {"float32", "float64", "float16", "bfloat16"};

}  // namespace lathe::ops

#endif  // LATHE_TESTS_UNIT_OPS_FLOAT_DTYPES_H_

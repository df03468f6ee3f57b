// The dtype to add many elements up in: in float16 a sum of ones stops at 2048, in int8 it wraps.
#ifndef LATHE_OPS_SUM_DTYPE_H_
#define LATHE_OPS_SUM_DTYPE_H_

#include "generator/ir/dtype.h"

namespace lathe::ops {

// For averages and their like, whose result fits the dtype again: float32 for smaller floats, int64
// for smaller integers.
ir::DType SumDType(ir::DType dtype);

}  // namespace lathe::ops

#endif  // LATHE_OPS_SUM_DTYPE_H_

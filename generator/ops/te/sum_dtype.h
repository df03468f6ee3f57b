// Chooses the dtype of accumulators: in float16 a sum of ones stops at 2048, in int8 it wraps.
#ifndef LATHE_OPS_TE_SUM_DTYPE_H_
#define LATHE_OPS_TE_SUM_DTYPE_H_

#include "generator/ir/dtype.h"

namespace lathe::ops {

// For averages and other reductions whose result fits the input dtype: float32 for smaller floats,
// int64 for smaller integers.
ir::DType SumDType(ir::DType dtype);

}  // namespace lathe::ops

#endif  // LATHE_OPS_TE_SUM_DTYPE_H_

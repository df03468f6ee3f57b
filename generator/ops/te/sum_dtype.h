// Chooses the dtype of accumulators: in float16 a sum of ones stops at 2048, in int8 it wraps.
#ifndef LATHE_OPS_TE_SUM_DTYPE_H_
#define LATHE_OPS_TE_SUM_DTYPE_H_

#include "generator/ir/dtype.h"

namespace lathe::ops {

// Returns the dtype in which elements of `dtype` are summed: float32 for floats of fewer than 32
// bits, int64 for integers of fewer than 64 bits, otherwise `dtype`. It suits averages and other
// reductions whose result fits the input dtype.
ir::DType SumDType(ir::DType dtype);

}  // namespace lathe::ops

#endif  // LATHE_OPS_TE_SUM_DTYPE_H_

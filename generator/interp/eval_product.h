// Evaluates float32 convolutions and matrix products by native loops.
//
// The additions of each element have the order of the loop nests of these operators, so the results
// are equal bit for bit. Calibration runs a network on many samples, for which loop nests are too
// slow.
#ifndef LATHE_INTERP_EVAL_PRODUCT_H_
#define LATHE_INTERP_EVAL_PRODUCT_H_

#include "absl/status/statusor.h"
#include "generator/interp/eval_op.h"

namespace lathe::interp {

// Returns the result of R.nn.conv1d, R.nn.conv2d or R.matmul. Returns the null object if the call
// has no native loops: another operator, dtype or layout, or arguments that do not match. The loop
// nest then computes the result or reports the error.
absl::StatusOr<Value> EvalProduct(const OpCall& call);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_EVAL_PRODUCT_H_

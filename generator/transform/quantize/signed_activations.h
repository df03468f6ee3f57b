// Replaces uint8 between R.quantize and R.dequantize by int8, 128 less, in functions with
// convolutions or products of them, for targets whose kernels of these take int8. The numbers that
// they represent stay the same.
//
//   q = R.quantize(x, s, 130, "uint8")             q = R.quantize(x, s, 2, "int8")
//   d = R.dequantize(q, s, 130)              →     d = R.dequantize(q, s, 2)
#ifndef LATHE_TRANSFORM_QUANTIZE_SIGNED_ACTIVATIONS_H_
#define LATHE_TRANSFORM_QUANTIZE_SIGNED_ACTIVATIONS_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// Rewrites the functions of the module. Parameters, results and values that other operators read
// are converted. Operators that move elements are computed on int8. Returns whether anything
// changed; infos are derived again then.
bool MakeActivationsSigned(ir::Context& context, ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_SIGNED_ACTIVATIONS_H_

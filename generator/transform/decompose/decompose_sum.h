// Decomposes sums, and sums of products, of floats under 32 bits: they are summed in float32 and
// rounded once.
#ifndef LATHE_TRANSFORM_DECOMPOSE_DECOMPOSE_SUM_H_
#define LATHE_TRANSFORM_DECOMPOSE_DECOMPOSE_SUM_H_

#include "generator/transform/decompose/decomposition.h"

namespace lathe::transform {

// Decomposes a matrix product or a convolution: its attribute out_dtype becomes float32 and the
// result is cast back. Returns nullopt for sums of other dtypes, as the functions below do.
Decomposition DecomposeProduct(const CompositeCall& c);
Decomposition DecomposeSum(const CompositeCall& c);  // and collapse_sum_to, collapse_sum_like
Decomposition DecomposeEinsum(const CompositeCall& c);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_DECOMPOSE_DECOMPOSE_SUM_H_

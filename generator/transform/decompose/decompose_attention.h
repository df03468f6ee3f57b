// Decomposes attention into matrix products and a softmax: softmax(q * k' * scale + bias) * v for
// each head.
#ifndef LATHE_TRANSFORM_DECOMPOSE_DECOMPOSE_ATTENTION_H_
#define LATHE_TRANSFORM_DECOMPOSE_DECOMPOSE_ATTENTION_H_

#include "generator/transform/decompose/decomposition.h"

namespace lathe::transform {

// Emits the operators for a call of R.nn.attention or R.nn.attention_bias and returns the result.
// Supports causal masks, windows, and heads of k and v that several heads of q share. Returns
// nullopt if q, k or v is not a tensor of four known dimensions and a known dtype, if their numbers
// of heads may not match, or if the call has no scale and the size of a head is not a constant.
Decomposition DecomposeAttention(const CompositeCall& c);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_DECOMPOSE_DECOMPOSE_ATTENTION_H_

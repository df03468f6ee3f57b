// Decomposes activations and functions built from them: softmax, gelu, silu, cross entropy.
#ifndef LATHE_TRANSFORM_DECOMPOSE_DECOMPOSE_ACTIVATION_H_
#define LATHE_TRANSFORM_DECOMPOSE_DECOMPOSE_ACTIVATION_H_

#include "generator/transform/decompose/decomposition.h"

namespace lathe::transform {

Decomposition DecomposeSoftmax(const CompositeCall& c);  // and log_softmax
Decomposition DecomposeGelu(const CompositeCall& c);
Decomposition DecomposeGeluTanh(const CompositeCall& c);
Decomposition DecomposeSilu(const CompositeCall& c);
// Requires a batch of constant size.
Decomposition DecomposeCrossEntropy(const CompositeCall& c);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_DECOMPOSE_DECOMPOSE_ACTIVATION_H_

// Decomposes softmax, log_softmax, gelu, silu, and cross entropy. Each function returns nullopt for
// data of unknown rank or dtype where the result depends on it.
#ifndef LATHE_TRANSFORM_DECOMPOSE_DECOMPOSE_ACTIVATION_H_
#define LATHE_TRANSFORM_DECOMPOSE_DECOMPOSE_ACTIVATION_H_

#include "generator/transform/decompose/decomposition.h"

namespace lathe::transform {

Decomposition DecomposeSoftmax(const CompositeCall& c);  // and log_softmax
Decomposition DecomposeGelu(const CompositeCall& c);
Decomposition DecomposeGeluTanh(const CompositeCall& c);
Decomposition DecomposeSilu(const CompositeCall& c);
// Emits -sum(x * labels) / batch. Returns nullopt unless the shape is known, the batch has a
// constant size, and the labels have the dtype of x.
Decomposition DecomposeCrossEntropy(const CompositeCall& c);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_DECOMPOSE_DECOMPOSE_ACTIVATION_H_

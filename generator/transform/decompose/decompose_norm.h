// Decomposes normalizations: (x - mean) / sqrt(variance + epsilon), times gamma, plus beta.
#ifndef LATHE_TRANSFORM_DECOMPOSE_DECOMPOSE_NORM_H_
#define LATHE_TRANSFORM_DECOMPOSE_DECOMPOSE_NORM_H_

#include "generator/transform/decompose/decomposition.h"

namespace lathe::transform {

Decomposition DecomposeLayerNorm(const CompositeCall& c);  // and rms_norm
Decomposition DecomposeBatchNorm(const CompositeCall& c);
Decomposition DecomposeGroupNorm(const CompositeCall& c);  // and instance_norm

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_DECOMPOSE_DECOMPOSE_NORM_H_

// Decomposes losses whose classes are given by index.
#ifndef LATHE_TRANSFORM_DECOMPOSE_DECOMPOSE_LOSS_H_
#define LATHE_TRANSFORM_DECOMPOSE_DECOMPOSE_LOSS_H_

#include "generator/transform/decompose/decomposition.h"

namespace lathe::transform {

Decomposition DecomposeNllLoss(const CompositeCall& c);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_DECOMPOSE_DECOMPOSE_LOSS_H_

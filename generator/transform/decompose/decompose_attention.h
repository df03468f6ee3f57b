// Decomposes attention: softmax(q * k' * scale + bias) * v for each head.
#ifndef LATHE_TRANSFORM_DECOMPOSE_DECOMPOSE_ATTENTION_H_
#define LATHE_TRANSFORM_DECOMPOSE_DECOMPOSE_ATTENTION_H_

#include "generator/transform/decompose/decomposition.h"

namespace lathe::transform {

Decomposition DecomposeAttention(const CompositeCall& c);  // and attention_bias

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_DECOMPOSE_DECOMPOSE_ATTENTION_H_

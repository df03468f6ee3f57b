// Builds the parts that the attention operators share.
#ifndef LATHE_READER_ONNX_ATTENTION_HEADS_H_
#define LATHE_READER_ONNX_ATTENTION_HEADS_H_

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// Returns (batch, heads, length, size) of a tensor of rank 4, or of rank 3 with a number of heads
// in the attribute `heads`. Reports other tensors.
absl::StatusOr<Operand> WithHeads(NodeCall& n, const Operand& x, const char* heads);

// Repeats each key or value head for the query heads that share it.
Operand ForGroups(NodeCall& n, const Operand& x, PrimRef heads);

// Returns the product of queries and keys in float32, or in double for doubles. Both factors are
// scaled by the root of the scale, as ONNX does: small floats lose less precision.
Operand ScaledScores(NodeCall& n, const Operand& q, const Operand& keys, double scale);

// Returns the attribute `scale`, or 1 / sqrt(head size) without it.
absl::StatusOr<double> AttentionScale(NodeCall& n, const Operand& q);

// Returns the softmax over the last axis, computed in the dtype of `scores`. A row of minus
// infinities, whose keys are all masked, becomes zeros.
Operand MaskedSoftmax(NodeCall& n, const Operand& scores);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_ATTENTION_HEADS_H_

// Emits rotary position embeddings as com.microsoft's operators define them.
#ifndef LATHE_READER_ONNX_ROTATE_HEADS_H_
#define LATHE_READER_ONNX_ROTATE_HEADS_H_

#include <functional>

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// Returns the row of the tables for an element of the heads. `more` are kernel inputs from index 3
// on.
using AnglesOf = std::function<PrimRef(Te&, const Indices&)>;

// Rotates pairs of elements of `heads`, (batch, heads, length, size), by the table row that `place`
// returns. A pair is an element of the first and second half, or two adjacent elements. Elements
// beyond twice the width of the tables stay unchanged.
absl::StatusOr<Operand> RotateHeads(NodeCall& n, const Operand& heads, Operands more,
                                    const Operand& cosines, const Operand& sines, bool interleaved,
                                    const AnglesOf& place);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_ROTATE_HEADS_H_

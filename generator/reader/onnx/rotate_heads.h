// Rotary embeddings as com.microsoft's operators have them.
#ifndef LATHE_READER_ONNX_ROTATE_HEADS_H_
#define LATHE_READER_ONNX_ROTATE_HEADS_H_

#include <functional>

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// The row of the tables for an element of the heads; inputs of the kernel from 3 on are `more`.
using AnglesOf = std::function<PrimRef(Te&, const Indices&)>;

// The first half of the size of each of `heads`, (batch, heads, length, size), turned with the
// second, or each element with its neighbour, by the row of the tables that `place` says.
absl::StatusOr<Operand> RotateHeads(NodeCall& n, const Operand& heads, Operands more,
                                    const Operand& cosines, const Operand& sines, bool interleaved,
                                    const AnglesOf& place);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_ROTATE_HEADS_H_

// Computes with weights that are quantized in blocks of a row, each with a scale of its own.
#ifndef LATHE_READER_TFLITE_OPS_BLOCK_WEIGHTS_H_
#define LATHE_READER_TFLITE_OPS_BLOCK_WEIGHTS_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "generator/reader/tflite/ops/op_call.h"

namespace lathe::tflite {

// Returns true if `tensor`, number `index`, is quantized in blocks, and is the weights or the table
// of an operator that can have blocks.
bool HasBlockWeights(const Operator& op, int32_t index, const Tensor& tensor);

// Returns the float32 product of the rows of `data` with the rows of input 1, with the bias of
// input 2. Each row of the data is quantized with a scale and a zero point, also without the option
// for it, as LiteRT does. Zero points of blocks count as 0 here and in BlockRows, as there.
absl::StatusOr<Results> BlockProduct(OpCall& c, const Operand& data);

// Returns the rows of table input 1 that input 0 names, as float numbers.
absl::StatusOr<Results> BlockRows(OpCall& c);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_OPS_BLOCK_WEIGHTS_H_

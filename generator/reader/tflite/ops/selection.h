// Reads positions from tensors of indices, and takes parts of tensors.
#ifndef LATHE_READER_TFLITE_OPS_SELECTION_H_
#define LATHE_READER_TFLITE_OPS_SELECTION_H_

#include <cstdint>
#include <vector>

#include "generator/reader/tflite/ops/op_call.h"

namespace lathe::tflite {

// Returns the element at `at` of input `input` of a kernel, an integer, as int64.
PrimRef IndexAt(Te& te, int input, Indices at);

// Returns the tensor with the shape `dims` that has the element start + i * stride of each axis of
// `x`. A stride may be negative.
Operand Strided(OpCall& c, const Operand& x, const std::vector<int64_t>& starts,
                const std::vector<int64_t>& strides, const Dims& dims);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_OPS_SELECTION_H_

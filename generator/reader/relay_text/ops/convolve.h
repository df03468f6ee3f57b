// Emits the convolution that nn.conv* and qnn.conv* share.
#ifndef LATHE_READER_RELAY_TEXT_OPS_CONVOLVE_H_
#define LATHE_READER_RELAY_TEXT_OPS_CONVOLVE_H_

#include "generator/reader/relay_text/ops/op_call.h"

namespace lathe::relay {

// Convolves `x` with `w` according to the attributes of the call, summing in `out_dtype`.
absl::StatusOr<Operand> Convolved(OpCall& c, const Operand& x, Operand w, DType out_dtype);

// Multiplies matrices as nn.dense and nn.batch_matmul do.
absl::StatusOr<Operand> DenseProduct(OpCall& c, const Operand& x, const Operand& w,
                                     DType out_dtype);
absl::StatusOr<Operand> BatchProduct(OpCall& c, Operand a, Operand b, DType out_dtype);

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_OPS_CONVOLVE_H_

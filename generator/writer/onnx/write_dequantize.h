// Writes loop nests that dequantize weights as one node.
//
//   for i, j: out[i, j] = float(integers[i, j]) * scales[i / 32, j]
//
//       →   DequantizeLinear(integers, scales, axis=0, block_size=32)
#ifndef LATHE_WRITER_ONNX_WRITE_DEQUANTIZE_H_
#define LATHE_WRITER_ONNX_WRITE_DEQUANTIZE_H_

#include <map>
#include <optional>
#include <string>

#include "generator/nest/nest.h"
#include "generator/writer/onnx/call_writer.h"

namespace lathe::onnx {

// Returns the tensor that `stage` stores, or nothing if it is not such a nest, with scales per
// channel or per block and zero points like them. `tensors` has the tensors of the buffers that it
// loads.
std::optional<std::string> WriteDequantize(CallWriter& w,
                                           const std::map<ir::BufferRef, std::string>& tensors,
                                           const nest::NestStage& stage);

}  // namespace lathe::onnx

#endif  // LATHE_WRITER_ONNX_WRITE_DEQUANTIZE_H_

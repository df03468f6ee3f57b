// Adds or removes the conversions between real and quantized numbers at the inputs and outputs of
// a model.
#ifndef LATHE_READER_TFLITE_CONVERT_IO_H_
#define LATHE_READER_TFLITE_CONVERT_IO_H_

#include "absl/status/status.h"
#include "generator/reader/tflite/format/model.h"
#include "generator/reader/tflite/read_tflite.h"

namespace lathe::tflite {

// kFloat: quantized inputs and outputs of 8 and 16 bits become float32, converted by a QUANTIZE or
// DEQUANTIZE of their own. kInteger: float32 inputs of QUANTIZE and float32 outputs of DEQUANTIZE
// become the quantized tensors; kIntegerInputs and kIntegerOutputs convert one side alone. Fails,
// and names them, if there are others. Also fails if an operator runs one of the converted
// subgraphs. Changes the tensors of the subgraphs, not the signatures: call ExportsOf first.
absl::Status ConvertIo(IoTypes types, Model& model);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_CONVERT_IO_H_

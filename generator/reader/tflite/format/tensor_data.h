// Reads the data of constant tensors.
#ifndef LATHE_READER_TFLITE_FORMAT_TENSOR_DATA_H_
#define LATHE_READER_TFLITE_FORMAT_TENSOR_DATA_H_

#include "absl/status/statusor.h"
#include "generator/ir/module.h"
#include "generator/reader/tflite/format/model.h"

namespace lathe::tflite {

// Returns true if the model has data for the tensor, and the tensor is not a variable.
bool IsConstant(const Model& model, const Tensor& tensor);

// Returns the tensor's elements: sparse ones are filled in, integers of less than 8 bits are
// unpacked. InvalidArgument: the data do not fit the shape. Unimplemented: the type is not
// supported, or DenseData does not support the sparse tensor.
absl::StatusOr<ir::Constant> ReadTensor(const Model& model, const Tensor& tensor);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_FORMAT_TENSOR_DATA_H_

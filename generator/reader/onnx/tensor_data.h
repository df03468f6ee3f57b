// The elements of ONNX's tensors, as Lathe keeps them.
#ifndef LATHE_READER_ONNX_TENSOR_DATA_H_
#define LATHE_READER_ONNX_TENSOR_DATA_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "generator/ir/module.h"
#include "generator/reader/onnx/model.h"

namespace lathe::onnx {

inline constexpr int32_t kFloatType = 1, kInt64Type = 7, kStringType = 8, kBoolType = 9;

// What elements of a published type are kept as: of those of 8 bits and fewer that C has no type
// for, bytes. Nothing for strings, complex numbers and what is none.
std::optional<ir::DType> DTypeOf(int32_t type);
// "float", "string", "complex64", "element type 99"
std::string ElementTypeName(int32_t type);

// The tensor's elements. `folder` is where external data lies; external tensors that would be read
// from anywhere else are refused. InvalidArgument for what is wrong with the tensor, Unimplemented
// for element types that are none here, other codes for trouble with files.
absl::StatusOr<ir::Constant> ReadTensor(const Tensor& tensor, const std::string& folder);

// With zeros where it has no elements.
absl::StatusOr<ir::Constant> ReadSparseTensor(const SparseTensor& sparse,
                                              const std::string& folder);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_TENSOR_DATA_H_

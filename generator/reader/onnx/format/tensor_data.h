// Converts the elements of ONNX tensors to Lathe's dtypes.
#ifndef LATHE_READER_ONNX_FORMAT_TENSOR_DATA_H_
#define LATHE_READER_ONNX_FORMAT_TENSOR_DATA_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "generator/ir/module.h"
#include "generator/reader/onnx/format/model.h"

namespace lathe::onnx {

inline constexpr int32_t kFloatType = 1, kInt64Type = 7, kStringType = 8, kBoolType = 9;

// Returns the dtype that stores an ONNX element type. Types of at most 8 bits without a C type are
// stored as bytes. Returns nothing for strings, complex numbers and unknown types.
std::optional<ir::DType> DTypeOf(int32_t type);
// Names an ONNX element type: "float", "string", "complex64", "element type 99".
std::string ElementTypeName(int32_t type);

// Reads a tensor. `folder` contains the external data; files outside of it are rejected.
// InvalidArgument is a malformed tensor, Unimplemented an unsupported element type, other codes are
// file errors.
absl::StatusOr<ir::Constant> ReadTensor(const Tensor& tensor, const std::string& folder);

// Expands a sparse tensor with zeros. Fails as ReadTensor does, and with ResourceExhausted if it
// becomes larger than the limits of sparse tensors (limits.h).
absl::StatusOr<ir::Constant> ReadSparseTensor(const SparseTensor& sparse,
                                              const std::string& folder);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_FORMAT_TENSOR_DATA_H_

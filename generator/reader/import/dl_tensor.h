// Reads and writes the serialized tensors of TVM: a magic number, the device, the rank, the dtype,
// the shape and the data, all in little-endian byte order.
#ifndef LATHE_READER_IMPORT_DL_TENSOR_H_
#define LATHE_READER_IMPORT_DL_TENSOR_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/ir/module.h"

namespace lathe {

// Returns the tensor that `bytes` holds. On failure, the message of the status is for the user.
absl::StatusOr<ir::Constant> ReadDLTensor(absl::string_view bytes);

// Returns the serialized form of `tensor`, on the CPU.
std::string WriteDLTensor(const ir::Constant& tensor);

}  // namespace lathe

#endif  // LATHE_READER_IMPORT_DL_TENSOR_H_

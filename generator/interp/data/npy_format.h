// Reads and writes tensors as .npy files: numpy's format, versions 1 to 3.
//
// numpy has no bfloat16, no floats of 8 bits or fewer and no integers under a byte. They are
// written with the dtype's own name as 'descr' ('bfloat16', 'float8_e4m3fn', 'int4'), which numpy
// reads when the package ml_dtypes is imported. An element under a byte takes the low bits of a
// byte. numpy itself writes such arrays as raw bytes ('|V1', '<V2'); they can be read only when the
// caller supplies the dtype.
#ifndef LATHE_INTERP_DATA_NPY_FORMAT_H_
#define LATHE_INTERP_DATA_NPY_FORMAT_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/interp/data/tensor.h"

namespace lathe::interp {

// Reads the tensor in `bytes`, which may be malformed. The result is row-major, whatever the order
// in the file. `raw` is the dtype of raw bytes; Void: unknown.
absl::StatusOr<TensorRef> ReadNpy(absl::string_view bytes,
                                  const std::shared_ptr<MemoryBudget>& budget,
                                  ir::DType raw = ir::DType::Void());

// Returns the contents of a .npy file with `tensor`.
std::string WriteNpy(const Tensor& tensor);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_DATA_NPY_FORMAT_H_

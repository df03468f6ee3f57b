// Fills in the zeros of sparse tensors.
#ifndef LATHE_READER_TFLITE_FORMAT_SPARSE_DATA_H_
#define LATHE_READER_TFLITE_FORMAT_SPARSE_DATA_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/reader/tflite/format/model.h"

namespace lathe::tflite {

// Returns all elements of `tensor`, whose stored elements of `size` bytes are `data`. Malformed
// data are InvalidArgument. More than 256 MiB, and elements of less than a byte (`size` is 0), are
// Unimplemented.
absl::StatusOr<std::vector<uint8_t>> DenseData(const Tensor& tensor, absl::string_view data,
                                               int size);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_FORMAT_SPARSE_DATA_H_

// Decompresses constant data of TFLite Micro: indices into tables of values, data without elements
// that are zero, and Huffman codes.
#ifndef LATHE_READER_TFLITE_FORMAT_COMPRESSED_DATA_H_
#define LATHE_READER_TFLITE_FORMAT_COMPRESSED_DATA_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/reader/tflite/format/model.h"

namespace lathe::tflite {

// Decodes the elements of `tensor` from `encoded`. `description` is a header of 16 bytes and a
// table. Both may be malformed.
absl::StatusOr<std::vector<uint8_t>> DecompressedData(const Tensor& tensor,
                                                      absl::string_view encoded,
                                                      absl::string_view description);

// Decodes elements that are indices of `bits` bits into `table`, which has `stride` values for each
// scale of the tensor.
absl::StatusOr<std::vector<uint8_t>> LookedUpData(const Tensor& tensor, absl::string_view indices,
                                                  int bits, absl::string_view table,
                                                  uint64_t stride);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_FORMAT_COMPRESSED_DATA_H_

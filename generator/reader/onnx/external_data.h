// Tensors whose elements lie in another file of the model's folder.
#ifndef LATHE_READER_ONNX_EXTERNAL_DATA_H_
#define LATHE_READER_ONNX_EXTERNAL_DATA_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"

namespace lathe::onnx {

// The `size` bytes that the entries "location", "offset" and "length" say. A location outside of
// `folder`, by its name or by a link, is refused.
absl::StatusOr<std::string> ReadExternalData(const std::map<std::string, std::string>& entries,
                                             const std::string& folder, uint64_t size);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_EXTERNAL_DATA_H_

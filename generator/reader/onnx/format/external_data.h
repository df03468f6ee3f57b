// Reads tensor elements from external files in the model's folder.
#ifndef LATHE_READER_ONNX_FORMAT_EXTERNAL_DATA_H_
#define LATHE_READER_ONNX_FORMAT_EXTERNAL_DATA_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"

namespace lathe::onnx {

// Returns the `size` bytes that the entries "location", "offset" and "length" specify. Fails if the
// length is another one or the file is too short. Rejects a location outside of `folder`, also
// through a link.
absl::StatusOr<std::string> ReadExternalData(const std::map<std::string, std::string>& entries,
                                             const std::string& folder, uint64_t size);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_FORMAT_EXTERNAL_DATA_H_

// Reads elements of tensors from files in the folder of a model.
#ifndef LATHE_READER_IMPORT_DATA_FILE_H_
#define LATHE_READER_IMPORT_DATA_FILE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace lathe {

// Returns the path of the file `location` of `folder`. Rejects a location outside of the folder,
// also through a link. Messages continue "a tensor ...".
absl::StatusOr<std::string> DataFilePath(const std::string& location, const std::string& folder);

// `location` for messages, cut if it is long.
std::string ShownLocation(const std::string& location);

}  // namespace lathe

#endif  // LATHE_READER_IMPORT_DATA_FILE_H_

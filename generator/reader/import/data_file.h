// Locates the files in the folder of a model that hold elements of its tensors.
#ifndef LATHE_READER_IMPORT_DATA_FILE_H_
#define LATHE_READER_IMPORT_DATA_FILE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace lathe {

// Returns the path of the file `location` of `folder`. Rejects a location outside of the folder,
// also through a link, and a file with other hard links. Returns NotFound if there is no such file.
// Messages continue "a tensor ...".
absl::StatusOr<std::string> DataFilePath(const std::string& location, const std::string& folder);

// Returns `location` for messages, escaped, and cut after 100 bytes.
std::string ShownLocation(const std::string& location);

}  // namespace lathe

#endif  // LATHE_READER_IMPORT_DATA_FILE_H_

// Recognizes the format of a file before it is read, for options that belong to one format.
#ifndef LATHE_DRIVER_OPTIONS_FILE_FORMAT_H_
#define LATHE_DRIVER_OPTIONS_FILE_FORMAT_H_

#include <string>

#include "absl/strings/string_view.h"

namespace lathe::driver {

// Returns true for paths that end in .onnx.
bool IsOnnx(absl::string_view path);

// Returns true for paths that end in .tflite, and for regular files that begin with the identifier
// of TFLite models.
bool IsTfliteFile(const std::string& path);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_OPTIONS_FILE_FORMAT_H_

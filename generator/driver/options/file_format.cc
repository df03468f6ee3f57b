#include "generator/driver/options/file_format.h"

#include <filesystem>
#include <fstream>
#include <system_error>

#include "absl/strings/match.h"
#include "generator/reader/tflite/format/decode_model.h"

namespace lathe::driver {

bool IsOnnx(absl::string_view path) { return absl::EndsWithIgnoreCase(path, ".onnx"); }

bool IsTfliteFile(const std::string& path) {
  if (absl::EndsWithIgnoreCase(path, ".tflite")) return true;
  // What is read from a pipe is gone.
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return false;
  std::string start(8, '\0');  // an offset and the identifier
  std::ifstream file(path, std::ios::binary);
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  return file.gcount() == 8 && tflite::HasModelIdentifier(start);
}

}  // namespace lathe::driver

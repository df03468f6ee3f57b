#include "generator/driver/options/file_format.h"

#include <fstream>

#include "absl/strings/match.h"
#include "generator/reader/tflite/format/decode_model.h"

namespace lathe::driver {

bool IsOnnx(absl::string_view path) { return absl::EndsWithIgnoreCase(path, ".onnx"); }

bool IsTfliteFile(const std::string& path) {
  if (absl::EndsWithIgnoreCase(path, ".tflite")) return true;
  std::string start(8, '\0');  // an offset and the identifier
  std::ifstream file(path, std::ios::binary);
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  return file.gcount() == 8 && tflite::HasModelIdentifier(start);
}

}  // namespace lathe::driver

#include "generator/driver/outputs_option.h"

#include "absl/strings/match.h"

namespace lathe::driver {

bool IsOnnx(absl::string_view path) { return absl::EndsWithIgnoreCase(path, ".onnx"); }

absl::StatusOr<std::vector<std::string>> ReadOutputsOption(const Arguments& args) {
  std::vector<std::string> outputs;
  for (absl::string_view name : args.Values("--outputs")) outputs.emplace_back(name);
  if (!outputs.empty() && !IsOnnx(args.operands[0])) {
    return absl::InvalidArgumentError("option '--outputs' is for ONNX models");
  }
  return outputs;
}

}  // namespace lathe::driver

#include "generator/driver/options/model_options.h"

#include "absl/strings/match.h"
#include "generator/driver/options/stream_option.h"
#include "generator/reader/onnx/data_set.h"
#include "generator/reader/onnx/format/decode_model.h"
#include "generator/support/status.h"

namespace lathe::driver {

absl::StatusOr<std::vector<std::string>> ReadOutputsOption(const Arguments& args) {
  std::vector<std::string> outputs;
  for (absl::string_view name : args.Values("--outputs")) outputs.emplace_back(name);
  if (!outputs.empty() && !IsOnnx(args.operands[0])) {
    return absl::InvalidArgumentError("option '--outputs' needs an ONNX model");
  }
  return outputs;
}

namespace {

absl::StatusOr<tflite::IoTypes> ReadIoOption(const Arguments& args) {
  if (!args.Has("--io")) return tflite::IoTypes::kAsRead;
  const absl::string_view io = args.Value("--io");
  if (io == "float" && !IsTfliteFile(args.operands[0])) {
    return absl::InvalidArgumentError("option '--io float' needs a TFLite model");
  }
  if (io == "int8-inputs") return tflite::IoTypes::kIntegerInputs;
  if (io == "int8-outputs") return tflite::IoTypes::kIntegerOutputs;
  return io == "float" ? tflite::IoTypes::kFloat : tflite::IoTypes::kInteger;
}

}  // namespace

absl::StatusOr<ReadOptions> ReadModelOptions(const Arguments& args, Numerics numerics) {
  ReadOptions read;
  LATHE_ASSIGN_OR_RETURN(read.outputs, ReadOutputsOption(args));
  LATHE_ASSIGN_OR_RETURN(read.io_types, ReadIoOption(args));
  for (absl::string_view name : args.Values("--tap")) read.taps.emplace_back(name);
  LATHE_RETURN_IF_ERROR(ReadStreamOptions(args, read));
  read.as_defined = numerics == Numerics::kOnnx;
  return read;
}

absl::Status ReadLikeOption(const Arguments& args, const SourceFile& file, ReadOptions& read) {
  const std::string folder(args.Value("--like"));
  if (folder.empty()) return absl::OkStatus();
  if (!IsOnnx(args.operands[0])) {
    return absl::InvalidArgumentError("option '--like' needs an ONNX model");
  }
  // The reader reports errors of the model.
  if (!onnx::DecodeModel(file.text()).ok()) return absl::OkStatus();
  LATHE_ASSIGN_OR_RETURN(const std::vector<std::string> sets, onnx::DataSetFolders(folder));
  LATHE_ASSIGN_OR_RETURN(
      onnx::DataSet set,
      onnx::ReadDataSet(sets[0], file, std::make_shared<interp::MemoryBudget>(), read.outputs));
  read.shapes = std::move(set.shapes);
  return absl::OkStatus();
}

}  // namespace lathe::driver

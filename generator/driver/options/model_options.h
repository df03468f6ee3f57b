// Reads the options of readers. For ONNX models: --outputs, which cuts the graph, and --like, a
// data set that determines symbolic sizes. For TFLite models: --io, the types of inputs and
// outputs. For all: --tap, --stream.
#ifndef LATHE_DRIVER_OPTIONS_MODEL_OPTIONS_H_
#define LATHE_DRIVER_OPTIONS_MODEL_OPTIONS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/options/file_format.h"
#include "generator/driver/options/numerics.h"
#include "generator/driver/options/verb.h"
#include "generator/reader/read_options.h"
#include "generator/support/source.h"

namespace lathe::driver {

inline constexpr Option kOutputsOption = {
    "--outputs", 0, "NAME", "compute this value of an ONNX model, and cut the graph there"};

inline constexpr Option kLikeOption = {
    "--like", 0, "DIR", "test data of an ONNX model with lengths of sequences and loops"};

inline constexpr Option kIoOption = {
    "--io", 0, "float|int8|int8-inputs|int8-outputs",
    "remove the conversions at the inputs and outputs of main; float adds them, to a TFLite model"};

inline constexpr Option kTapOption = {"--tap", 0, "NAME",
                                      "also return this value of main; repeatable"};

// Returns the values of --outputs in their order. Fails if the operand is not an ONNX model.
absl::StatusOr<std::vector<std::string>> ReadOutputsOption(const Arguments& args);

// Returns the options of the readers for --outputs, --io, --tap, --stream and `numerics`. Fails if
// an option is for models of another format.
absl::StatusOr<ReadOptions> ReadModelOptions(const Arguments& args, Numerics numerics);

// Adds the input shapes of the data set in the folder of --like, if given, to `read`, for the model
// in `file`.
absl::Status ReadLikeOption(const Arguments& args, const SourceFile& file, ReadOptions& read);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_OPTIONS_MODEL_OPTIONS_H_

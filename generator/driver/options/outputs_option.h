// What is said of an ONNX model when it is read: --outputs, where its graph is cut, and --like, a
// data set that says what it leaves open.
#ifndef LATHE_DRIVER_OPTIONS_OUTPUTS_OPTION_H_
#define LATHE_DRIVER_OPTIONS_OUTPUTS_OPTION_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/options/numerics.h"
#include "generator/driver/options/verb.h"
#include "generator/reader/onnx/read_onnx.h"
#include "generator/support/source.h"

namespace lathe::driver {

inline constexpr Option kOutputsOption = {
    "--outputs", 0, "NAME", "the values of an ONNX model that are wanted: it is cut there"};

inline constexpr Option kLikeOption = {
    "--like", 0, "DIR", "test data of an ONNX model: how long sequences are, and loops"};

// Whether it is read as an ONNX model.
bool IsOnnx(absl::string_view path);

// The values that are wanted, in the order of the options; none without them. Fails when the verb's
// operand is no ONNX model.
absl::StatusOr<std::vector<std::string>> ReadOutputsOption(const Arguments& args);

// How a verb with --outputs and --numerics reads a model.
absl::StatusOr<onnx::ReadOptions> ReadModelOptions(const Arguments& args, Numerics numerics);

// What `read` leaves open of the inputs, as in the folder of --like, where that is given; for the
// model in `file`.
absl::Status ReadLikeOption(const Arguments& args, const SourceFile& file, onnx::ReadOptions& read);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_OPTIONS_OUTPUTS_OPTION_H_

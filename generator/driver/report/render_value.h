// Converts results of `lathe run` to JSON and to arrays.
#ifndef LATHE_DRIVER_REPORT_RENDER_VALUE_H_
#define LATHE_DRIVER_REPORT_RENDER_VALUE_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/interp/values.h"
#include "nlohmann/json_fwd.hpp"

namespace lathe::driver {

// Returns {"kind": "tensor", "dtype": "float32", "shape": [2], "data": [1.0, "inf"]}. Numbers that
// JSON cannot express are strings.
nlohmann::ordered_json ValueToJson(const interp::Value& value);

// Returns the arrays in `value` with the names "result", "result.0", "result.1.0". Scalars are
// arrays without dimensions, shapes are arrays of int64. Fails for other values, such as strings
// and functions.
absl::StatusOr<std::vector<std::pair<std::string, interp::TensorRef>>> ValueToArrays(
    const interp::Value& value, const std::shared_ptr<interp::MemoryBudget>& budget);

// Returns the arrays in `values`, results of the steps of a sequence, with an axis of the steps in
// front. Fails if the structures, dtypes or shapes of the results differ.
absl::StatusOr<std::vector<std::pair<std::string, interp::TensorRef>>> StepsToArrays(
    const std::vector<interp::Value>& values, const std::shared_ptr<interp::MemoryBudget>& budget);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_REPORT_RENDER_VALUE_H_

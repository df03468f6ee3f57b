// Results of `lathe run`: as JSON, and as arrays for a file.
#ifndef LATHE_DRIVER_REPORT_RENDER_VALUE_H_
#define LATHE_DRIVER_REPORT_RENDER_VALUE_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/interp/values.h"
#include "nlohmann/json_fwd.hpp"

namespace lathe::driver {

// {"kind": "tensor", "dtype": "float32", "shape": [2], "data": [1.0, "inf"]}. Numbers that JSON has
// no spelling for are strings.
nlohmann::ordered_json ValueToJson(const interp::Value& value);

// The arrays in `value` under the names "result", "result.0", "result.1.0". Scalars are arrays
// without dimensions, shapes arrays of int64. Fails for what is no array: strings, functions.
absl::StatusOr<std::vector<std::pair<std::string, interp::TensorRef>>> ValueToArrays(
    const interp::Value& value, const std::shared_ptr<interp::MemoryBudget>& budget);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_REPORT_RENDER_VALUE_H_

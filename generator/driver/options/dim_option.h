// Reads sizes from the command line: `-D n=4`, `-D n=1..32`.
#ifndef LATHE_DRIVER_OPTIONS_DIM_OPTION_H_
#define LATHE_DRIVER_OPTIONS_DIM_OPTION_H_

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/driver/options/verb.h"

namespace lathe::driver {

// An inclusive range of sizes of a shape variable.
struct DimRange {
  int64_t low = 0;
  int64_t high = 0;
  bool is_single() const { return low == high; }
  int64_t NearestTo(int64_t size) const { return std::clamp(size, low, high); }
};

// Reads every -D. Fails for a value that is not NAME=N or NAME=LOW..HIGH with 0 <= LOW <= HIGH, and
// for a repeated name.
absl::StatusOr<std::map<std::string, DimRange>> ReadDimOptions(const Arguments& args);

// Reads every -D as a single value, which may be negative. Error messages begin with `purpose` ("to
// run").
absl::StatusOr<std::map<std::string, int64_t>> ReadValueOptions(const Arguments& args,
                                                                absl::string_view purpose);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_OPTIONS_DIM_OPTION_H_

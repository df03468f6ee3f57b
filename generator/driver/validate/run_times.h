// Parses the run times that a compiled program prints, and renders them for `lathe bench`.
#ifndef LATHE_DRIVER_VALIDATE_RUN_TIMES_H_
#define LATHE_DRIVER_VALIDATE_RUN_TIMES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace lathe::driver {

struct RunTimes {
  std::string device;        // name of the device
  bool captured = false;     // the runs are launches of a CUDA graph
  size_t workspace = 0;      // in bytes
  std::vector<double> each;  // in microseconds, in order
};

// Parses the output of templates/validate/cuda_main.cpp.tmpl: a line each for the device, the bytes
// of the workspace and whether runs were captured, then the milliseconds of each run.
absl::StatusOr<RunTimes> ReadRunTimes(absl::string_view printed);

// Returns the smallest time that at least `percent` of the runs, and at least one, did not exceed.
double Percentile(const RunTimes& times, int percent);

// Render the times as text and as a JSON object.
std::string RenderRunTimes(const RunTimes& times, const std::string& function);
std::string RenderRunTimesAsJson(const RunTimes& times, const std::string& function);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_RUN_TIMES_H_

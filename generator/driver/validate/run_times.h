// How long the runs of a compiled program took, as it says itself and as `lathe bench` says it.
#ifndef LATHE_DRIVER_VALIDATE_RUN_TIMES_H_
#define LATHE_DRIVER_VALIDATE_RUN_TIMES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace lathe::driver {

struct RunTimes {
  std::string device;        // what it ran on
  bool captured = false;     // the runs are launches of a CUDA graph
  size_t workspace = 0;      // in bytes
  std::vector<double> each;  // in microseconds, as they came
};

// Of what templates/validate/cuda_main.cpp.tmpl prints when it takes the time: a line each for the
// device, the bytes of the workspace and whether runs were captured, then the milliseconds of each
// run. Fails where that is not so.
absl::StatusOr<RunTimes> ReadRunTimes(absl::string_view printed);

// The time that so many of a hundred runs took no longer than, of one at least.
double Percentile(const RunTimes& times, int percent);

// For people, and as a JSON object.
std::string RenderRunTimes(const RunTimes& times, const std::string& function);
std::string RenderRunTimesAsJson(const RunTimes& times, const std::string& function);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_RUN_TIMES_H_

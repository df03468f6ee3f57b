// Reads the calibration samples of --data for a Relax function.
//
// A file is an .npz archive with one array for each parameter, or, for a function of one parameter,
// an .npy file. The first axis counts the samples. A folder contains such files, read in the order
// of their names. `random:seed=1,samples=8` generates samples, for trials.
#ifndef LATHE_DRIVER_CALIBRATION_DATA_H_
#define LATHE_DRIVER_CALIBRATION_DATA_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/ir/module.h"
#include "generator/transform/post_training/sample_runner.h"

namespace lathe::driver {

struct CalibrationData {
  std::vector<transform::Sample> samples;
  std::vector<int64_t> labels;  // the array of that name, if there is one
};

// The maximum number of samples.
inline constexpr int64_t kMaxSamples = 1'000'000;

// The name of the array with the class of each sample.
inline constexpr char kLabelsArray[] = "labels";

// Reads the samples for a function. Fails with a message for the user.
absl::StatusOr<CalibrationData> ReadCalibrationData(const std::string& source,
                                                    const ir::Module& module,
                                                    ir::GlobalId function);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CALIBRATION_DATA_H_

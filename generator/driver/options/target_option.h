// Reads -t, a row of the table of targets or of GPUs.
#ifndef LATHE_DRIVER_OPTIONS_TARGET_OPTION_H_
#define LATHE_DRIVER_OPTIONS_TARGET_OPTION_H_

#include <optional>

#include "absl/status/statusor.h"
#include "generator/driver/options/verb.h"
#include "generator/target/gpu.h"
#include "generator/target/target.h"

namespace lathe::driver {

struct ChosenTarget {
  const Target* target = nullptr;
  std::optional<GpuChoice> gpus;  // for CUDA
};

// Returns the target of the option, or the one named `otherwise`. Fails for an unknown name.
absl::StatusOr<ChosenTarget> ReadTargetOption(const Arguments& args, absl::string_view otherwise);

// Fails for the first given option that GPUs do not support.
absl::Status CheckOptionsForGpus(const Arguments& args);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_OPTIONS_TARGET_OPTION_H_

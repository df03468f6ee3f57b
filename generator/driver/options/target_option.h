// -t: what code is made for, a row of the table of targets or GPUs.
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

// The target that the option names, or the one called `otherwise`. Fails when there is none.
absl::StatusOr<ChosenTarget> ReadTargetOption(const Arguments& args, absl::string_view otherwise);

// Fails with the first option that was given although it is for C alone.
absl::Status CheckOptionsForGpus(const Arguments& args);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_OPTIONS_TARGET_OPTION_H_

// Reads --hooks, --step and --step-macs, which separate the steps of a run.
#ifndef LATHE_DRIVER_OPTIONS_STEP_OPTION_H_
#define LATHE_DRIVER_OPTIONS_STEP_OPTION_H_

#include "absl/status/statusor.h"
#include "generator/driver/options/verb.h"
#include "generator/emit/text/emitted_model.h"

namespace lathe::driver {

inline constexpr Option kStepOption = {
    "--step", 0, "", "add NAME_step, which runs one layer and returns LATHE_MORE until the last"};
inline constexpr Option kStepMacsOption = {
    "--step-macs", 0, "N",
    "the same with as many layers as have at most N thousand multiply-accumulates"};
inline constexpr Option kHooksOption = {
    "--hooks", 0, "", "call the macro LATHE_ON_STEP around each step; --step does, too"};

// Returns the values of the options. Fails for a malformed number.
absl::StatusOr<emit::StepOptions> ReadStepOptions(const Arguments& args);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_OPTIONS_STEP_OPTION_H_

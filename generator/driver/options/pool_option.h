// --pool NAME:SIZE: memories that a model's scratch data are planned into.
#ifndef LATHE_DRIVER_OPTIONS_POOL_OPTION_H_
#define LATHE_DRIVER_OPTIONS_POOL_OPTION_H_

#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/options/verb.h"
#include "generator/plan/plan.h"

namespace lathe::driver {

inline constexpr Option kPoolOption = {
    "--pool", 0, "NAME:SIZE",
    "plan into this memory; more than one may be given, the fastest first (one arena)"};

// What the command line gives, those that are `slow` behind the others. Fails with what is wrong.
absl::StatusOr<std::vector<plan::Pool>> ReadPoolOptions(const Arguments& args);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_OPTIONS_POOL_OPTION_H_

// Reads --pool NAME:SIZE, a memory for scratch data of a model.
#ifndef LATHE_DRIVER_OPTIONS_POOL_OPTION_H_
#define LATHE_DRIVER_OPTIONS_POOL_OPTION_H_

#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/options/verb.h"
#include "generator/plan/plan.h"

namespace lathe::driver {

inline constexpr Option kPoolOption = {
    "--pool", 0, "NAME:SIZE", "plan into this memory; repeatable, the fastest first (one arena)"};

// Returns the pools, with names in lower case, those marked `slow` last. Fails for malformed or
// repeated pools.
absl::StatusOr<std::vector<plan::Pool>> ReadPoolOptions(const Arguments& args);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_OPTIONS_POOL_OPTION_H_

// -t: what code is made for.
#ifndef LATHE_DRIVER_TARGET_OPTION_H_
#define LATHE_DRIVER_TARGET_OPTION_H_

#include "absl/status/statusor.h"
#include "generator/driver/verb.h"
#include "generator/target/target.h"

namespace lathe::driver {

// The target that the option names, or the one called `otherwise`. Fails when there is none.
absl::StatusOr<const Target*> ReadTargetOption(const Arguments& args, absl::string_view otherwise);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_TARGET_OPTION_H_

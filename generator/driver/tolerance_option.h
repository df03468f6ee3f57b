// --rtol and --atol: how far a float may be off.
#ifndef LATHE_DRIVER_TOLERANCE_OPTION_H_
#define LATHE_DRIVER_TOLERANCE_OPTION_H_

#include "absl/status/statusor.h"
#include "generator/driver/compare_parts.h"
#include "generator/driver/verb.h"

namespace lathe::driver {

// What was not given depends on what is compared: code that adds up in an order of its own, or
// `sums_wide`, small floats as float32; or, where there is test data, with what somebody else
// computed.
absl::StatusOr<Tolerance> ReadTolerance(const Arguments& args, bool own_order, bool sums_wide,
                                        bool has_test_data);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_TOLERANCE_OPTION_H_

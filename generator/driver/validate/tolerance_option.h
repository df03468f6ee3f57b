// --rtol and --atol: how far a float may be off.
#ifndef LATHE_DRIVER_VALIDATE_TOLERANCE_OPTION_H_
#define LATHE_DRIVER_VALIDATE_TOLERANCE_OPTION_H_

#include "absl/status/statusor.h"
#include "generator/driver/options/verb.h"
#include "generator/driver/validate/compare_parts.h"

namespace lathe::driver {

// What code for a target may do otherwise than the program says.
struct Liberties {
  bool own_order = false;  // it adds up in an order of its own
  bool wide_sums = false;  // and small floats as float32
  bool tf32 = false;       // it rounds factors of float32 to 11 bits
};

// What was not given depends on what is compared: code of such liberties; or, where there is test
// data, with what somebody else computed.
absl::StatusOr<Tolerance> ReadTolerance(const Arguments& args, const Liberties& liberties,
                                        bool has_test_data);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_TOLERANCE_OPTION_H_

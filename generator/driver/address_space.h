// Whether what a program needs has addresses on its target.
#ifndef LATHE_DRIVER_ADDRESS_SPACE_H_
#define LATHE_DRIVER_ADDRESS_SPACE_H_

#include "absl/status/status.h"
#include "generator/ir/program.h"
#include "generator/plan/plan.h"
#include "generator/target/target.h"

namespace lathe::driver {

// Before memory is planned, whose numbers of bytes they have to be. ResourceExhausted, with the
// tensor.
absl::Status CheckTensorSizes(const ir::Program& program, const Target& target);

// The same of what is planned.
absl::Status CheckArenaSize(const plan::Plan& plan, const Target& target);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_ADDRESS_SPACE_H_

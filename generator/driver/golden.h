// A self-test for a bundle: made-up inputs, and what the interpreter makes of them.
#ifndef LATHE_DRIVER_GOLDEN_H_
#define LATHE_DRIVER_GOLDEN_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "generator/driver/make_model.h"
#include "generator/support/diagnostics.h"

namespace lathe::driver {

// NAME_selftest.c, for the function main, or the first that the module exports. Shape variables
// that were not bound are made up with the inputs. Fails where it has to be given functions from
// outside; what goes wrong as it runs is in `diags`.
absl::StatusOr<emit::OutputFile> GoldenFile(MadeModel& made, uint64_t seed, Diagnostics& diags);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_GOLDEN_H_

// Collects the arguments of `lathe run` from files and the random generator.
#ifndef LATHE_DRIVER_VALIDATE_RUN_INPUTS_H_
#define LATHE_DRIVER_VALIDATE_RUN_INPUTS_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/run_options.h"
#include "generator/interp/interpreter.h"

namespace lathe::driver {

// Returns one value for each parameter of `function`. The fields of a tuple x are named x.0, x.1,
// ...
//
// Shape variables are bound by tensors in files, then by -D, then, with --random, to random sizes
// from 2 to 9, which are returned in `random_sizes`, if given. Fails with a message for the user if
// a name is unknown, an input is missing (the message lists all parameters), or a file cannot be
// read.
absl::StatusOr<std::vector<interp::Value>> CollectInputs(
    interp::Interpreter& interpreter, ir::GlobalId function, const RunOptions& options,
    std::map<std::string, int64_t>* random_sizes = nullptr);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_RUN_INPUTS_H_

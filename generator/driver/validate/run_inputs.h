// The arguments of `lathe run`: from files, made up, or missing.
#ifndef LATHE_DRIVER_VALIDATE_RUN_INPUTS_H_
#define LATHE_DRIVER_VALIDATE_RUN_INPUTS_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/run_options.h"
#include "generator/interp/interpreter.h"

namespace lathe::driver {

// One for each parameter of `function`. The fields of a tuple called x are x.0, x.1, ...
//
// Shape variables get their values from the tensors in files, then from -D, then, with --random,
// they are made up: 2 to 9. Fails with what the user should mend: a name that is none, an input
// that is missing (the message lists all parameters), a file that cannot be read. The sizes that
// were made up are added to `made_up`, if given.
absl::StatusOr<std::vector<interp::Value>> CollectInputs(
    interp::Interpreter& interpreter, ir::GlobalId function, const RunOptions& options,
    std::map<std::string, int64_t>* made_up = nullptr);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_RUN_INPUTS_H_

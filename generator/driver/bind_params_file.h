// Binds the parameters of a program to the arrays of the file of --params.
#ifndef LATHE_DRIVER_BIND_PARAMS_FILE_H_
#define LATHE_DRIVER_BIND_PARAMS_FILE_H_

#include "absl/status/status.h"
#include "generator/driver/options/params_option.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::driver {

// Replaces each parameter of an exported function that has the name of an array by that constant.
// Fails for an array that no function has as parameter, or of another shape or dtype; errors of the
// program with these constants are in `diags`.
absl::Status BindParamsFile(ir::Context& context, const ParamsFile& file, ir::Module& module,
                            Diagnostics& diags);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_BIND_PARAMS_FILE_H_

// Lowers a Module to a Program: calls become steps with kernels, values become tensors.
#ifndef LATHE_LOWER_LOWER_H_
#define LATHE_LOWER_LOWER_H_

#include "absl/status/statusor.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/ir/program.h"
#include "generator/support/diagnostics.h"

namespace lathe::lower {

// Lowers the exported Relax functions of the checked `module` and the functions that they call.
// Reports everything that cannot be lowered as unsupported, then fails.
absl::StatusOr<ir::Program> Lower(ir::Context& context, const ir::Module& module,
                                  Diagnostics& diags);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_LOWER_H_

// Module to Program: every call becomes a kernel, every value a tensor.
#ifndef LATHE_LOWER_LOWER_H_
#define LATHE_LOWER_LOWER_H_

#include "absl/status/statusor.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/ir/program.h"
#include "generator/support/diagnostics.h"

namespace lathe::lower {

// Lowers the exported Relax functions of `module`, which has been checked. What cannot be lowered
// is reported as unsupported, all of it, and fails.
absl::StatusOr<ir::Program> Lower(ir::Context& context, const ir::Module& module,
                                  Diagnostics& diags);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_LOWER_H_

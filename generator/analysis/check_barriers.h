// Checks uses of mbarriers in shared memory that are invalid on every run.
#ifndef LATHE_ANALYSIS_CHECK_BARRIERS_H_
#define LATHE_ANALYSIS_CHECK_BARRIERS_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::analysis {

// Reports barrier numbers that were never created, invalid arrival counts, and barriers in buffers
// that are too small or not in shared memory. Errors that depend on run-time values are found by
// the interpreter (interp/kernel/mbarrier_steps).
void CheckBarriers(ir::Context& context, const ir::Module& module, Diagnostics& diags);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_CHECK_BARRIERS_H_

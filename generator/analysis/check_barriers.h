// Barriers in shared memory, as far as the text of a program says what becomes of them.
#ifndef LATHE_ANALYSIS_CHECK_BARRIERS_H_
#define LATHE_ANALYSIS_CHECK_BARRIERS_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::analysis {

// Numbers of barriers that nothing created, counts that none has, and barriers in memory where none
// can be. What only a run knows is found there (interp/kernel/mbarrier_steps).
void CheckBarriers(ir::Context& context, const ir::Module& module, Diagnostics& diags);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_CHECK_BARRIERS_H_

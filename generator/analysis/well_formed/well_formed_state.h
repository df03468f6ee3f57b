// Checks the attribute "state" of functions (ir/state.h).
#ifndef LATHE_ANALYSIS_WELL_FORMED_WELL_FORMED_STATE_H_
#define LATHE_ANALYSIS_WELL_FORMED_WELL_FORMED_STATE_H_

#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::analysis {

// Reports each function with the attribute that is private, whose attribute is not a list of bytes,
// whose last parameters or results are not tensors of equal static types, or which differs from
// another exported function with a state: all functions of a module share one state. Needs the
// infos of derive_struct_info.
void CheckState(const ir::Module& module, Diagnostics& diags);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_WELL_FORMED_WELL_FORMED_STATE_H_

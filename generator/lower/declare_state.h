// Declares the variables that functions with the attribute "state" keep between runs (ir/state.h).
#ifndef LATHE_LOWER_DECLARE_STATE_H_
#define LATHE_LOWER_DECLARE_STATE_H_

#include "generator/ir/module.h"
#include "generator/ir/program.h"
#include "generator/lower/param_effects.h"
#include "generator/support/diagnostics.h"

namespace lathe::lower {

// Sets Program::state and Routine::state. Reports functions whose state cannot be kept: those that
// other functions or they themselves call, since callers pass the variables, those that write into
// a variable before the end of a run, and those with a variable that is not a tensor of constant
// sizes. Returns false after a report.
bool DeclareState(const ir::Module& module, const FunctionEffects& effects, ir::Program& program,
                  Diagnostics& diags);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_DECLARE_STATE_H_

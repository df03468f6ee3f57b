// What is known of every value of a module before it runs: the specification's derivation rules.
#ifndef LATHE_ANALYSIS_DERIVE_DERIVE_STRUCT_INFO_H_
#define LATHE_ANALYSIS_DERIVE_DERIVE_STRUCT_INFO_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::analysis {

// Fills the info of every value and function of `module`, checks annotations, calls, results and
// purity on the way, and says what is wrong in `diags`. After an error the value it concerns has
// its annotation, or ObjectInfo, and what only follows from it is not reported.
//
// Takes time linear in the size of the module, but for the arithmetic of its shapes. May be run
// again after the module has changed.
void DeriveStructInfo(ir::Context& context, ir::Module& module, Diagnostics& diags);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_DERIVE_DERIVE_STRUCT_INFO_H_

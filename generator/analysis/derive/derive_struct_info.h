// Derives the structural information of all values of a module by the specification's derivation
// rules.
#ifndef LATHE_ANALYSIS_DERIVE_DERIVE_STRUCT_INFO_H_
#define LATHE_ANALYSIS_DERIVE_DERIVE_STRUCT_INFO_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::analysis {

// Sets the info of every value and function of `module`, checks annotations, calls, results and
// purity, and reports errors to `diags`. After an error the value has its annotation or ObjectInfo,
// and consequential errors are suppressed.
//
// Linear in the size of the module, except for the arithmetic of its shapes. May be run again after
// the module has changed.
void DeriveStructInfo(ir::Context& context, ir::Module& module, Diagnostics& diags);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_DERIVE_DERIVE_STRUCT_INFO_H_

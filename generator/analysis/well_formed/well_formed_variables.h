// Where Relax variables may be used: well-formedness rules 1, 2, 3 and 11.
#ifndef LATHE_ANALYSIS_WELL_FORMED_WELL_FORMED_VARIABLES_H_
#define LATHE_ANALYSIS_WELL_FORMED_WELL_FORMED_VARIABLES_H_

#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::analysis {

// Readers of text report these where names are looked up, with the same codes; this finds them in a
// module however it was made.
void CheckVariables(const ir::Module& module, Diagnostics& diags);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_WELL_FORMED_WELL_FORMED_VARIABLES_H_

// Derives the infos of leaf expressions: derivation rules 2 to 8 and 13.
#ifndef LATHE_ANALYSIS_DERIVE_DERIVE_OPERAND_H_
#define LATHE_ANALYSIS_DERIVE_DERIVE_OPERAND_H_

#include "generator/analysis/derive/derivation.h"

namespace lathe::analysis {

// Returns the info of an operand. A scalar's info includes its value. Rule 4 specifies the dtype
// alone, but other rules expect the value; including it accepts strictly more programs, such as
// calls of functions that take R.Prim(value="n").
Derived DeriveOperand(Derivation& d, const ir::Operand& operand);

// Returns the info of an operand that needs no scope: a constant, a shape, a scalar or an external
// function. Returns ObjectInfo for others.
ir::StructInfoRef DeriveLeaf(ir::Context& context, const ir::Module& module,
                             const ir::Operand& operand);

// Returns the declared info of the function, else that of rule 13.
ir::StructInfoRef DeriveExternFunc(ir::Context& context, const ir::ExternFunc& f);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_DERIVE_DERIVE_OPERAND_H_

// The infos of leaf expressions: derivation rules 2 to 8 and 13.
#ifndef LATHE_ANALYSIS_DERIVE_DERIVE_OPERAND_H_
#define LATHE_ANALYSIS_DERIVE_DERIVE_OPERAND_H_

#include "generator/analysis/derive/derivation.h"

namespace lathe::analysis {

// A scalar's info holds its value. Rule 4 gives it the dtype alone, but says of the value's info
// elsewhere that it is one; knowing the value accepts strictly more programs, among them calls of
// functions that take R.Prim(value="n").
Derived DeriveOperand(Derivation& d, const ir::Operand& operand);

// The rules that need no context: constants and literals. What needs some is an object.
ir::StructInfoRef DeriveLeaf(ir::Context& context, const ir::Module& module,
                             const ir::Operand& operand);

// Rule 13, or what the program says of the function.
ir::StructInfoRef DeriveExternFunc(ir::Context& context, const ir::ExternFunc& f);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_DERIVE_DERIVE_OPERAND_H_

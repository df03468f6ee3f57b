// Formats leaf operands for messages: x, (x, y), R.shape([n, 4]), "abc", a constant by its shape.
#ifndef LATHE_ANALYSIS_SHOW_OPERAND_H_
#define LATHE_ANALYSIS_SHOW_OPERAND_H_

#include <string>

#include "generator/ir/module.h"

namespace lathe::analysis {

// Long text is truncated with "...".
std::string ShowOperand(const ir::Module& module, const ir::Operand& operand);

// Formats the callee: R.add, f, cls.g, the extern "h".
std::string ShowCallee(const ir::Module& module, const ir::Call& call);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_SHOW_OPERAND_H_

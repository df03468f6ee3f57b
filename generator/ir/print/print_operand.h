// Leaves of the graph as TVMScript: variables, R.const(1.0, "float32"), R.shape([n, 4]), (a, b).
#ifndef LATHE_IR_PRINT_PRINT_OPERAND_H_
#define LATHE_IR_PRINT_PRINT_OPERAND_H_

#include <string>

#include "generator/ir/print/graph_text.h"

namespace lathe::ir {

// Where an operand stands decides how short it may be.
enum class OperandPlace {
  kWhole,     // a right-hand side, a result: everything says what it is
  kArgument,  // of a call: from 0.26 on scalars are bare
};

std::string PrintOperand(const Operand& operand, OperandPlace place, const GraphText& text);

// R.ExternFunc("f"), with its structural information when there is any.
std::string PrintExtern(const ExternFunc& f, const GraphText& text);

}  // namespace lathe::ir

#endif  // LATHE_IR_PRINT_PRINT_OPERAND_H_

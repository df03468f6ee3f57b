// Prints leaf operands as TVMScript: variables, R.const(1.0, "float32"), R.shape([n, 4]), (a, b).
#ifndef LATHE_IR_PRINT_PRINT_OPERAND_H_
#define LATHE_IR_PRINT_PRINT_OPERAND_H_

#include <string>

#include "generator/ir/print/graph_text.h"

namespace lathe::ir {

// The context of an operand decides which short forms are allowed.
enum class OperandPosition {
  kWhole,     // a right-hand side or a result: the full form
  kArgument,  // an argument of a call: from 0.26 on scalars are bare
};

std::string PrintOperand(const Operand& operand, OperandPosition place, const GraphText& text);

// Prints R.ExternFunc("f"), with its structural information if there is any.
std::string PrintExtern(const ExternFunc& f, const GraphText& text);

}  // namespace lathe::ir

#endif  // LATHE_IR_PRINT_PRINT_OPERAND_H_

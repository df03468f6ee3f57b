// Lists the operators of a module, so that two modules can be compared. Operands refer to entries
// of the list, so that the names of variables do not matter.
#ifndef LATHE_DRIVER_COMPARE_OPERATOR_LIST_H_
#define LATHE_DRIVER_COMPARE_OPERATOR_LIST_H_

#include <string>
#include <vector>

#include "generator/ir/module.h"

namespace lathe::driver {

// An operand: the operator that computes it, or text.
struct ListedOperand {
  int producer = -1;  // index in the list
  std::string text;   // otherwise: "parameter 2", "constant float32 (4, 8)", "3"
};

// A function ("function"), a PrimFunc ("PrimFunc"), a binding, or the result of a body ("result").
// A function precedes the entries of its body, which ends with a result.
struct ListedOperator {
  std::string function;
  std::string name;   // the variable or function; not compared
  std::string op;     // "R.nn.conv2d", "if", "alias", "function", "PrimFunc", "result"
  std::string type;   // of the value: R.Tensor((1, 4), dtype="float32")
  std::string attrs;  // {"strides": [1, 1]}; the text of a PrimFunc
  std::vector<ListedOperand> operands;
  std::vector<ir::ConstantId> constants;  // among the operands, in order
};

// Lists the functions of `module` in order. The entries of a branch or of a function literal follow
// the binding that contains it.
std::vector<ListedOperator> ListOperators(const ir::Module& module);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_COMPARE_OPERATOR_LIST_H_

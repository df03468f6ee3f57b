// Lists the operators of a module, so that two modules can be compared. Names of variables have no
// part in it.
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

// A binding of a function, or the function itself, which precedes its bindings.
struct ListedOperator {
  std::string function;
  std::string name;   // of the result; not compared
  std::string op;     // "R.nn.conv2d", "function"
  std::string type;   // of the result: R.Tensor((1, 4), dtype="float32")
  std::string attrs;  // {"strides": [1, 1]}; of a PrimFunc its text
  std::vector<ListedOperand> operands;
  std::vector<ir::ConstantId> constants;  // among the operands, in order
};

// Lists the functions of `module` in order, those of inner bodies after the binding that owns them.
std::vector<ListedOperator> ListOperators(const ir::Module& module);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_COMPARE_OPERATOR_LIST_H_

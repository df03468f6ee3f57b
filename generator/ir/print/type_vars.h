// Tracks the type variables of a printed module. From 0.27 on a symbolic size of a signature is
// declared above the module, n = TypeVar("n"), and every function may use the name for a variable
// of its own:
//
//   n = TypeVar("n")
//   @I.ir_module
//   class Module:
//       def f(x: R.Tensor((n, "n * 2"))): ...
//
// TVM rejects a name that a body declares and that is also a type variable of the module, so the
// names of all functions must be known before a body is printed: a module is printed twice.
#ifndef LATHE_IR_PRINT_TYPE_VARS_H_
#define LATHE_IR_PRINT_TYPE_VARS_H_

#include <set>
#include <string>

#include "generator/ir/print_names.h"

namespace lathe::ir {

class TypeVars {
 public:
  // `known` are the names that an earlier printing of the module declared.
  explicit TypeVars(std::set<std::string> known) : known_(std::move(known)) {}

  // Declares a symbolic size of a signature, and returns its name.
  std::string Declare(PrimRef var, PrintNames& names) {
    std::string name = names.OfTypeVar(var);
    declared_.insert(name);
    return name;
  }

  // Keeps the names of all type variables from other variables of a function. Called when the
  // parameters, which may hide type variables, have their names.
  void ReserveIn(PrintNames& names) const {
    for (const std::string& name : known_) names.Reserve(name);
  }

  const std::set<std::string>& declared() const { return declared_; }

 private:
  const std::set<std::string> known_;
  std::set<std::string> declared_;
};

}  // namespace lathe::ir

#endif  // LATHE_IR_PRINT_TYPE_VARS_H_

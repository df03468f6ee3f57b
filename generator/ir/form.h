// A value of a program as it is once lowered: the tensors and scalars it consists of, in the
// structure that the program gives it.
#ifndef LATHE_IR_FORM_H_
#define LATHE_IR_FORM_H_

#include <variant>
#include <vector>

#include "generator/ir/module.h"
#include "generator/support/ids.h"

namespace lathe::ir {

using TensorId = Id<struct TensorTag>;

struct Form;
struct Nothing {};  // R.null_value(), and what a call without a result gives
struct TupleForm {
  std::vector<Form> fields;
};
struct ShapeForm {
  std::vector<PrimRef> dims;
};
// A function of the module with the values it keeps, which it is given behind its arguments.
struct ClosureForm {
  GlobalId function;
  std::vector<Form> captured;
};
// One of several, of which `which` says the number when the program runs.
struct ChoiceForm {
  PrimRef which = nullptr;
  std::vector<Form> options;
};
struct Form {
  // A PrimRef is a scalar. Strings, dtypes and functions are only arguments.
  using Node = std::variant<Nothing, TensorId, PrimRef, ShapeForm, TupleForm, StringImm, DTypeImm,
                            GlobalId, ExternFunc, ClosureForm, ChoiceForm>;
  Node node;

  template <typename T>
  const T* As() const {
    return std::get_if<T>(&node);
  }
};

// A value as C has it: tuples are flattened, shapes are their dimensions.
using Part = std::variant<TensorId, PrimRef>;

// The tensors and scalars of `form`, from left to right.
void AppendParts(const Form& form, std::vector<Part>& parts);
std::vector<Part> PartsOf(const Form& form);

}  // namespace lathe::ir

#endif  // LATHE_IR_FORM_H_

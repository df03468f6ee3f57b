// Represents a lowered Relax value: its tensors and scalars, in the structure of the value.
#ifndef LATHE_IR_FORM_H_
#define LATHE_IR_FORM_H_

#include <variant>
#include <vector>

#include "generator/ir/module.h"
#include "generator/support/ids.h"

namespace lathe::ir {

using TensorId = Id<struct TensorTag>;

struct Form;
struct Nothing {};  // R.null_value(), and the result of calls without one
struct TupleForm {
  std::vector<Form> fields;
};
struct ShapeForm {
  std::vector<PrimRef> dims;
};
// A function of the module with its captured values, which are passed after its arguments.
struct ClosureForm {
  GlobalId function;
  std::vector<Form> captured;
};
// One of several alternatives, selected at run time by the number `which`.
struct ChoiceForm {
  PrimRef which = nullptr;
  std::vector<Form> options;
};
struct Form {
  // A PrimRef is a scalar. Strings, dtypes and functions occur as arguments only.
  using Node = std::variant<Nothing, TensorId, PrimRef, ShapeForm, TupleForm, StringImm, DTypeImm,
                            GlobalId, ExternFunc, ClosureForm, ChoiceForm>;
  Node node;

  template <typename T>
  const T* As() const {
    return std::get_if<T>(&node);
  }
};

// A flattened value, as passed in C: tuples are expanded, shapes are their dimensions.
using Part = std::variant<TensorId, PrimRef>;

// The tensors and scalars of `form`, from left to right.
void AppendParts(const Form& form, std::vector<Part>& parts);
std::vector<Part> PartsOf(const Form& form);

}  // namespace lathe::ir

#endif  // LATHE_IR_FORM_H_

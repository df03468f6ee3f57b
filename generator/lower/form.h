// What a Relax value has become: the tensors and scalars it consists of, in the shape it had.
#ifndef LATHE_LOWER_FORM_H_
#define LATHE_LOWER_FORM_H_

#include <string>
#include <variant>
#include <vector>

#include "generator/ir/program.h"

namespace lathe::lower {

struct Form;
struct Nothing {};  // R.null_value(), and what a call without a result gives
struct TupleForm {
  std::vector<Form> fields;
};
struct ShapeForm {
  std::vector<ir::PrimRef> dims;
};
struct Form {
  // A PrimRef is a scalar. Strings, dtypes and functions are only arguments.
  using Node = std::variant<Nothing, ir::TensorId, ir::PrimRef, ShapeForm, TupleForm, ir::StringImm,
                            ir::DTypeImm, ir::GlobalId>;
  Node node;

  template <typename T>
  const T* As() const {
    return std::get_if<T>(&node);
  }
};

// The tensors and scalars of `form`, from left to right.
inline void AppendParts(const Form& form, std::vector<ir::Part>& parts) {
  if (const auto* tensor = form.As<ir::TensorId>()) parts.emplace_back(*tensor);
  if (const auto* scalar = form.As<ir::PrimRef>()) parts.emplace_back(*scalar);
  if (const auto* shape = form.As<ShapeForm>()) {
    for (ir::PrimRef dim : shape->dims) parts.emplace_back(dim);
  }
  if (const auto* tuple = form.As<TupleForm>()) {
    for (const Form& field : tuple->fields) AppendParts(field, parts);
  }
}

inline std::vector<ir::Part> PartsOf(const Form& form) {
  std::vector<ir::Part> parts;
  AppendParts(form, parts);
  return parts;
}

}  // namespace lathe::lower

#endif  // LATHE_LOWER_FORM_H_

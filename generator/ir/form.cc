#include "generator/ir/form.h"

namespace lathe::ir {

void AppendParts(const Form& form, std::vector<Part>& parts) {
  if (const auto* tensor = form.As<TensorId>()) parts.emplace_back(*tensor);
  if (const auto* scalar = form.As<PrimRef>()) parts.emplace_back(*scalar);
  if (const auto* shape = form.As<ShapeForm>()) {
    for (PrimRef dim : shape->dims) parts.emplace_back(dim);
  }
  if (const auto* tuple = form.As<TupleForm>()) {
    for (const Form& field : tuple->fields) AppendParts(field, parts);
  }
  if (const auto* closure = form.As<ClosureForm>()) {
    for (const Form& value : closure->captured) AppendParts(value, parts);
  }
  if (const auto* choice = form.As<ChoiceForm>()) {
    parts.emplace_back(choice->which);
    for (const Form& option : choice->options) AppendParts(option, parts);
  }
}

std::vector<Part> PartsOf(const Form& form) {
  std::vector<Part> parts;
  AppendParts(form, parts);
  return parts;
}

}  // namespace lathe::ir

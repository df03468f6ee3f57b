#include "generator/lower/input_like.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

namespace lathe::lower {

using ir::PrimRef;

Form InputLike(Lowering& lowering, const Form& form, const std::string& name) {
  const auto each = [&](const std::vector<Form>& forms) {
    std::vector<Form> inputs;
    for (size_t i = 0; i < forms.size(); ++i) {
      inputs.push_back(InputLike(lowering, forms[i], absl::StrCat(name, "_", i)));
    }
    return inputs;
  };
  if (const auto* id = form.As<ir::TensorId>()) {
    ir::Tensor input{name, lowering.program.tensors[*id].dtype, {}, ir::Home::kInput, {}, {}};
    const size_t rank = lowering.program.tensors[*id].shape.size();
    for (size_t i = 0; i < rank; ++i) {
      input.shape.push_back(lowering.ir.NewVar(absl::StrCat(name, "_dim", i)));
    }
    return Form{lowering.program.tensors.Add(std::move(input))};
  }
  if (const auto* scalar = form.As<PrimRef>()) {
    return Form{lowering.NewNumber(name, (*scalar)->dtype())};
  }
  if (const auto* shape = form.As<ShapeForm>()) {
    ShapeForm dims;
    for (size_t i = 0; i < shape->dims.size(); ++i) {
      dims.dims.push_back(lowering.ir.NewVar(absl::StrCat(name, "_", i)));
    }
    return Form{std::move(dims)};
  }
  if (const auto* tuple = form.As<TupleForm>()) return Form{TupleForm{each(tuple->fields)}};
  if (const auto* closure = form.As<ClosureForm>()) {
    return Form{ClosureForm{closure->function, each(closure->captured)}};
  }
  if (const auto* choice = form.As<ChoiceForm>()) {
    return Form{ChoiceForm{lowering.ir.NewVar(absl::StrCat(name, "_is")), each(choice->options)}};
  }
  return form;
}

}  // namespace lathe::lower

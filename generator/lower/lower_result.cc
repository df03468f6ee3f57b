#include "generator/lower/lower_result.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

namespace lathe::lower {
namespace {

using ir::PrimRef;

class Outputs {
 public:
  Outputs(RoutineBuilder& b, const Location& loc)
      : b_(b), program_(b.lowering.program), routine_(program_.routines[b.routine]), loc_(loc) {}

  // Adds `form` as one output or several. Returns nothing after a report.
  std::optional<Form> Add(const Form& form, const std::string& name) {
    if (const auto* tuple = form.As<TupleForm>()) {
      TupleForm fields;
      for (size_t i = 0; i < tuple->fields.size(); ++i) {
        auto field = Add(tuple->fields[i], absl::StrCat(name, "_", i));
        if (!field) return std::nullopt;
        fields.fields.push_back(*std::move(field));
      }
      return Form{std::move(fields)};
    }
    if (form.As<Nothing>() != nullptr) return form;  // it has no outputs
    if (const auto* scalar = form.As<PrimRef>()) return Scalar(*scalar, name);
    if (const auto* shape = form.As<ShapeForm>()) {
      ShapeForm dims;
      for (size_t i = 0; i < shape->dims.size(); ++i) {
        const Form dim = Scalar(shape->dims[i], absl::StrCat(name, "_", i));
        dims.dims.push_back(*dim.As<PrimRef>());
      }
      return Form{std::move(dims)};
    }
    if (const auto* id = form.As<ir::TensorId>()) return Tensor(*id, name);
    // Text, functions and choices become boxed values, which have a type in C.
    const ir::TensorId to =
        program_.tensors.Add({name, ir::kValueDType, {}, ir::Home::kOutput, {}, {}});
    Name(to, name);
    return Delivered(form, Form{to});
  }

 private:
  void Name(ir::Part part, std::string called) {
    routine_.outputs.push_back(part);
    routine_.output_names.push_back(std::move(called));
  }
  std::optional<Form> Delivered(const Form& from, Form to) {
    return b_.Deliver(from, to, loc_) ? std::optional(std::move(to)) : std::nullopt;
  }

  Form Scalar(PrimRef scalar, const std::string& name) {
    const PrimRef out = b_.NewVarFor("out", {scalar});
    Name(out, name);
    (void)b_.Deliver(Form{scalar}, Form{out}, loc_);
    return Form{out};
  }

  std::optional<Form> Tensor(ir::TensorId id, const std::string& name) {
    ir::Tensor output = program_.tensors[id];
    output.home = ir::Home::kOutput;
    output.constant = {};
    output.base = {};
    bool early = true;
    for (PrimRef dim : output.shape) early = early && b_.IsKnownAtEntry(dim);
    const PrimRef rank = b_.lowering.ir.Int(std::ssize(output.shape));
    const ir::TensorId to = program_.tensors.Add(std::move(output));
    Name(to, name);
    if (early) return Delivered(Form{id}, Form{to});
    const std::string sizes = absl::StrCat(name, "_shape");
    program_.tensors[to].sizes =
        program_.tensors.Add({sizes, ir::DType::Int(64), {rank}, ir::Home::kOutput, {}, {}});
    Name(program_.tensors[to].sizes, sizes);
    if (!b_.TryAllocateIn(id, to)) b_.Emit(ir::BindOutputStep{id, to}, loc_);
    return Form{to};
  }

  RoutineBuilder& b_;
  ir::Program& program_;
  ir::Routine& routine_;
  const Location& loc_;
};

// Names outputs after the returned variables.
std::optional<Form> AddNamed(RoutineBuilder& b, const ir::Operand& result, const Form& form,
                             const Location& loc) {
  const auto* fields = form.As<TupleForm>();
  const auto* tuple = result.As<ir::TupleExpr>();
  const auto* value = result.As<ir::ValueId>();
  if (fields == nullptr || tuple == nullptr || tuple->fields.size() != fields->fields.size()) {
    return Outputs(b, loc).Add(form,
                               value != nullptr ? b.lowering.module.values[*value].name : "out");
  }
  TupleForm outputs;
  for (size_t i = 0; i < tuple->fields.size(); ++i) {
    auto output = AddNamed(b, tuple->fields[i], fields->fields[i], loc);
    if (!output) return std::nullopt;
    outputs.fields.push_back(*std::move(output));
  }
  return Form{std::move(outputs)};
}

}  // namespace

bool AddOutputs(RoutineBuilder& b, const ir::Operand& result, const Form& form,
                const Location& loc) {
  auto outputs = AddNamed(b, result, form, loc);
  if (outputs) b.lowering.program.routines[b.routine].result = *std::move(outputs);
  return outputs.has_value();
}

bool ReturnForm(RoutineBuilder& b, const Form& form, const Form& formal, const Location& loc) {
  const std::vector<ir::Part> values = PartsOf(form), places = PartsOf(formal);
  if (values.size() != places.size()) return false;
  ir::ReturnStep step;
  for (size_t i = 0; i < values.size(); ++i) {
    const auto* value = std::get_if<ir::TensorId>(&values[i]);
    const auto* place = std::get_if<ir::TensorId>(&places[i]);
    if ((value == nullptr) != (place == nullptr)) return false;
    if (value == nullptr) {
      const PrimRef var = std::get<PrimRef>(places[i]), scalar = std::get<PrimRef>(values[i]);
      b.Emit(ir::AssignStep{var, b.lowering.ir.MakeCast(var->dtype(), scalar)}, loc);
      continue;
    }
    const ir::Tensor from = b.lowering.program.tensors[*value],
                     to = b.lowering.program.tensors[*place];
    if (from.dtype != to.dtype || from.shape.size() != to.shape.size()) return false;
    for (size_t d = 0; d < to.shape.size(); ++d) {
      b.Emit(ir::AssignStep{to.shape[d], from.shape[d]}, loc);
    }
    step.tensors.push_back(*value);
  }
  b.Emit(std::move(step), loc);
  return true;
}

}  // namespace lathe::lower

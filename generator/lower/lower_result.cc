#include "generator/lower/lower_result.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

namespace lathe::lower {
namespace {

using ir::PrimRef;

bool AddOutput(RoutineBuilder& b, const Form& form, const std::string& name, const Location& loc) {
  ir::Program& program = b.all.program;
  ir::Routine& routine = program.routines[b.routine];
  const auto add = [&](ir::Part part, std::string called) {
    routine.outputs.push_back(part);
    routine.output_names.push_back(std::move(called));
  };
  if (const auto* tuple = form.As<TupleForm>()) {
    for (size_t i = 0; i < tuple->fields.size(); ++i) {
      if (!AddOutput(b, tuple->fields[i], absl::StrCat(name, "_", i), loc)) return false;
    }
    return true;
  }
  if (form.As<Nothing>() != nullptr) return true;  // of which there is nothing to give
  if (const auto* scalar = form.As<PrimRef>()) {
    const PrimRef out = b.all.ir.NewVar("out", (*scalar)->dtype());
    add(out, name);
    return b.Deliver(form, Form{out}, loc);
  }
  if (const auto* shape = form.As<ShapeForm>()) {
    for (size_t i = 0; i < shape->dims.size(); ++i) {
      const PrimRef out = b.all.ir.NewVar(absl::StrCat("out_", i), ir::DType::Int(64));
      add(out, absl::StrCat(name, "_", i));
      if (!b.Deliver(Form{shape->dims[i]}, Form{out}, loc)) return false;
    }
    return true;
  }
  const auto* id = form.As<ir::TensorId>();
  if (id == nullptr) return false;
  ir::Tensor output = program.tensors[*id];
  output.home = ir::Home::kOutput;
  output.constant = {};
  output.base = {};
  bool early = true;
  for (PrimRef dim : output.shape) early = early && b.IsEarly(dim);
  const PrimRef rank = b.all.ir.Int(std::ssize(output.shape));
  const ir::TensorId to = program.tensors.Add(std::move(output));
  add(to, name);
  if (early) return b.Deliver(form, Form{to}, loc);
  const std::string sizes = absl::StrCat(name, "_shape");
  program.tensors[to].sizes =
      program.tensors.Add({sizes, ir::DType::Int(64), {rank}, ir::Home::kOutput, {}, {}});
  add(program.tensors[to].sizes, sizes);
  if (!b.MakeIn(*id, to)) b.Emit(ir::GiveStep{*id, to}, loc);
  return true;
}

}  // namespace

bool AddOutputs(RoutineBuilder& b, const ir::Operand& result, const Form& form,
                const Location& loc) {
  const auto* fields = form.As<TupleForm>();
  const auto* tuple = result.As<ir::TupleExpr>();
  const auto* value = result.As<ir::ValueId>();
  if (fields == nullptr || tuple == nullptr || tuple->fields.size() != fields->fields.size()) {
    const std::string name = value != nullptr ? b.all.module.values[*value].name : "out";
    return AddOutput(b, form, name, loc);
  }
  for (size_t i = 0; i < tuple->fields.size(); ++i) {
    if (!AddOutputs(b, tuple->fields[i], fields->fields[i], loc)) return false;
  }
  return true;
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
      b.Emit(ir::AssignStep{var, b.all.ir.MakeCast(var->dtype(), scalar)}, loc);
      continue;
    }
    const ir::Tensor from = b.all.program.tensors[*value], to = b.all.program.tensors[*place];
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

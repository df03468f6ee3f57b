#include "generator/lower/boxed_values.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/lower/check_functions.h"
#include "generator/lower/match_form.h"

namespace lathe::lower {
namespace {

using ir::PrimRef;
using ir::TensorId;

// Returns `form` as an operand of BoxStep, with its choices boxed.
std::optional<Form> WithoutChoices(RoutineBuilder& b, const Form& form, const std::string& name,
                                   const Location& loc) {
  std::vector<Form> parts;
  const auto each = [&](const std::vector<Form>& forms) {
    for (size_t i = 0; i < forms.size(); ++i) {
      const std::string part_name = absl::StrCat(name, "_", i);
      std::optional<Form> part;
      if (forms[i].As<ChoiceForm>() != nullptr) {
        const auto value = Box(b, forms[i], part_name, loc);
        if (value) part = Form{*value};
      } else {
        part = WithoutChoices(b, forms[i], part_name, loc);
      }
      if (!part) return false;
      parts.push_back(*std::move(part));
    }
    return true;
  };
  if (const auto* tuple = form.As<TupleForm>()) {
    if (!each(tuple->fields)) return std::nullopt;
    return Form{TupleForm{std::move(parts)}};
  }
  if (const auto* closure = form.As<ClosureForm>()) {
    if (!each(closure->captured)) return std::nullopt;
    return Form{ClosureForm{closure->function, std::move(parts)}};
  }
  return form;
}

bool HasTensors(const ir::Program& program, const Form& form) {
  for (const ir::Part& part : PartsOf(form)) {
    const auto* id = std::get_if<TensorId>(&part);
    if (id != nullptr && !program.tensors[*id].is_value()) return true;
  }
  return false;
}

// Returns the operand of a BoxStep for `form`, or nothing after a report.
std::optional<Form> ToKeep(RoutineBuilder& b, const Form& form, const std::string& name,
                           bool at_end, const Location& loc) {
  auto from = WithoutChoices(b, form, name, loc);
  if (!from) return std::nullopt;
  if (!at_end && !b.may_view() && HasTensors(b.lowering.program, *from)) {
    b.lowering.Unsupported(loc)
        << "'" << name
        << "' has a dynamic structure, which is not supported in a function that writes to "
           "tensors; "
        << kSupported
        << ", and values of dynamic structure in functions that do not write to tensors";
    return std::nullopt;
  }
  for (const ir::Part& part : PartsOf(*from)) {
    if (const auto* id = std::get_if<TensorId>(&part)) b.TryAllocateKept(*id);
  }
  return from;
}

// Emits a BoxStep for each option under the condition that selects it.
bool KeepChoice(RoutineBuilder& b, const ChoiceForm& choice, size_t n, TensorId to, bool at_end,
                const Location& loc) {
  if (n + 1 == choice.options.size()) return BoxInto(b, choice.options[n], to, at_end, loc);
  const PrimRef number = b.lowering.ir.Int(static_cast<int64_t>(n));
  bool good = true;
  b.EmitBranch(
      b.lowering.ir.Make(ir::BinaryOp::kEq, choice.which, number),
      [&] { good = BoxInto(b, choice.options[n], to, at_end, loc); },
      [&] { good = KeepChoice(b, choice, n + 1, to, at_end, loc) && good; }, loc);
  return good;
}

// Creates a tensor pointer with new size variables.
Form PointerTo(RoutineBuilder& b, ir::DType dtype, int rank, const std::string& name) {
  ir::Tensor tensor{name, dtype, {}, ir::Home::kPointer, {}, {}};
  for (int i = 0; i < rank; ++i) {
    tensor.shape.push_back(b.lowering.ir.NewVar(absl::StrCat(name, "_dim", i)));
    b.Define(tensor.shape.back(), tensor.shape.back());
  }
  tensor.written = !b.may_view() && !tensor.is_value();
  return Form{b.lowering.program.tensors.Add(std::move(tensor))};
}

// Creates the destinations for the parts of a boxed value of `info`.
Form PartsFor(RoutineBuilder& b, ir::StructInfoRef info, const std::string& name) {
  const auto number = [&](const std::string& called, ir::DType dtype) {
    const PrimRef var = b.lowering.NewNumber(called, dtype);
    b.Define(var, var);
    return var;
  };
  if (const auto* tensor = info->As<ir::TensorInfo>()) {
    if (tensor->ndim >= 0 && !tensor->dtype.is_void())
      return PointerTo(b, tensor->dtype, tensor->ndim, name);
  }
  if (const auto* shape = info->As<ir::ShapeInfo>(); shape != nullptr && shape->ndim >= 0) {
    ShapeForm members;
    for (int i = 0; i < shape->ndim; ++i) {
      members.dims.push_back(number(absl::StrCat(name, "_dim", i), ir::DType::Int(64)));
    }
    return Form{std::move(members)};
  }
  if (const auto* prim = info->As<ir::PrimInfo>()) return Form{number(name, prim->dtype)};
  if (const auto* tuple = info->As<ir::TupleInfo>()) {
    TupleForm fields;
    for (size_t i = 0; i < tuple->fields.size(); ++i) {
      fields.fields.push_back(PartsFor(b, tuple->fields[i], absl::StrCat(name, "_", i)));
    }
    return Form{std::move(fields)};
  }
  return PointerTo(b, ir::kValueDType, 0, name);
}

}  // namespace

std::optional<TensorId> AsBoxed(const ir::Program& program, const Form& form) {
  const auto* id = form.As<TensorId>();
  return id != nullptr && program.tensors[*id].is_value() ? std::optional(*id) : std::nullopt;
}

TensorId NewBoxed(RoutineBuilder& b, const std::string& name, const Location& loc) {
  return b.NewTensor({name, ir::kValueDType, {}, ir::Home::kArena, {}, {}}, loc);
}

bool BoxInto(RoutineBuilder& b, const Form& form, TensorId to, bool at_end, const Location& loc) {
  if (const auto* choice = form.As<ChoiceForm>()) return KeepChoice(b, *choice, 0, to, at_end, loc);
  if (const auto value = AsBoxed(b.lowering.program, form)) {
    b.Emit(ir::CopyStep{*value, to}, loc);
    return true;
  }
  auto from = ToKeep(b, form, b.lowering.program.tensors[to].name, at_end, loc);
  if (!from) return false;
  b.Emit(ir::BoxStep{*std::move(from), to}, loc);
  return true;
}

std::optional<TensorId> BindCaptured(RoutineBuilder& b, TensorId function, std::vector<Form> bound,
                                     const std::string& name, const Location& loc) {
  auto from = ToKeep(b, Form{TupleForm{std::move(bound)}}, name, false, loc);
  if (!from) return std::nullopt;
  const TensorId to = NewBoxed(b, name, loc);
  b.Emit(ir::BoxStep{*std::move(from), to, function}, loc);
  return to;
}

std::optional<TensorId> Box(RoutineBuilder& b, const Form& form, const std::string& name,
                            const Location& loc) {
  if (const auto value = AsBoxed(b.lowering.program, form)) return value;
  const TensorId to = NewBoxed(b, name, loc);
  if (!BoxInto(b, form, to, false, loc)) return std::nullopt;
  return to;
}

bool CanUnbox(ir::StructInfoRef info) {
  if (const auto* tensor = info->As<ir::TensorInfo>()) {
    return tensor->ndim >= 0 && !tensor->dtype.is_void();
  }
  if (const auto* shape = info->As<ir::ShapeInfo>()) return shape->ndim >= 0;
  return info->As<ir::TupleInfo>() != nullptr || info->As<ir::PrimInfo>() != nullptr;
}

std::optional<Form> Unbox(RoutineBuilder& b, TensorId value, ir::StructInfoRef info,
                          const std::string& name, const Location& loc) {
  if (!CanUnbox(info)) return Form{value};
  Form form = PartsFor(b, info, name);
  b.Emit(ir::UnboxStep{value, form}, loc);
  (void)CheckForm(b, form, info, name, loc);
  return form;
}

void UnboxSizesOf(RoutineBuilder& b, TensorId value, ir::StructInfoRef info,
                  const std::string& name, const Location& loc) {
  const auto* said = info->As<ir::TensorInfo>();
  if (said == nullptr || !said->dtype.is_void() || said->dims() == nullptr) return;
  const Form form = PointerTo(b, ir::DType::Void(), said->ndim, name);
  b.Emit(ir::UnboxStep{value, form}, loc);
  (void)CheckForm(b, form, info, name, loc);
}

TensorId UnboxTensor(RoutineBuilder& b, TensorId value, ir::DType dtype, int rank,
                     const std::string& name, const Location& loc) {
  const Form form = PartsFor(b, b.lowering.ir.Tensor(rank, dtype), name);
  b.Emit(ir::UnboxStep{value, form}, loc);
  return *form.As<TensorId>();
}

Form UnboxFunction(RoutineBuilder& b, TensorId value, const Form& function, size_t kept,
                   const std::string& name, const Location& loc) {
  const auto* global = function.As<ir::GlobalId>();
  if (global == nullptr) return function;
  ClosureForm closure{*global, {}};
  for (size_t i = 0; i < kept; ++i) {
    closure.captured.push_back(
        PartsFor(b, b.lowering.ir.Object(), absl::StrCat(name, "_keeps_", i)));
  }
  b.Emit(ir::UnboxStep{value, Form{closure}}, loc);
  return Form{std::move(closure)};
}

bool CheckParts(RoutineBuilder& b, const Form& form, ir::StructInfoRef info,
                const std::string& name, const Location& loc) {
  SizeMatch match(b.lowering.ir);
  for (const auto& [var, value] : b.scope()) match.Set(var, value);
  if (!MatchForm(b.lowering.program, form, info, name, match)) return false;
  for (const auto& [var, value] : match.mapping()) b.Define(var, b.Resolve(value));
  b.EmitChecks(match, loc);
  return true;
}

bool CheckForm(RoutineBuilder& b, const Form& form, ir::StructInfoRef info, const std::string& name,
               const Location& loc) {
  if (!CheckParts(b, form, info, name, loc)) return false;
  CheckFunctions(b, form, info, name, loc);
  return true;
}

std::optional<Form> ConvertForm(RoutineBuilder& b, const Form& form, const Form& wanted,
                                ir::StructInfoRef info, const std::string& name,
                                const Location& loc) {
  if (AsBoxed(b.lowering.program, wanted)) {
    const auto value = Box(b, form, name, loc);
    return value ? std::optional(Form{*value}) : std::nullopt;
  }
  if (const auto value = AsBoxed(b.lowering.program, form)) {
    Form parts = PartsFor(b, info, name);
    b.Emit(ir::UnboxStep{*value, parts}, loc);
    return parts;
  }
  const auto* tuple = form.As<TupleForm>();
  const auto* fields = wanted.As<TupleForm>();
  const auto* infos = info->As<ir::TupleInfo>();
  if (tuple == nullptr || fields == nullptr || infos == nullptr ||
      tuple->fields.size() != fields->fields.size() ||
      tuple->fields.size() != infos->fields.size()) {
    return form;
  }
  TupleForm fitted;
  for (size_t i = 0; i < tuple->fields.size(); ++i) {
    auto field = ConvertForm(b, tuple->fields[i], fields->fields[i], infos->fields[i],
                             absl::StrCat(name, "_", i), loc);
    if (!field) return std::nullopt;
    fitted.fields.push_back(*std::move(field));
  }
  return Form{std::move(fitted)};
}

}  // namespace lathe::lower

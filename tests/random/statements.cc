#include "tests/random/statements.h"

#include "generator/analysis/arithmetic/substitute.h"
#include "tests/random/op_rows.h"

namespace lathe::random {
namespace {

struct Form {
  void (*make)(Sketch& s, const Place& place);
  int weight;
  bool flow;     // may stand in a dataflow block
  bool nests;    // has bodies of its own
  bool effects;  // only where effects are
};
void Call(Sketch& s, const Place& place);
constexpr Form kForms[] = {
    {Branch, 6, false, true, false},        {DataflowBlock, 7, false, false, false},
    {LocalFunction, 6, true, true, false},  {ClosureMaker, 3, true, true, false},
    {LocalRecursion, 2, true, true, false}, {BoundClosure, 3, true, false, false},
    {Cast, 6, true, false, false},          {TupleAndField, 6, true, false, false},
    {Scalar, 2, true, false, false},        {Alias, 3, true, false, false},
    {CallKernel, 6, true, false, false},    {CallInPlace, 3, true, false, false},
    {CallPacked, 3, true, false, false},    {Effect, 12, false, false, true},
    {Call, 10, true, false, false},         {CallCounted, 4, true, false, false},
    {GivenFunction, 3, true, false, false},
};

void Call(Sketch& s, const Place& place) {
  std::vector<const Callable*> callables;
  for (const Callable& c : s.callables()) {
    if (c.pure || !place.pure) callables.push_back(&c);
  }
  if (callables.empty()) return CallSomeOp(s);
  const Callable callable = *s.dice.From(callables);
  s.Note(callable.global ? "call of a function of the module" : "call of a closure");
  if (place.depth > 0) s.Note("call inside a body");
  CallSome(s, callable);
}

const Form& SomeForm(Sketch& s, const Place& place) {
  int all = 0;
  const auto fits = [&](const Form& form) {
    return (form.flow || !place.flow) && (!form.nests || place.depth < 3) &&
           (!form.effects || !place.pure);
  };
  for (const Form& form : kForms) all += fits(form) ? form.weight : 0;
  int left = static_cast<int>(s.dice.Below(static_cast<size_t>(all)));
  for (const Form& form : kForms) {
    if (!fits(form)) continue;
    left -= form.weight;
    if (left < 0) return form;
  }
  return kForms[0];
}

}  // namespace

void Statements(Sketch& s, const Place& place, size_t count) {
  for (; count > 0; --count) {
    if (s.dice.Percent(60)) {
      CallSomeOp(s);
      continue;
    }
    const bool before = s.Touch(false), allowed = s.AllowSoft(false);
    SomeForm(s, place).make(s, place);
    s.AllowSoft(allowed);
    s.Touch(before || s.touched());
  }
}

Operand CallSome(Sketch& s, const Callable& callable) {
  analysis::ShapeVarMap given;
  for (PrimRef var : callable.own) {
    if (callable.generic && s.dice.Percent(40)) {
      given[var] = s.Dim();
      s.Note("call with other sizes");
    } else {
      given[var] = s.DimOfSize(var);
    }
  }
  const bool allowed = s.AllowSoft(false);
  Operands args;
  for (StructInfoRef param : callable.params) {
    args.push_back(s.Argument(analysis::Substitute(s.context, param, given)));
  }
  s.AllowSoft(allowed);
  if (callable.soft) s.Touch(true);
  return s.Keep(callable.global ? s.builder.Call(*callable.global, std::move(args))
                                : s.builder.Call(callable.value, std::move(args)));
}

Operand Condition(Sketch& s) {
  const bool allowed = s.AllowSoft(false);
  Operand condition;
  if (s.dice.Percent(30)) {
    condition = s.Like(DType::Bool(), {});
  } else {
    Tensor x = s.Any(Kind::kFloat);
    const Operand least = x.ndim() == 0 ? x.value : s.Op("relax.mean", {x.value});
    const Operand limit = s.Constant(x.dtype, {}, {s.dice.Of({-0.25, 0.0, 0.25})});
    condition = s.Op(s.dice.Of({"relax.less", "relax.greater"}), {least, limit});
  }
  s.AllowSoft(allowed);
  return condition;
}

Operand Step(Sketch& s, const Tensor& like) {
  if (like.dtype.is_bool()) return s.Op("relax.logical_not", {like.value});
  switch (s.dice.Below(3)) {
    case 0:
      return s.Op("relax.negative", {like.value});
    case 1:
      return s.Op("relax.abs", {like.value});
    default:
      return s.Op("relax.add", {like.value, s.Like(like.dtype, like.dims)});
  }
}

Operand SomeResult(Sketch& s) {
  const bool allowed = s.AllowSoft(true);
  Operands fields;
  const auto shown = [](StructInfoRef info) {
    return info->As<ir::TensorInfo>() != nullptr || info->As<ir::ShapeInfo>() != nullptr ||
           info->As<ir::PrimInfo>() != nullptr;
  };
  const auto tuple = [&](StructInfoRef info) {
    const auto* fields_of = info->As<ir::TupleInfo>();
    if (fields_of == nullptr) return shown(info);
    for (StructInfoRef field : fields_of->fields) {
      if (!shown(field)) return false;
    }
    return true;
  };
  for (size_t n = 1 + s.dice.Below(4); n > 0; --n) {
    const auto found = s.dice.Percent(85) ? s.Find(shown) : s.Find(tuple);
    fields.push_back(found ? *found : s.Any(Kind::kAny).value);
  }
  s.AllowSoft(allowed);
  if (fields.size() == 1) return fields[0];
  if (s.dice.Percent(30)) {
    s.Note("nested tuple");
    const Operand inner = s.builder.Tuple({fields.back(), fields[0]});
    fields.back() = inner;
  }
  return s.builder.Tuple(std::move(fields));
}

}  // namespace lathe::random

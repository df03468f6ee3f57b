#include "generator/lower/join_forms.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/lower/structure_of.h"

namespace lathe::lower {
namespace {

using ir::PrimRef;
using ir::TensorId;

class Join {
 public:
  Join(RoutineBuilder& b, ir::Steps& then_steps, ir::Steps& else_steps, bool written,
       const Location& loc)
      : b_(b), then_steps_(then_steps), else_steps_(else_steps), written_(written), loc_(loc) {}

  Form Of(const std::string& name, const Form& a, const Form& b) {
    const auto* tensor_a = a.As<TensorId>();
    const auto* tensor_b = b.As<TensorId>();
    if (tensor_a != nullptr && tensor_b != nullptr) {
      if (const auto tensor = Tensors(name, *tensor_a, *tensor_b)) return Form{*tensor};
    }
    const auto* scalar_a = a.As<PrimRef>();
    const auto* scalar_b = b.As<PrimRef>();
    if (scalar_a != nullptr && scalar_b != nullptr &&
        (*scalar_a)->dtype() == (*scalar_b)->dtype()) {
      return Form{Scalar(name, *scalar_a, *scalar_b)};
    }
    const auto* shape_a = a.As<ShapeForm>();
    const auto* shape_b = b.As<ShapeForm>();
    if (shape_a != nullptr && shape_b != nullptr && shape_a->dims.size() == shape_b->dims.size()) {
      return Form{ShapeForm{Scalars(name, shape_a->dims, shape_b->dims)}};
    }
    const auto* tuple_a = a.As<TupleForm>();
    const auto* tuple_b = b.As<TupleForm>();
    if (tuple_a != nullptr && tuple_b != nullptr &&
        tuple_a->fields.size() == tuple_b->fields.size()) {
      TupleForm tuple;
      for (size_t i = 0; i < tuple_a->fields.size(); ++i) {
        tuple.fields.push_back(
            Of(absl::StrCat(name, "_", i), tuple_a->fields[i], tuple_b->fields[i]));
      }
      return Form{std::move(tuple)};
    }
    if (HaveEqualStructure(a, b) && PartsOf(a).empty()) return a;
    const auto* closure_a = a.As<ClosureForm>();
    if (closure_a != nullptr && HaveEqualStructure(a, b)) {
      const auto* closure_b = b.As<ClosureForm>();
      ClosureForm closure{closure_a->function, {}};
      for (size_t i = 0; i < closure_a->captured.size(); ++i) {
        closure.captured.push_back(
            Of(absl::StrCat(name, "_", i), closure_a->captured[i], closure_b->captured[i]));
      }
      return Form{std::move(closure)};
    }
    return Either(name, a, b);
  }

  PrimRef Scalar(const std::string& name, PrimRef a, PrimRef b) {
    if (a == b && b_.IsKnownAtEntry(a)) return a;
    const PrimRef var = b_.NewVarFor(name, {a, b});
    b_.Define(var, var);
    b_.Emit(ir::DefineStep{var}, loc_);
    AtEnds(ir::AssignStep{var, a}, ir::AssignStep{var, b});
    return var;
  }

 private:
  bool HaveEqualStructure(const Form& a, const Form& b) const {
    return StructureOf(b_.lowering.program, a) == StructureOf(b_.lowering.program, b);
  }

  void AtEnds(const ir::Step::Node& then_node, const ir::Step::Node& else_node) {
    {
      RoutineBuilder::InBranch in(b_, then_steps_);
      b_.Emit(then_node, loc_);
    }
    RoutineBuilder::InBranch in(b_, else_steps_);
    b_.Emit(else_node, loc_);
  }

  std::vector<PrimRef> Scalars(const std::string& name, const std::vector<PrimRef>& a,
                               const std::vector<PrimRef>& b) {
    std::vector<PrimRef> joined;
    for (size_t i = 0; i < a.size(); ++i) {
      joined.push_back(Scalar(absl::StrCat(name, "_", i), a[i], b[i]));
      if (joined.back() == a[i]) continue;
      const PrimRef most = b_.lowering.ir.Make(ir::BinaryOp::kMax, a[i], b[i]);
      b_.lowering.program.routines[b_.routine].upper_bounds.push_back({joined.back(), most});
    }
    return joined;
  }

  // Returns nothing for tensors of different ranks or dtypes.
  std::optional<TensorId> Tensors(const std::string& name, TensorId a, TensorId b) {
    const ir::Tensor x = b_.lowering.program.tensors[a], y = b_.lowering.program.tensors[b];
    if (x.dtype != y.dtype || x.shape.size() != y.shape.size()) return std::nullopt;
    if (a == b && x.home != ir::Home::kArena && x.home != ir::Home::kView &&
        x.home != ir::Home::kPointer) {
      return a;  // it was defined before the branch
    }
    ir::Tensor pointer{name, x.dtype, {}, ir::Home::kPointer, {}, {}};
    pointer.shape = Scalars(name, x.shape, y.shape);
    pointer.written = written_;
    const TensorId id = b_.lowering.program.tensors.Add(std::move(pointer));
    b_.Emit(ir::DefinePointerStep{id}, loc_);
    AtEnds(ir::PointStep{id, a}, ir::PointStep{id, b});
    return id;
  }

  // The options of a value, each of its own structure, and the index of the current one.
  struct Options {
    PrimRef which;
    std::vector<Form> forms;
  };
  Options OptionsOf(const Form& form) {
    if (const auto* choice = form.As<ChoiceForm>()) return {choice->which, choice->options};
    return {b_.lowering.ir.Int(0), {form}};
  }

  PrimRef Is(const Options& options, size_t n) {
    return b_.lowering.ir.Make(ir::BinaryOp::kEq, options.which,
                               b_.lowering.ir.Int(static_cast<int64_t>(n)));
  }

  // Merges option `n` of `then_options` with option `m` of `else_options`, or takes the only one.
  // When another option is current, its contents do not matter.
  Form OneOption(const std::string& name, const Options& then_options, std::optional<size_t> n,
                 const Options& else_options, std::optional<size_t> m) {
    ir::BranchStep in_then{nullptr, {}, {}}, in_else{nullptr, {}, {}};
    const bool then_chooses = n && then_options.forms.size() > 1;
    const bool else_chooses = m && else_options.forms.size() > 1;
    Join inner(b_, then_chooses ? in_then.then_steps : then_steps_,
               else_chooses ? in_else.then_steps : else_steps_, written_, loc_);
    Form form = n && m ? inner.Of(name, then_options.forms[*n], else_options.forms[*m])
                : n    ? inner.Hoisted(name, then_options.forms[*n], inner.then_steps_)
                       : inner.Hoisted(name, else_options.forms[*m], inner.else_steps_);
    if (!in_then.then_steps.empty()) {
      in_then.cond = Is(then_options, *n);
      then_steps_.push_back({std::move(in_then), loc_});
    }
    if (!in_else.then_steps.empty()) {
      in_else.cond = Is(else_options, *m);
      else_steps_.push_back({std::move(in_else), loc_});
    }
    return form;
  }

  // Returns the index of the current option. Options of equal structure are merged.
  Form Either(const std::string& name, const Form& a, const Form& b) {
    ir::Context& ir = b_.lowering.ir;
    const PrimRef which = ir.NewVar(absl::StrCat(name, "_is"));
    b_.Define(which, which);
    b_.Emit(ir::DefineStep{which}, loc_);
    const Options then_options = OptionsOf(a), else_options = OptionsOf(b);
    ChoiceForm choice{which, {}};
    std::vector<size_t> number_of(else_options.forms.size());
    std::vector<bool> shared(else_options.forms.size());
    for (size_t n = 0; n < then_options.forms.size(); ++n) {
      std::optional<size_t> same;
      for (size_t m = 0; m < else_options.forms.size() && !same; ++m) {
        if (!shared[m] && HaveEqualStructure(then_options.forms[n], else_options.forms[m]))
          same = m;
      }
      if (same) {
        number_of[*same] = n;
        shared[*same] = true;
      }
      choice.options.push_back(OneOption(name, then_options, n, else_options, same));
    }
    for (size_t m = 0; m < else_options.forms.size(); ++m) {
      if (shared[m]) continue;
      number_of[m] = choice.options.size();
      choice.options.push_back(OneOption(name, then_options, std::nullopt, else_options, m));
    }
    PrimRef else_which = nullptr;
    for (size_t m = 0; m < number_of.size(); ++m) {
      const PrimRef number = ir.Int(static_cast<int64_t>(number_of[m]));
      else_which = m == 0 ? number : ir.MakeSelect(Is(else_options, m), number, else_which);
    }
    AtEnds(ir::AssignStep{which, then_options.which}, ir::AssignStep{which, else_which});
    return Form{std::move(choice)};
  }

  PrimRef HoistedScalar(const std::string& name, PrimRef scalar, ir::Steps& steps) {
    if (b_.IsKnownAtEntry(scalar)) return scalar;
    const PrimRef var = b_.NewVarFor(name, {scalar});
    b_.Define(var, var);
    b_.Emit(ir::DefineStep{var}, loc_);
    RoutineBuilder::InBranch in(b_, steps);
    b_.Emit(ir::AssignStep{var, scalar}, loc_);
    return var;
  }

  Form Hoisted(const std::string& name, const Form& form, ir::Steps& steps) {
    const auto each = [&](std::vector<Form> forms) {
      for (Form& one : forms) one = Hoisted(name, one, steps);
      return forms;
    };
    if (const auto* scalar = form.As<PrimRef>()) return Form{HoistedScalar(name, *scalar, steps)};
    if (const auto* shape = form.As<ShapeForm>()) {
      ShapeForm kept;
      for (PrimRef dim : shape->dims) kept.dims.push_back(HoistedScalar(name, dim, steps));
      return Form{std::move(kept)};
    }
    if (const auto* tuple = form.As<TupleForm>()) return Form{TupleForm{each(tuple->fields)}};
    if (const auto* closure = form.As<ClosureForm>()) {
      return Form{ClosureForm{closure->function, each(closure->captured)}};
    }
    if (const auto* choice = form.As<ChoiceForm>()) {
      return Form{ChoiceForm{HoistedScalar(name, choice->which, steps), each(choice->options)}};
    }
    const auto* id = form.As<TensorId>();
    if (id == nullptr) return form;
    const ir::Tensor tensor = b_.lowering.program.tensors[*id];
    bool early = true;
    for (PrimRef dim : tensor.shape) early = early && b_.IsKnownAtEntry(dim);
    if (early && tensor.home != ir::Home::kPointer) return form;
    ir::Tensor pointer{name, tensor.dtype, {}, ir::Home::kPointer, {}, {}};
    for (PrimRef dim : tensor.shape) {
      pointer.shape.push_back(HoistedScalar(name, dim, steps));
      b_.lowering.program.routines[b_.routine].upper_bounds.push_back({pointer.shape.back(), dim});
    }
    pointer.written = written_;
    const TensorId to = b_.lowering.program.tensors.Add(std::move(pointer));
    b_.Emit(ir::DefinePointerStep{to}, loc_);
    RoutineBuilder::InBranch in(b_, steps);
    b_.Emit(ir::PointStep{to, *id}, loc_);
    return Form{to};
  }

  RoutineBuilder& b_;
  ir::Steps& then_steps_;
  ir::Steps& else_steps_;
  const bool written_;
  const Location& loc_;
};

}  // namespace

Form JoinForms(RoutineBuilder& b, const std::string& name, const Form& then_form,
               const Form& else_form, ir::Steps& then_steps, ir::Steps& else_steps, bool written,
               const Location& loc) {
  return Join(b, then_steps, else_steps, written, loc).Of(name, then_form, else_form);
}

PrimRef JoinSizes(RoutineBuilder& b, const std::string& name, PrimRef then_size, PrimRef else_size,
                  ir::Steps& then_steps, ir::Steps& else_steps, const Location& loc) {
  const PrimRef joined =
      Join(b, then_steps, else_steps, false, loc).Scalar(name, then_size, else_size);
  if (joined != then_size) {
    const PrimRef most = b.lowering.ir.Make(ir::BinaryOp::kMax, then_size, else_size);
    b.lowering.program.routines[b.routine].upper_bounds.push_back({joined, most});
  }
  return joined;
}

}  // namespace lathe::lower

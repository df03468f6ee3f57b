#include "generator/lower/join_forms.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/analysis/shape_vars.h"

namespace lathe::lower {
namespace {

using ir::PrimRef;
using ir::TensorId;

class Join {
 public:
  Join(RoutineBuilder& b, ir::Steps& then_steps, ir::Steps& else_steps, const Location& loc)
      : b_(b), then_steps_(then_steps), else_steps_(else_steps), loc_(loc) {}

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
    if (a.As<Nothing>() != nullptr && b.As<Nothing>() != nullptr) return a;
    return Either(name, a, b);
  }

 private:
  void AtEnds(const ir::Step::Node& then_node, const ir::Step::Node& else_node) {
    {
      RoutineBuilder::InBranch in(b_, then_steps_);
      b_.Emit(then_node, loc_);
    }
    RoutineBuilder::InBranch in(b_, else_steps_);
    b_.Emit(else_node, loc_);
  }

  PrimRef Scalar(const std::string& name, PrimRef a, PrimRef b) {
    if (a == b && b_.IsEarly(a)) return a;
    const PrimRef var = b_.all.ir.NewVar(name, a->dtype());
    b_.Define(var, var);
    b_.Emit(ir::DefineStep{var}, loc_);
    AtEnds(ir::AssignStep{var, a}, ir::AssignStep{var, b});
    return var;
  }

  std::vector<PrimRef> Scalars(const std::string& name, const std::vector<PrimRef>& a,
                               const std::vector<PrimRef>& b) {
    std::vector<PrimRef> joined;
    for (size_t i = 0; i < a.size(); ++i) {
      joined.push_back(Scalar(absl::StrCat(name, "_", i), a[i], b[i]));
      if (joined.back() == a[i]) continue;
      const PrimRef most = b_.all.ir.Make(ir::BinaryOp::kMax, a[i], b[i]);
      b_.all.program.routines[b_.routine].at_most.push_back({joined.back(), most});
    }
    return joined;
  }

  // Nothing for tensors of different ranks or dtypes.
  std::optional<TensorId> Tensors(const std::string& name, TensorId a, TensorId b) {
    const ir::Tensor x = b_.all.program.tensors[a], y = b_.all.program.tensors[b];
    if (x.dtype != y.dtype || x.shape.size() != y.shape.size()) return std::nullopt;
    if (a == b && x.home != ir::Home::kArena && x.home != ir::Home::kView &&
        x.home != ir::Home::kPointer) {
      return a;  // it was there before the branch
    }
    ir::Tensor pointer{name, x.dtype, {}, ir::Home::kPointer, {}, {}};
    pointer.shape = Scalars(name, x.shape, y.shape);
    pointer.written = !b_.may_view();
    const TensorId id = b_.all.program.tensors.Add(std::move(pointer));
    b_.Emit(ir::DefinePointerStep{id}, loc_);
    AtEnds(ir::PointStep{id, Own(a, then_steps_)}, ir::PointStep{id, Own(b, else_steps_)});
    return id;
  }

  // Where something writes into tensors, the value of a branch is a copy.
  TensorId Own(TensorId id, ir::Steps& steps) {
    if (b_.may_view()) return id;
    RoutineBuilder::InBranch in(b_, steps);
    ir::Tensor copy = b_.all.program.tensors[id];
    copy.home = ir::Home::kArena;
    copy.constant = {};
    copy.base = {};
    const TensorId to = b_.NewTensor(std::move(copy), loc_);
    b_.Emit(ir::CopyStep{id, to}, loc_);
    return to;
  }

  // The number of the one that it is. Each option keeps its own tensors; of its scalars and sizes,
  // which would end with the branch, it gets variables.
  Form Either(const std::string& name, const Form& a, const Form& b) {
    ir::Context& ir = b_.all.ir;
    const PrimRef which = ir.NewVar(absl::StrCat(name, "_is"));
    b_.Define(which, which);
    b_.Emit(ir::DefineStep{which}, loc_);
    AtEnds(ir::AssignStep{which, ir.Int(0)}, ir::AssignStep{which, ir.Int(1)});
    ChoiceForm choice{which, {Kept(name, a, then_steps_), Kept(name, b, else_steps_)}};
    return Form{std::move(choice)};
  }

  PrimRef KeptScalar(const std::string& name, PrimRef scalar, ir::Steps& steps) {
    if (b_.IsEarly(scalar)) return scalar;
    const PrimRef var = b_.all.ir.NewVar(name, scalar->dtype());
    b_.Define(var, var);
    b_.Emit(ir::DefineStep{var}, loc_);
    RoutineBuilder::InBranch in(b_, steps);
    b_.Emit(ir::AssignStep{var, scalar}, loc_);
    return var;
  }

  Form Kept(const std::string& name, const Form& form, ir::Steps& steps) {
    const auto each = [&](std::vector<Form> forms) {
      for (Form& one : forms) one = Kept(name, one, steps);
      return forms;
    };
    if (const auto* scalar = form.As<PrimRef>()) return Form{KeptScalar(name, *scalar, steps)};
    if (const auto* shape = form.As<ShapeForm>()) {
      ShapeForm kept;
      for (PrimRef dim : shape->dims) kept.dims.push_back(KeptScalar(name, dim, steps));
      return Form{std::move(kept)};
    }
    if (const auto* tuple = form.As<TupleForm>()) return Form{TupleForm{each(tuple->fields)}};
    if (const auto* closure = form.As<ClosureForm>()) {
      return Form{ClosureForm{closure->function, each(closure->captured)}};
    }
    if (const auto* choice = form.As<ChoiceForm>()) {
      return Form{ChoiceForm{KeptScalar(name, choice->which, steps), each(choice->options)}};
    }
    const auto* id = form.As<TensorId>();
    if (id == nullptr) return form;
    const ir::Tensor tensor = b_.all.program.tensors[*id];
    bool early = true;
    for (PrimRef dim : tensor.shape) early = early && b_.IsEarly(dim);
    if (early && tensor.home != ir::Home::kPointer) return form;
    ir::Tensor pointer{name, tensor.dtype, {}, ir::Home::kPointer, {}, {}};
    for (PrimRef dim : tensor.shape) {
      pointer.shape.push_back(KeptScalar(name, dim, steps));
      b_.all.program.routines[b_.routine].at_most.push_back({pointer.shape.back(), dim});
    }
    pointer.written = !b_.may_view();
    const TensorId to = b_.all.program.tensors.Add(std::move(pointer));
    b_.Emit(ir::DefinePointerStep{to}, loc_);
    const TensorId own = Own(*id, steps);
    RoutineBuilder::InBranch in(b_, steps);
    b_.Emit(ir::PointStep{to, own}, loc_);
    return Form{to};
  }

  RoutineBuilder& b_;
  ir::Steps& then_steps_;
  ir::Steps& else_steps_;
  const Location& loc_;
};

}  // namespace

Form JoinForms(RoutineBuilder& b, const std::string& name, const Form& then_form,
               const Form& else_form, ir::Steps& then_steps, ir::Steps& else_steps,
               const Location& loc) {
  return Join(b, then_steps, else_steps, loc).Of(name, then_form, else_form);
}

}  // namespace lathe::lower

#include "generator/lower/routine_builder.h"

#include <algorithm>
#include <functional>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/prove.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/analysis/arithmetic/substitute.h"
#include "generator/ir/each_body.h"
#include "generator/lower/boxed_values.h"
#include "generator/lower/structure_of.h"
#include "generator/transform/effects.h"

namespace lathe::lower {
using ir::PrimRef;
using ir::TensorId;

bool WritesInPlace(const ir::Module& module, const ir::Body& body) {
  bool writes = false;
  ForEachBinding(body, [&](const ir::Block&, const ir::Binding& binding) {
    const auto* call = std::get_if<ir::Call>(&binding.rhs);
    if (call == nullptr) return;
    const ir::Op* op = call->op();
    writes |= op != nullptr &&
              (op->name == "relax.call_builtin_with_ctx" || op->name == "relax.vm.call_tir_dyn" ||
               op->name == "relax.invoke_closure");
    const auto* gv = std::get_if<ir::GlobalId>(&call->callee);
    writes |= op != nullptr && transform::IsInplace(*op);
    // PrimFuncs, external functions and unknown callees may write to any argument. For functions of
    // the module, their bodies are analyzed.
    const bool own = gv != nullptr && module.globals[*gv].function() != nullptr;
    const auto* id = std::get_if<ir::ValueId>(&call->callee);
    const auto* known = id == nullptr ? nullptr : module.values[*id].info->As<ir::FuncInfo>();
    const bool pure = own || (known != nullptr && known->pure);
    writes |= op == nullptr && !pure;
  });
  return writes;
}

namespace {

// Visits the functions that calls and closures in `body` name.
void ForEachNamed(const ir::Operand& operand, const std::function<void(ir::GlobalId)>& visit) {
  if (const auto* id = operand.As<ir::GlobalId>()) visit(*id);
  if (const auto* tuple = operand.As<ir::TupleExpr>()) {
    for (const ir::Operand& field : tuple->fields) ForEachNamed(field, visit);
  }
}

// The same, including functions that may be inlined because they have no routine.
bool WritesOrInlinesWrites(const Lowering& lowering, const ir::Body& body,
                           absl::flat_hash_set<ir::GlobalId>& seen) {
  bool writes = WritesInPlace(lowering.module, body);
  const auto look = [&](ir::GlobalId id) {
    const ir::Function* f = lowering.module.globals[id].function();
    if (f == nullptr || lowering.CanBeRoutine(*f) || !seen.insert(id).second) return;
    writes = WritesOrInlinesWrites(lowering, f->body, seen) || writes;
  };
  ForEachNamed(body.result, look);
  ForEachBinding(body, [&](const ir::Block&, const ir::Binding& binding) {
    ForEachBody(binding.rhs, [&](const ir::Body& inner) { ForEachNamed(inner.result, look); });
    if (const auto* operand = std::get_if<ir::Operand>(&binding.rhs)) ForEachNamed(*operand, look);
    const auto* call = std::get_if<ir::Call>(&binding.rhs);
    if (call == nullptr) return;
    if (const auto* id = std::get_if<ir::GlobalId>(&call->callee)) {
      writes = writes || lowering.effects.WritesAny(*id);
      look(*id);
    }
    for (const ir::Operand& arg : call->args) ForEachNamed(arg, look);
  });
  return writes;
}

bool MayWrite(const Lowering& lowering, const ir::Function& f) {
  absl::flat_hash_set<ir::GlobalId> seen;
  return WritesOrInlinesWrites(lowering, f.body, seen);
}

}  // namespace

RoutineBuilder::RoutineBuilder(Lowering& lowering, ir::RoutineId id, const ir::Function& f)
    : lowering(lowering), routine(id), function(f), may_view_(!MayWrite(lowering, f)) {
  const ir::Routine& r = lowering.program.routines[id];
  for (const ir::Part& part : r.inputs) {
    if (const auto* var = std::get_if<PrimRef>(&part)) Define(*var, *var);
  }
  for (PrimRef var : r.sizes) Define(var, var);
  for (const auto& [var, value] : scope_) known_at_entry_.insert(var);
  BeginWithSizes(r);
}

void RoutineBuilder::Frame::Swap() {
  std::swap(b_.forms_, forms_);
  std::swap(b_.scope_, scope_);
}

void RoutineBuilder::EmitCheck(ir::CheckStep check, const Location& loc) {
  const auto* equal = check.cond->As<ir::Binary>();
  const bool is_equality = equal != nullptr && equal->op == ir::BinaryOp::kEq;
  const PrimRef swapped =
      is_equality ? lowering.ir.Make(equal->op, equal->rhs, equal->lhs) : check.cond;
  if (is_checked_.contains(swapped) || !is_checked_.insert(check.cond).second) return;
  checked_.push_back(check.cond);
  Emit(std::move(check), loc);
}

PrimRef RoutineBuilder::NewVarFor(absl::string_view name, const std::vector<PrimRef>& values) {
  const bool sizes = absl::c_all_of(values, [&](PrimRef value) { return IsSize(value); });
  const ir::DType dtype = values.front()->dtype();
  return sizes ? lowering.ir.NewVar(name, dtype) : lowering.NewNumber(name, dtype);
}

void RoutineBuilder::EmitChecks(SizeMatch& match, const Location& loc) {
  for (ir::CheckStep& check : match.Checks()) EmitCheck(std::move(check), loc);
}

void RoutineBuilder::EmitBranch(ir::Part cond, absl::FunctionRef<void()> then_side,
                                absl::FunctionRef<void()> else_side, const Location& loc) {
  ir::BranchStep step{std::move(cond), {}, {}};
  {
    const analysis::Assumptions before = known_sizes_;
    if (const auto* holds = std::get_if<PrimRef>(&step.cond)) Assume(*holds);
    InBranch in(*this, step.then_steps);
    then_side();
    known_sizes_ = before;
  }
  {
    InBranch in(*this, step.else_steps);
    else_side();
  }
  Emit(std::move(step), loc);
}

void RoutineBuilder::Define(PrimRef var, PrimRef value) {
  scope_[var] = value;
  for (PrimRef part : analysis::VarsIn(value)) vars_.Add(part);
}

PrimRef RoutineBuilder::Resolve(PrimRef e) {
  return analysis::Simplify(lowering.ir, analysis::Substitute(lowering.ir, e, scope_));
}

std::optional<Form> RoutineBuilder::FormOf(const ir::Operand& operand, const Location& loc) {
  return Match(
      operand.node,
      [&](ir::ValueId id) -> std::optional<Form> {
        const auto it = forms_.find(id);
        if (it != forms_.end()) return it->second;
        return std::nullopt;  // its binding was reported
      },
      [&](ir::ConstantId id) -> std::optional<Form> {
        const ir::Constant& c = lowering.module.constants[id];
        std::vector<PrimRef> dims;
        for (int64_t d : c.shape) dims.push_back(lowering.ir.Int(d));
        return Form{lowering.program.tensors.Add({absl::StrCat("const_", id.index),
                                                  c.dtype,
                                                  std::move(dims),
                                                  ir::Home::kConstant,
                                                  id,
                                                  {}})};
      },
      [&](const ir::ShapeExpr& s) -> std::optional<Form> {
        ShapeForm form;
        for (PrimRef value : s.values) {
          form.dims.push_back(Resolve(value));
          (void)Limited(form.dims.back(), SignedSums::kLimited, "a shape", loc);
        }
        return Form{std::move(form)};
      },
      // Integer arithmetic that may wrap around or divide by 0 is left unchanged.
      [&](const ir::PrimValue& p) -> std::optional<Form> {
        return Form{analysis::Substitute(lowering.ir, p.value, scope_)};
      },
      [&](const ir::StringImm& s) -> std::optional<Form> { return Form{s}; },
      [&](const ir::DTypeImm& d) -> std::optional<Form> { return Form{d}; },
      [&](const ir::TupleExpr& t) -> std::optional<Form> {
        TupleForm form;
        size_t leaves = 0;
        for (const ir::Operand& field : t.fields) {
          auto part = FormOf(field, loc);
          if (!part) return std::nullopt;
          leaves += CountLeaves(*part);
          if (leaves > kMaxPartsOfValue) {
            lowering.Unsupported(loc)
                << "a tuple with more than " << kMaxPartsOfValue
                << " parts (each occurrence of a field counts) cannot be lowered to C; "
                << kSupported;
            return std::nullopt;
          }
          form.fields.push_back(*std::move(part));
        }
        return Form{std::move(form)};
      },
      [&](ir::GlobalId id) -> std::optional<Form> { return Form{id}; },
      [&](const ir::ExternFunc& f) -> std::optional<Form> { return Form{f}; });
}

std::optional<Form> RoutineBuilder::NewResult(ir::StructInfoRef info, absl::string_view name,
                                              ir::Home home, const Location& loc) {
  auto form = lowering.NewForm(info, name, home, false, loc);
  if (!form) return std::nullopt;
  for (const ir::Part& part : PartsOf(*form)) {
    if (const auto* id = std::get_if<TensorId>(&part)) {
      for (PrimRef& dim : lowering.program.tensors[*id].shape) dim = Resolve(dim);
      CheckSizes(std::vector<PrimRef>(lowering.program.tensors[*id].shape), name, loc);
      depth_of_[*id] = depth_;
      if (HasDynamicSize(*id)) Emit(ir::ReserveStep{*id}, loc);
      continue;
    }
    const PrimRef var = std::get<PrimRef>(part);
    Define(var, var);
    Emit(ir::DefineStep{var}, loc);
  }
  return form;
}

bool RoutineBuilder::IsKnownAtEntry(PrimRef e) const {
  for (PrimRef var : analysis::VarsIn(e)) {
    if (!known_at_entry_.contains(var)) return false;
  }
  return true;
}

bool RoutineBuilder::HasDynamicSize(TensorId id) const {
  const ir::Tensor& tensor = lowering.program.tensors[id];
  for (PrimRef dim : tensor.shape) {
    if (!IsKnownAtEntry(dim)) return tensor.home == ir::Home::kArena;
  }
  return false;
}

TensorId RoutineBuilder::NewTensor(ir::Tensor tensor, const Location& loc) {
  CheckSizes(tensor.shape, tensor.name, loc);
  const TensorId id = lowering.program.tensors.Add(std::move(tensor));
  depth_of_[id] = depth_;
  if (HasDynamicSize(id)) Emit(ir::ReserveStep{id}, loc);
  return id;
}

ir::StructInfoRef RoutineBuilder::InfoOf(const Form& form) const {
  if (const auto* id = form.As<TensorId>()) {
    const ir::Tensor& tensor = lowering.program.tensors[*id];
    return tensor.is_value() ? lowering.ir.Object()
                             : lowering.ir.Tensor(tensor.shape, tensor.dtype);
  }
  if (const auto* scalar = form.As<PrimRef>()) return lowering.ir.Prim((*scalar)->dtype(), *scalar);
  if (const auto* shape = form.As<ShapeForm>()) return lowering.ir.Shape(shape->dims);
  if (const auto* tuple = form.As<TupleForm>()) {
    std::vector<ir::StructInfoRef> fields;
    for (const Form& field : tuple->fields) fields.push_back(InfoOf(field));
    return lowering.ir.Tuple(std::move(fields));
  }
  return lowering.ir.Object();
}

TensorId RoutineBuilder::NewView(TensorId whole, const ir::TensorInfo& info, absl::string_view name,
                                 const Location& loc) {
  ir::Tensor view{std::string(name), info.dtype, {}, ir::Home::kView, {}, whole};
  view.vdevice = info.vdevice;
  for (PrimRef dim : *info.dims()) view.shape.push_back(Resolve(dim));
  CheckSizes(view.shape, name, loc);
  return lowering.program.tensors.Add(std::move(view));
}

bool RoutineBuilder::Deliver(const Form& from, const Form& to, const Location& loc) {
  const auto place = AsBoxed(lowering.program, to), given = AsBoxed(lowering.program, from);
  if (place && !given) return BoxInto(*this, from, *place, IsOutput(*place), loc);
  if (given && !place) {
    const auto opened =
        Unbox(*this, *given, InfoOf(to), lowering.program.tensors[*given].name, loc);
    return opened && Deliver(*opened, to, loc);
  }
  // A returned parameter that was written in place needs no store.
  const auto* id = from.As<TensorId>();
  const bool is_input = id != nullptr && lowering.program.tensors[*id].home == ir::Home::kInput;
  if (is_input && to.As<Nothing>() != nullptr) return true;
  const auto* fields = from.As<TupleForm>();
  const auto* parts = to.As<TupleForm>();
  if (fields != nullptr && parts != nullptr && fields->fields.size() == parts->fields.size()) {
    for (size_t i = 0; i < fields->fields.size(); ++i) {
      if (!Deliver(fields->fields[i], parts->fields[i], loc)) return false;
    }
    return true;
  }
  return DeliverParts(from, to, loc);
}

bool RoutineBuilder::DeliverParts(const Form& from, const Form& to, const Location& loc) {
  const std::vector<ir::Part> values = PartsOf(from);
  const std::vector<ir::Part> places = PartsOf(to);
  bool equal_structure = values.size() == places.size();
  for (size_t i = 0; equal_structure && i < values.size(); ++i) {
    const auto* value = std::get_if<TensorId>(&values[i]);
    const auto* place = std::get_if<TensorId>(&places[i]);
    equal_structure = (value == nullptr) == (place == nullptr);
    if (!equal_structure) break;
    if (value != nullptr) {
      if (!DeliverTensor(*value, *place, loc)) return false;
    } else {
      const PrimRef var = std::get<PrimRef>(places[i]);
      const PrimRef scalar = lowering.ir.MakeCast(var->dtype(), std::get<PrimRef>(values[i]));
      Emit(ir::AssignStep{var, scalar}, loc);
    }
  }
  if (!equal_structure) {
    lowering.Unsupported(loc) << "a result of dynamic structure cannot be lowered to C; "
                              << kSupported;
  }
  return equal_structure;
}

bool RoutineBuilder::DeliverTensor(TensorId from, TensorId to, const Location& loc) {
  ir::Program& program = lowering.program;
  // Only the routine itself can set the sizes of its outputs.
  if (IsOutput(to) && !program.tensors[to].is_value()) {
    program.tensors[to].shape = program.tensors[from].shape;
  }
  if (!TryAllocateIn(from, to)) Emit(ir::CopyStep{from, to}, loc);
  return true;
}

ir::Part RoutineBuilder::AsScalar(TensorId tensor) {
  const auto it = scalar_of_.find(tensor);
  if (it == scalar_of_.end()) return tensor;
  const auto* last = steps_->empty() ? nullptr : std::get_if<ir::KernelStep>(&steps_->back().node);
  const bool is_last = last != nullptr && last->tensors == std::vector<TensorId>{tensor};
  if (is_last && it->second.once) steps_->pop_back();
  return it->second.value;
}

bool RoutineBuilder::IsUnwritten(const ir::Operand& operand) const {
  bool unwritten = true;
  ir::ForEachLeaf(operand, [&](const ir::Operand& leaf) {
    const auto* id = leaf.As<ir::ValueId>();
    unwritten = unwritten && (id == nullptr || !written_.Has(*id));
  });
  return unwritten;
}

bool RoutineBuilder::CanMove(TensorId from) const {
  for (TensorId id = from; lowering.program.tensors[id].home == ir::Home::kView;) {
    if (lowering.program.tensors[id].byte_offset != nullptr) return false;
    id = lowering.program.tensors[id].base;
  }
  const ir::Tensor& whole = lowering.program.tensors[lowering.program.Whole(from)];
  const auto made = depth_of_.find(lowering.program.Whole(from));
  const bool here = made != depth_of_.end() && made->second == depth_;
  return here && whole.home == ir::Home::kArena && !whole.returned;
}

bool RoutineBuilder::TryAllocateIn(TensorId from, TensorId to) {
  if (!CanMove(from)) return false;
  ir::Tensor& whole = lowering.program.tensors[lowering.program.Whole(from)];
  whole.home = ir::Home::kView;
  whole.base = to;
  return true;
}

bool RoutineBuilder::EndRankChoice(const std::string& what, const Location& loc) {
  if (depth_ != rank_choice_depth_) return false;
  EndRun(what, loc);
  return true;
}

void RoutineBuilder::EndRun(const std::string& what, const Location& loc) {
  Emit(ir::CheckStep{lowering.ir.Int(0, ir::DType::Bool()), what}, loc);
}

void RoutineBuilder::TryAllocateKept(TensorId from) {
  const TensorId whole = lowering.program.Whole(from);
  if (may_view_ && CanMove(from) && HasDynamicSize(whole)) {
    lowering.program.tensors[whole].home = ir::Home::kKept;
  }
}

}  // namespace lathe::lower

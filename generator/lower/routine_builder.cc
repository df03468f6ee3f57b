#include "generator/lower/routine_builder.h"

#include "absl/strings/str_cat.h"
#include "generator/analysis/simplify.h"
#include "generator/analysis/substitute.h"
#include "generator/ir/each_body.h"
#include "generator/transform/effects.h"

namespace lathe::lower {
namespace {

using ir::PrimRef;
using ir::TensorId;

}  // namespace

bool WritesInPlace(const ir::Module& module, const ir::Body& body) {
  bool writes = false;
  ForEachBinding(body, [&](const ir::Block&, const ir::Binding& binding) {
    const auto* call = std::get_if<ir::Call>(&binding.rhs);
    if (call == nullptr) return;
    const ir::Op* op = call->op();
    const auto* gv = std::get_if<ir::GlobalId>(&call->callee);
    writes |= op != nullptr && transform::IsInplace(*op);
    // A PrimFunc writes where it likes; so does what comes from outside, or what is not known.
    const ir::Function* f = gv == nullptr ? nullptr : module.globals[*gv].function();
    writes |= op == nullptr && (f == nullptr || !f->pure);
  });
  return writes;
}

RoutineBuilder::RoutineBuilder(Lowering& lowering, ir::RoutineId id, const ir::Function& f)
    : all(lowering), routine(id), may_view_(!WritesInPlace(lowering.module, f.body)) {
  const ir::Routine& r = all.program.routines[id];
  for (const ir::Part& part : r.inputs) {
    if (const auto* var = std::get_if<PrimRef>(&part)) scope_[*var] = *var;
  }
  for (PrimRef var : r.sizes) scope_[var] = var;
}

void RoutineBuilder::EmitChecks(SizeMatch& match, const Location& loc) {
  for (ir::CheckStep& check : match.Checks()) Emit(std::move(check), loc);
}

PrimRef RoutineBuilder::Settle(PrimRef e) {
  return analysis::Simplify(all.ir, analysis::Substitute(all.ir, e, scope_));
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
        const ir::Constant& c = all.module.constants[id];
        std::vector<PrimRef> dims;
        for (int64_t d : c.shape) dims.push_back(all.ir.Int(d));
        return Form{all.program.tensors.Add({absl::StrCat("const_", id.index),
                                             c.dtype,
                                             std::move(dims),
                                             ir::Home::kConstant,
                                             id,
                                             {}})};
      },
      [&](const ir::ShapeExpr& s) -> std::optional<Form> {
        ShapeForm form;
        for (PrimRef value : s.values) form.dims.push_back(Settle(value));
        return Form{std::move(form)};
      },
      [&](const ir::PrimValue& p) -> std::optional<Form> { return Form{Settle(p.value)}; },
      [&](const ir::StringImm& s) -> std::optional<Form> { return Form{s}; },
      [&](const ir::DTypeImm& d) -> std::optional<Form> { return Form{d}; },
      [&](const ir::TupleExpr& t) -> std::optional<Form> {
        TupleForm form;
        for (const ir::Operand& field : t.fields) {
          auto part = FormOf(field, loc);
          if (!part) return std::nullopt;
          form.fields.push_back(*std::move(part));
        }
        return Form{std::move(form)};
      },
      [&](ir::GlobalId id) -> std::optional<Form> { return Form{id}; },
      [&](const ir::ExternFunc& f) -> std::optional<Form> { return Form{f}; });
}

std::optional<Form> RoutineBuilder::NewResult(ir::StructInfoRef info, absl::string_view name,
                                              ir::Home home, const Location& loc) {
  auto form = all.NewForm(info, name, home, false, loc);
  if (!form) return std::nullopt;
  for (const ir::Part& part : PartsOf(*form)) {
    if (const auto* id = std::get_if<TensorId>(&part)) {
      for (PrimRef& dim : all.program.tensors[*id].shape) dim = Settle(dim);
      depth_of_[*id] = depth_;
      continue;
    }
    const PrimRef var = std::get<PrimRef>(part);
    scope_[var] = var;
    Emit(ir::DefineStep{var}, loc);
  }
  return form;
}

TensorId RoutineBuilder::NewView(TensorId whole, const ir::TensorInfo& info,
                                 absl::string_view name) {
  ir::Tensor view{std::string(name), info.dtype, {}, ir::Home::kView, {}, whole};
  for (PrimRef dim : *info.dims()) view.shape.push_back(Settle(dim));
  return all.program.tensors.Add(std::move(view));
}

bool RoutineBuilder::Deliver(const Form& from, const Form& to, const Location& loc) {
  const std::vector<ir::Part> values = PartsOf(from);
  const std::vector<ir::Part> places = PartsOf(to);
  bool alike = values.size() == places.size();
  for (size_t i = 0; alike && i < values.size(); ++i) {
    const auto* value = std::get_if<TensorId>(&values[i]);
    const auto* place = std::get_if<TensorId>(&places[i]);
    alike = (value == nullptr) == (place == nullptr);
    if (!alike) break;
    if (value != nullptr) {
      if (!DeliverTensor(*value, *place, loc)) return false;
    } else {
      const PrimRef var = std::get<PrimRef>(places[i]);
      const PrimRef scalar = all.ir.MakeCast(var->dtype(), std::get<PrimRef>(values[i]));
      Emit(ir::AssignStep{var, scalar}, loc);
    }
  }
  if (!alike) {
    all.Unsupported(loc) << "a result whose structure is known only when the program runs cannot "
                            "be lowered to C; "
                         << kSupported;
  }
  return alike;
}

bool RoutineBuilder::DeliverTensor(TensorId from, TensorId to, const Location& loc) {
  ir::Program& program = all.program;
  const TensorId whole = program.Whole(from);
  // An output that only its own routine can give sizes to.
  if (program.tensors[to].home == ir::Home::kOutput) {
    program.tensors[to].shape = program.tensors[from].shape;
  }
  const auto made = depth_of_.find(whole);
  const bool here = made != depth_of_.end() && made->second == depth_;
  if (here && program.tensors[whole].home == ir::Home::kArena) {
    program.tensors[whole].home = ir::Home::kView;
    program.tensors[whole].base = to;
    return true;
  }
  Emit(ir::CopyStep{from, to}, loc);
  return true;
}

}  // namespace lathe::lower

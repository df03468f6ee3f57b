#include "generator/lower/check_functions.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/analysis/arithmetic/substitute.h"
#include "generator/analysis/derive/derive_prim_func.h"
#include "generator/analysis/instantiate.h"
#include "generator/analysis/subtyping.h"
#include "generator/lower/prim_funcs_by_symbol.h"

namespace lathe::lower {
namespace {

using ir::PrimRef;
using ir::StructInfoRef;

// Decides whether one info is a subtype of another, and collects the size equalities that this
// needs.
class Comparison {
 public:
  explicit Comparison(RoutineBuilder& b)
      : ir_(b.lowering.ir), facts_{b.lowering.ir, b.lowering.module, b.vars(), none_} {}

  bool IsSubtype(StructInfoRef sub, StructInfoRef super) {
    if (analysis::IsSubtype(facts_, sub, super) == ir::Tri::kYes) return true;
    if (sub->node().index() != super->node().index()) return false;
    if (const auto* f = sub->As<ir::FuncInfo>()) return Function(*f, *super->As<ir::FuncInfo>());
    if (const auto* a = sub->As<ir::TupleInfo>()) {
      return Each(a->fields, super->As<ir::TupleInfo>()->fields);
    }
    if (const auto* a = sub->As<ir::ShapeInfo>()) {
      const auto* b = super->As<ir::ShapeInfo>();
      return a->values && b->values && Equal(*a->values, *b->values);
    }
    const auto* a = sub->As<ir::TensorInfo>();
    const auto* b = super->As<ir::TensorInfo>();
    if (a == nullptr || a->dims() == nullptr || b->dims() == nullptr) return false;
    ir::TensorInfo copy = *a;  // equal except for the sizes
    copy.shape = *b->dims();
    const StructInfoRef same = ir_.Make(ir::StructInfo::Node(std::move(copy)));
    return analysis::IsSubtype(facts_, same, super) == ir::Tri::kYes &&
           Equal(*a->dims(), *b->dims());
  }

  // The equalities that must hold at run time.
  const std::vector<PrimRef>& equalities() const { return equalities_; }

 private:
  bool Function(const ir::FuncInfo& sub, const ir::FuncInfo& super) {
    if (!sub.params || !super.params || (super.pure && !sub.pure)) return false;
    const ir::FuncInfo fitted = analysis::Instantiate(facts_, sub, *super.params);
    return Each(*super.params, *fitted.params) && IsSubtype(fitted.ret, super.ret);
  }
  bool Each(const std::vector<StructInfoRef>& sub, const std::vector<StructInfoRef>& super) {
    bool all = sub.size() == super.size();
    for (size_t i = 0; all && i < sub.size(); ++i) all = IsSubtype(sub[i], super[i]);
    return all;
  }
  bool Equal(const std::vector<PrimRef>& a, const std::vector<PrimRef>& b) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i) {
      const ir::Tri equal = analysis::Equal(facts_, a[i], b[i]);
      if (equal == ir::Tri::kYes) continue;
      if (equal == ir::Tri::kNo || !IsOfRoutine(a[i]) || !IsOfRoutine(b[i])) return false;
      equalities_.push_back(ir_.Make(ir::BinaryOp::kEq, a[i], b[i]));
    }
    return true;
  }
  bool IsOfRoutine(PrimRef e) const {
    return absl::c_all_of(analysis::VarsIn(e), [&](PrimRef var) { return facts_.scope.Has(var); });
  }

  ir::Context& ir_;
  const analysis::Assumptions none_;
  const analysis::Facts facts_;
  std::vector<PrimRef> equalities_;
};

// Returns the callable info of a function whose last parameters are bound to `kept`.
StructInfoRef CheckedStructure(RoutineBuilder& b, const ir::Function& f,
                               const std::vector<Form>& kept) {
  ir::FuncInfo info;
  info.params.emplace();
  const size_t open = f.params.size() - std::min(f.params.size(), kept.size());
  const auto own = [](PrimRef) { return true; };
  analysis::ShapeVarMap mapping;
  for (size_t i = 0; i < f.params.size(); ++i) {
    const StructInfoRef param = b.lowering.module.values[f.params[i]].info;
    if (i < open) {
      info.params->push_back(param);
    } else {
      analysis::AddShapeVarMapping(param, b.InfoOf(kept[i - open]), own, mapping);
    }
  }
  info.ret = f.ret != nullptr ? f.ret : f.ret_info;
  if (info.ret == nullptr) info.ret = b.lowering.ir.Object();
  info.pure = f.pure;
  // The function's own variables may also be variables of the routine, if the routine is one of the
  // same function. Renaming keeps them apart.
  for (PrimRef var : analysis::OwnVars(info)) {
    if (!mapping.contains(var)) mapping[var] = b.lowering.ir.NewVarLike(var);
  }
  return analysis::Substitute(b.lowering.ir,
                              b.lowering.ir.Make(ir::StructInfo::Node(std::move(info))), mapping);
}

// The facts known about a function at this point.
struct Known {
  bool is_function = false;
  bool is_packed = false;        // it may be used where a packed function is expected
  StructInfoRef info = nullptr;  // null if its parameters are unknown
};

Known OfPrimFunc(RoutineBuilder& b, const ir::PrimFunc& func) {
  return {true, true, analysis::DerivePrimFunc(b.lowering.ir, func)};
}

Known KnownOf(RoutineBuilder& b, const Form& form) {
  const ir::Module& module = b.lowering.module;
  if (const auto* f = form.As<ir::ExternFunc>()) {
    const auto own = PrimFuncOf(module, f->name);
    return own ? OfPrimFunc(b, *module.globals[*own].prim_func()) : Known{true, true};
  }
  const auto* closure = form.As<ClosureForm>();
  const auto* global = form.As<ir::GlobalId>();
  if (closure == nullptr && global == nullptr) return {};
  const ir::Global& called = module.globals[closure != nullptr ? closure->function : *global];
  if (const ir::PrimFunc* func = called.prim_func()) return OfPrimFunc(b, *func);
  const ir::Function* f = called.function();
  if (f == nullptr) return {true, true};
  return {true, false,
          CheckedStructure(b, *f, closure != nullptr ? closure->captured : std::vector<Form>())};
}

// Emits the checks of each option under the condition that selects it.
void CheckEach(RoutineBuilder& b, const ChoiceForm& choice, StructInfoRef info,
               const std::string& name, const Location& loc) {
  for (size_t n = 0; n < choice.options.size(); ++n) {
    const PrimRef number = b.lowering.ir.Int(static_cast<int64_t>(n));
    ir::BranchStep step{b.lowering.ir.Make(ir::BinaryOp::kEq, choice.which, number), {}, {}};
    {
      RoutineBuilder::InBranch in(b, step.then_steps);
      CheckFunctions(b, choice.options[n], info, name, loc);
    }
    if (!step.then_steps.empty()) b.Emit(std::move(step), loc);
  }
}

}  // namespace

void CheckFunctions(RoutineBuilder& b, const Form& form, StructInfoRef info,
                    const std::string& name, const Location& loc) {
  if (const auto* tuple = form.As<TupleForm>()) {
    const auto* infos = info->As<ir::TupleInfo>();
    if (infos == nullptr || infos->fields.size() != tuple->fields.size()) return;
    for (size_t i = 0; i < tuple->fields.size(); ++i) {
      CheckFunctions(b, tuple->fields[i], infos->fields[i], absl::StrCat(name, "_", i), loc);
    }
    return;
  }
  const auto* wanted = info->As<ir::FuncInfo>();
  if (wanted == nullptr) return;
  if (const auto* choice = form.As<ChoiceForm>()) return CheckEach(b, *choice, info, name, loc);
  const std::string what = absl::StrCat("the signature of ", name);
  const auto fail = [&] { b.EmitCheck({b.lowering.ir.Int(0, ir::DType::Bool()), what}, loc); };
  const Known known = KnownOf(b, form);
  if (!known.is_function) return;
  if (!wanted->params) {
    if (!known.is_packed) fail();
    return;
  }
  if (known.info == nullptr) return fail();
  Comparison comparison(b);
  if (!comparison.IsSubtype(known.info, analysis::Substitute(b.lowering.ir, info, b.scope()))) {
    return fail();
  }
  for (PrimRef equality : comparison.equalities()) b.EmitCheck({equality, what}, loc);
}

}  // namespace lathe::lower

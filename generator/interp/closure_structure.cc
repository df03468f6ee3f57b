#include "generator/interp/closure_structure.h"

#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/substitute.h"
#include "generator/analysis/derive/derive_prim_func.h"
#include "generator/analysis/subtyping.h"
#include "generator/interp/match_struct_info.h"

namespace lathe::interp {
namespace {

using ir::PrimRef;
using ir::StructInfoRef;
using Mismatch = std::optional<std::string>;

PrimRef ConstantOf(ir::Context& ir, const Scalar& value) {
  if (value.dtype.is_floating()) return ir.Float(value.AsDouble(), value.dtype);
  return ir.Int(value.AsInt(), value.dtype);
}

ir::TensorInfo::ShapeOrVar DimsOf(ir::Context& ir, const std::vector<int64_t>& dims) {
  std::vector<PrimRef> values;
  values.reserve(dims.size());
  for (int64_t dim : dims) values.push_back(ir.Int(dim));
  return values;
}

// `info` with all variables that have values replaced by them.
template <typename FindValue>
StructInfoRef Concrete(Runtime& rt, StructInfoRef info, const ShapeVars& shape_vars,
                       FindValue find) {
  analysis::ShapeVarMap mapping;
  for (const auto& [var, value] : shape_vars) mapping[var] = ConstantOf(rt.ir, value);
  analysis::ShapeVarOfCallee shapes;
  std::vector<StructInfoRef> pending = {info};
  while (!pending.empty()) {
    const StructInfoRef part = pending.back();
    pending.pop_back();
    if (const auto* t = part->As<ir::TensorInfo>(); t != nullptr && t->shape_var() != nullptr) {
      const Value* value = find(*t->shape_var());
      const auto* dims = value == nullptr ? nullptr : value->AsShape();
      if (dims != nullptr) shapes[*t->shape_var()] = DimsOf(rt.ir, *dims);
    } else if (const auto* tuple = part->As<ir::TupleInfo>()) {
      pending.insert(pending.end(), tuple->fields.begin(), tuple->fields.end());
    } else if (const auto* f = part->As<ir::FuncInfo>()) {
      if (f->params) pending.insert(pending.end(), f->params->begin(), f->params->end());
      if (f->ret != nullptr) pending.push_back(f->ret);
    }
  }
  return analysis::Substitute(rt.ir, info, mapping, shapes);
}

StructInfoRef ParamInfoOf(Runtime& rt, ir::ValueId param) {
  const ir::Value& v = rt.module.values[param];
  if (v.annotation != nullptr) return v.annotation;
  return v.info != nullptr ? v.info : rt.ir.Object();
}

StructInfoRef WrittenInfo(Runtime& rt, const Closure& closure) {
  const ir::Function& f = *closure.function;
  ir::FuncInfo info;
  info.params.emplace();
  const size_t open = f.params.size() - std::min(f.params.size(), closure.last_args.size());
  for (size_t n = 0; n < open; ++n) info.params->push_back(ParamInfoOf(rt, f.params[n]));
  // f.ret uses the variables of the parameters' annotations; f.info does not.
  info.ret = f.ret != nullptr ? f.ret : f.ret_info;
  if (info.ret == nullptr) info.ret = rt.ir.Object();
  info.pure = f.pure;
  return rt.ir.Make(ir::StructInfo::Node(std::move(info)));
}

}  // namespace

StructInfoRef StructureOf(Runtime& rt, const Closure& closure) {
  // The arguments of R.make_closure determine the shape variables of its parameters.
  const std::vector<ir::ValueId>& params = closure.function->params;
  const size_t given = std::min(params.size(), closure.last_args.size());
  Scope scope;
  for (const auto& [var, value] : closure.shape_vars) scope.BindShapeVar(var, value);
  for (size_t n = 0; n < given; ++n) {
    const ir::ValueId param = params[params.size() - given + n];
    BindLoneVars(closure.last_args[n], ParamInfoOf(rt, param), scope);
  }
  return Concrete(rt, WrittenInfo(rt, closure), scope.shape_vars(), [&](ir::ValueId id) {
    for (const auto& [captured, value] : closure.captured) {
      if (captured == id) return &value;
    }
    return static_cast<const Value*>(nullptr);
  });
}

absl::StatusOr<Mismatch> MatchFunction(Runtime& rt, const Value& value, const ir::FuncInfo& info,
                                       const Scope& scope) {
  if (!info.params) {
    // A packed function has no further structure; an exported PrimFunc is called like one.
    if (value.AsPacked() != nullptr || value.As<PrimFuncValue>() != nullptr) return Mismatch();
    return Mismatch(absl::StrCat("it is ", Describe(value), ", not a packed function"));
  }
  StructInfoRef found = nullptr;
  if (const Closure* closure = value.AsClosure()) found = StructureOf(rt, *closure);
  if (const auto* f = value.As<PrimFuncValue>()) {
    found = analysis::DerivePrimFunc(rt.ir, *f->global->prim_func());
  }
  if (found == nullptr) return Mismatch(absl::StrCat("it is ", Describe(value), ", not a closure"));
  const StructInfoRef wanted =
      Concrete(rt, rt.ir.Make(ir::StructInfo::Node(info)), scope.shape_vars(),
               [&](ir::ValueId id) { return scope.Find(id); });
  // All variables in scope were replaced by numbers.
  const analysis::ShapeScope empty;
  const analysis::Assumptions assumptions;
  const analysis::Facts facts{rt.ir, rt.module, empty, assumptions};
  std::string why;
  if (analysis::IsSubtype(facts, found, wanted, &why) == ir::Tri::kYes) return Mismatch();
  return Mismatch(absl::StrCat("its type is ", rt.Show(found), why.empty() ? "" : ": ", why));
}

}  // namespace lathe::interp

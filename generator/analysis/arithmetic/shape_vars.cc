#include "generator/analysis/arithmetic/shape_vars.h"

#include "absl/container/flat_hash_set.h"
#include "generator/support/match.h"

namespace lathe::analysis {
namespace {

using ir::PrimRef;
using ir::StructInfoRef;

struct VarCollector {
  absl::flat_hash_set<PrimRef> seen;
  absl::flat_hash_set<PrimRef> bound;
  std::vector<PrimRef> vars;

  void Visit(PrimRef e) {
    if (!seen.insert(e).second) return;
    if (e->As<ir::SymVar>() != nullptr) {
      if (!bound.contains(e)) vars.push_back(e);
      return;
    }
    if (const auto* let = e->As<ir::Let>()) bound.insert(let->var);
    if (const auto* reducer = e->As<ir::CommReducer>()) {
      bound.insert(reducer->lhs.begin(), reducer->lhs.end());
      bound.insert(reducer->rhs.begin(), reducer->rhs.end());
    }
    ir::ForEachOperand(e, [this](PrimRef operand) { Visit(operand); });
  }
};

// Structural information is shared (nested pairs may be a single node per level), so each tuple is
// visited once.
struct DimWalk {
  absl::FunctionRef<void(PrimRef)> visit;
  absl::flat_hash_set<StructInfoRef> seen;

  void Walk(StructInfoRef info) {
    const auto all = [this](const std::vector<PrimRef>& dims) {
      for (PrimRef dim : dims) visit(dim);
    };
    Match(
        info->node(), [](const ir::ObjectInfo&) {},
        [this](const ir::PrimInfo& p) {
          if (p.value != nullptr) visit(p.value);
        },
        [&](const ir::ShapeInfo& s) {
          if (s.values) all(*s.values);
        },
        [&](const ir::TensorInfo& t) {
          if (t.dims() != nullptr) all(*t.dims());
        },
        [&](const ir::TupleInfo& t) {
          if (!seen.insert(info).second) return;
          for (StructInfoRef field : t.fields) Walk(field);
        },
        [](const ir::FuncInfo&) {});
  }
};

struct FreeVarCollector {
  using Seen = absl::flat_hash_set<StructInfoRef>;

  bool functions_bind = true;  // whether function infos bind their own variables
  absl::flat_hash_set<PrimRef> listed;
  std::vector<PrimRef> vars;

  // `seen` holds the tuples and functions visited under the same `bound`.
  void Collect(StructInfoRef info, const absl::flat_hash_set<PrimRef>& bound, Seen& seen) {
    if (const auto* tuple = info->As<ir::TupleInfo>()) {
      if (!seen.insert(info).second) return;
      for (StructInfoRef field : tuple->fields) Collect(field, bound, seen);
    } else if (const auto* func = info->As<ir::FuncInfo>()) {
      if (!seen.insert(info).second) return;
      absl::flat_hash_set<PrimRef> inner = bound;
      if (functions_bind) {
        for (PrimRef own : OwnVars(*func)) inner.insert(own);
      }
      Seen seen_inside;
      Seen& visited = functions_bind ? seen_inside : seen;
      if (func->params) {
        for (StructInfoRef param : *func->params) Collect(param, inner, visited);
      }
      if (func->ret != nullptr) Collect(func->ret, inner, visited);
    } else {
      ForEachDim(info, [&](PrimRef dim) {
        for (PrimRef var : VarsIn(dim)) {
          if (!bound.contains(var) && listed.insert(var).second) vars.push_back(var);
        }
      });
    }
  }
};

struct MappingBuilder {
  absl::FunctionRef<bool(PrimRef)> unbound;
  ShapeVarMap& mapping;
  absl::flat_hash_set<std::pair<StructInfoRef, StructInfoRef>> seen;

  void Bind(PrimRef formal, PrimRef actual) {
    if (formal->As<ir::SymVar>() != nullptr && unbound(formal)) mapping.try_emplace(formal, actual);
  }

  void BindAll(const std::vector<PrimRef>& formal, const std::vector<PrimRef>& actual) {
    if (formal.size() != actual.size()) return;
    for (size_t i = 0; i < formal.size(); ++i) Bind(formal[i], actual[i]);
  }

  void AddAll(const std::vector<StructInfoRef>& formal, const std::vector<StructInfoRef>& actual) {
    if (formal.size() != actual.size()) return;
    for (size_t i = 0; i < formal.size(); ++i) Add(formal[i], actual[i]);
  }

  void Add(StructInfoRef formal, StructInfoRef actual) {
    if (formal->node().index() != actual->node().index()) return;
    if (formal->As<ir::TupleInfo>() != nullptr && !seen.insert({formal, actual}).second) return;
    Match(
        formal->node(), [](const ir::ObjectInfo&) {},
        [&](const ir::PrimInfo& f) {
          const auto* a = actual->As<ir::PrimInfo>();
          if (f.value != nullptr && a->value != nullptr) Bind(f.value, a->value);
        },
        [&](const ir::ShapeInfo& f) {
          const auto* a = actual->As<ir::ShapeInfo>();
          if (f.values && a->values) BindAll(*f.values, *a->values);
        },
        [&](const ir::TensorInfo& f) {
          const auto* a = actual->As<ir::TensorInfo>();
          if (f.dims() != nullptr && a->dims() != nullptr) BindAll(*f.dims(), *a->dims());
        },
        [&](const ir::TupleInfo& f) { AddAll(f.fields, actual->As<ir::TupleInfo>()->fields); },
        // Its variables are bound by each of its calls, not by the call that passes it.
        [](const ir::FuncInfo&) {});
  }
};

}  // namespace

std::vector<PrimRef> VarsIn(PrimRef e) {
  if (e->As<ir::IntImm>() != nullptr) return {};
  VarCollector collector;
  collector.Visit(e);
  return std::move(collector.vars);
}

void ForEachDim(StructInfoRef info, absl::FunctionRef<void(PrimRef)> visit) {
  DimWalk{visit, {}}.Walk(info);
}

std::vector<PrimRef> BindingVars(StructInfoRef info) {
  std::vector<PrimRef> vars;
  absl::flat_hash_set<PrimRef> listed;
  ForEachDim(info, [&](PrimRef dim) {
    if (dim->As<ir::SymVar>() != nullptr && listed.insert(dim).second) vars.push_back(dim);
  });
  return vars;
}

std::vector<PrimRef> OwnVars(const ir::FuncInfo& f) {
  std::vector<PrimRef> vars;
  if (!f.params) return vars;
  absl::flat_hash_set<PrimRef> listed;
  for (StructInfoRef param : *f.params) {
    for (PrimRef var : BindingVars(param)) {
      if (listed.insert(var).second) vars.push_back(var);
    }
  }
  return vars;
}

std::vector<PrimRef> FreeVars(StructInfoRef info) {
  FreeVarCollector collector;
  FreeVarCollector::Seen seen;
  collector.Collect(info, {}, seen);
  return std::move(collector.vars);
}

std::vector<PrimRef> AllVars(StructInfoRef info) {
  FreeVarCollector collector;
  collector.functions_bind = false;
  FreeVarCollector::Seen seen;
  collector.Collect(info, {}, seen);
  return std::move(collector.vars);
}

void AddShapeVarMapping(StructInfoRef formal, StructInfoRef actual,
                        absl::FunctionRef<bool(PrimRef)> unbound, ShapeVarMap& mapping) {
  MappingBuilder{unbound, mapping, {}}.Add(formal, actual);
}

}  // namespace lathe::analysis

#include "generator/analysis/arithmetic/substitute.h"

#include "generator/ir/map_operands.h"
#include "generator/support/match.h"

namespace lathe::analysis {
namespace {

using ir::PrimRef;
using ir::StructInfoRef;

class Substitution {
 public:
  Substitution(ir::Context& context, const ShapeVarMap& mapping, const ShapeVarOfCallee& shapes)
      : context_(context), mapping_(mapping), shapes_(shapes) {}

  PrimRef In(PrimRef e) {
    if (e->As<ir::IntImm>() != nullptr) return e;
    if (e->As<ir::SymVar>() != nullptr) {
      const auto it = mapping_.find(e);
      return it == mapping_.end() ? e : it->second;
    }
    if (const auto it = exprs_.find(e); it != exprs_.end()) return it->second;
    PrimRef result = ir::MapOperands(context_, e, [this](PrimRef part) { return In(part); });
    exprs_.emplace(e, result);
    return result;
  }

  StructInfoRef In(StructInfoRef info) {
    if (const auto it = infos_.find(info); it != infos_.end()) return it->second;
    StructInfoRef result = Rebuild(info);
    infos_.emplace(info, result);
    return result;
  }

 private:
  std::vector<PrimRef> In(std::vector<PrimRef> list) {
    for (PrimRef& e : list) e = In(e);
    return list;
  }

  std::vector<StructInfoRef> In(std::vector<StructInfoRef> list) {
    for (StructInfoRef& info : list) info = In(info);
    return list;
  }

  StructInfoRef Rebuild(StructInfoRef info) {
    return Match(
        info->node(), [&](const ir::ObjectInfo&) { return info; },
        [&](const ir::PrimInfo& p) {
          return p.value == nullptr ? info : context_.Prim(p.dtype, In(p.value));
        },
        [&](const ir::ShapeInfo& s) { return s.values ? context_.Shape(In(*s.values)) : info; },
        [&](ir::TensorInfo t) {
          if (t.dims() != nullptr) {
            t.shape = In(*t.dims());
          } else if (t.shape_var() != nullptr) {
            const auto it = shapes_.find(*t.shape_var());
            if (it != shapes_.end()) t.shape = it->second;
          }
          return context_.Make(ir::StructInfo::Node(std::move(t)));
        },
        [&](const ir::TupleInfo& t) { return context_.Tuple(In(t.fields)); },
        [&](ir::FuncInfo f) {
          if (f.params) f.params = In(*f.params);
          if (f.ret != nullptr) f.ret = In(f.ret);
          return context_.Make(ir::StructInfo::Node(std::move(f)));
        });
  }

  ir::Context& context_;
  const ShapeVarMap& mapping_;
  const ShapeVarOfCallee& shapes_;
  absl::flat_hash_map<PrimRef, PrimRef> exprs_;
  absl::flat_hash_map<StructInfoRef, StructInfoRef> infos_;
};

class Renaming {
 public:
  Renaming(ir::Context& context, absl::FunctionRef<bool(PrimRef)> outer)
      : context_(context), outer_(outer) {}

  StructInfoRef In(StructInfoRef info) {
    const auto* tuple = info->As<ir::TupleInfo>();
    const auto* func = info->As<ir::FuncInfo>();
    if (tuple == nullptr && func == nullptr) return info;
    if (const auto it = done_.find(info); it != done_.end()) return it->second;
    StructInfoRef result = tuple != nullptr ? InTuple(*tuple) : InFunc(info, *func);
    done_.emplace(info, result);
    return result;
  }

 private:
  StructInfoRef InTuple(ir::TupleInfo tuple) {
    for (StructInfoRef& field : tuple.fields) field = In(field);
    return context_.Tuple(std::move(tuple.fields));
  }

  StructInfoRef InFunc(StructInfoRef info, const ir::FuncInfo& func) {
    ShapeVarMap fresh;
    for (PrimRef var : OwnVars(func)) {
      if (outer_(var)) continue;
      fresh[var] = context_.NewVarLike(var);
    }
    if (!fresh.empty()) info = Substitute(context_, info, fresh);
    ir::FuncInfo renamed = *info->As<ir::FuncInfo>();
    // Variables bound here no longer belong to inner functions.
    for (const auto& [old_var, new_var] : fresh) renamed_.insert(new_var);
    const auto outer = [&](PrimRef var) { return outer_(var) || renamed_.contains(var); };
    Renaming inside(context_, outer);
    if (renamed.params) {
      for (StructInfoRef& param : *renamed.params) param = inside.In(param);
    }
    if (renamed.ret != nullptr) renamed.ret = inside.In(renamed.ret);
    return context_.Make(ir::StructInfo::Node(std::move(renamed)));
  }

  ir::Context& context_;
  absl::FunctionRef<bool(PrimRef)> outer_;
  absl::flat_hash_set<PrimRef> renamed_;
  absl::flat_hash_map<StructInfoRef, StructInfoRef> done_;
};

}  // namespace

PrimRef Substitute(ir::Context& context, PrimRef e, const ShapeVarMap& mapping) {
  if (mapping.empty()) return e;
  return Substitution(context, mapping, {}).In(e);
}

StructInfoRef Substitute(ir::Context& context, StructInfoRef info, const ShapeVarMap& mapping,
                         const ShapeVarOfCallee& shapes) {
  if (mapping.empty() && shapes.empty()) return info;
  return Substitution(context, mapping, shapes).In(info);
}

StructInfoRef RenameOwnVars(ir::Context& context, StructInfoRef info,
                            absl::FunctionRef<bool(PrimRef)> outer) {
  return Renaming(context, outer).In(info);
}

}  // namespace lathe::analysis

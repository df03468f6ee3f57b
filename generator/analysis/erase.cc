#include "generator/analysis/erase.h"

#include <algorithm>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/support/match.h"

namespace lathe::analysis {
namespace {

using ir::PrimRef;
using ir::StructInfoRef;

class Eraser {
 public:
  Eraser(ir::Context& context, const OuterScope& scope) : context_(context), scope_(scope) {}

  StructInfoRef Erase(StructInfoRef info) {
    if (const auto it = erased_.find(info); it != erased_.end()) return it->second;
    StructInfoRef result = Match(
        info->node(), [&](const ir::ObjectInfo&) { return info; },
        [&](const ir::PrimInfo& p) {
          return p.value == nullptr || Keeps(p.value) ? info : context_.Prim(p.dtype);
        },
        [&](const ir::ShapeInfo& s) {
          return !s.values || KeepsAll(*s.values) ? info : context_.Shape(s.ndim);
        },
        [&](ir::TensorInfo t) {
          if (KeepsShape(t)) return info;
          t.shape = std::monostate();
          return context_.Make(ir::StructInfo::Node(std::move(t)));
        },
        [&](ir::TupleInfo t) {
          for (StructInfoRef& field : t.fields) field = Erase(field);
          return context_.Tuple(std::move(t.fields));
        },
        [&](const ir::FuncInfo& f) { return EraseFunc(f); });
    erased_.emplace(info, result);
    return result;
  }

 private:
  StructInfoRef EraseFunc(ir::FuncInfo f) {
    absl::flat_hash_set<PrimRef> own;
    for (PrimRef var : OwnVars(f)) own.insert(var);
    const auto has_var = [&](PrimRef var) {
      return own.contains(var) || scope_.has_shape_var(var);
    };
    Eraser inside(context_, {scope_.has_value, has_var});
    if (f.params) {
      for (StructInfoRef& param : *f.params) param = inside.Erase(param);
    }
    f.ret = inside.Erase(f.ret);
    return context_.Make(ir::StructInfo::Node(std::move(f)));
  }

  bool KeepsShape(const ir::TensorInfo& t) {
    if (t.shape_var() != nullptr) return scope_.has_value(*t.shape_var());
    return t.dims() == nullptr || KeepsAll(*t.dims());
  }

  bool KeepsAll(const std::vector<PrimRef>& dims) {
    return std::all_of(dims.begin(), dims.end(), [this](PrimRef dim) { return Keeps(dim); });
  }

  bool Keeps(PrimRef dim) {
    const std::vector<PrimRef> vars = VarsIn(dim);
    const bool in_scope = std::all_of(vars.begin(), vars.end(), scope_.has_shape_var);
    return in_scope && TreeSize(dim) <= kMaxDimNodes;
  }

  // Saturates above the limit.
  int TreeSize(PrimRef e) {
    if (e->As<ir::IntImm>() != nullptr || e->As<ir::SymVar>() != nullptr) return 1;
    if (const auto it = sizes_.find(e); it != sizes_.end()) return it->second;
    int size = 1;
    ir::ForEachOperand(
        e, [&](PrimRef part) { size = std::min(size + TreeSize(part), kMaxDimNodes + 1); });
    sizes_.emplace(e, size);
    return size;
  }

  ir::Context& context_;
  const OuterScope scope_;
  absl::flat_hash_map<StructInfoRef, StructInfoRef> erased_;
  absl::flat_hash_map<PrimRef, int> sizes_;
};

}  // namespace

StructInfoRef EraseToWellDefined(ir::Context& context, StructInfoRef info,
                                 const OuterScope& scope) {
  return Eraser(context, scope).Erase(info);
}

}  // namespace lathe::analysis

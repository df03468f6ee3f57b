#include "generator/analysis/arithmetic/simplify_dims.h"

#include "absl/container/flat_hash_map.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/support/match.h"

namespace lathe::analysis {
namespace {

using ir::PrimRef;
using ir::StructInfoRef;

struct DimSimplifier {
  ir::Context& context;
  const Assumptions& known;
  absl::flat_hash_map<StructInfoRef, StructInfoRef> done;

  PrimRef One(PrimRef e) {
    const bool leaf = e->As<ir::IntImm>() != nullptr || e->As<ir::SymVar>() != nullptr;
    return leaf ? e : Simplify(context, e, known);
  }

  std::vector<PrimRef> All(std::vector<PrimRef> dims) {
    for (PrimRef& dim : dims) dim = One(dim);
    return dims;
  }

  StructInfoRef In(StructInfoRef info) {
    if (const auto it = done.find(info); it != done.end()) return it->second;
    StructInfoRef result = Match(
        info->node(), [&](const ir::ObjectInfo&) { return info; },
        [&](const ir::PrimInfo& p) {
          return p.value == nullptr ? info : context.Prim(p.dtype, One(p.value));
        },
        [&](const ir::ShapeInfo& s) { return s.values ? context.Shape(All(*s.values)) : info; },
        [&](ir::TensorInfo t) {
          if (t.dims() == nullptr) return info;
          t.shape = All(*t.dims());
          return context.Make(ir::StructInfo::Node(std::move(t)));
        },
        [&](ir::TupleInfo t) {
          for (StructInfoRef& field : t.fields) field = In(field);
          return context.Tuple(std::move(t.fields));
        },
        [&](const ir::FuncInfo&) { return info; });
    done.emplace(info, result);
    return result;
  }
};

}  // namespace

StructInfoRef SimplifyDims(ir::Context& context, StructInfoRef info, const Assumptions& known) {
  return DimSimplifier{context, known, {}}.In(info);
}

}  // namespace lathe::analysis

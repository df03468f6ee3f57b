#include "generator/analysis/erased_type.h"

#include "absl/container/flat_hash_map.h"
#include "generator/support/match.h"

namespace lathe::analysis {
namespace {

using ir::StructInfoRef;

struct TypeEraser {
  ir::Context& context;
  absl::flat_hash_map<StructInfoRef, StructInfoRef> erased;

  StructInfoRef Erase(StructInfoRef info) {
    if (const auto it = erased.find(info); it != erased.end()) return it->second;
    StructInfoRef result = Match(
        info->node(), [&](const ir::ObjectInfo&) { return info; },
        [&](const ir::PrimInfo& p) { return context.Prim(p.dtype); },
        [&](const ir::ShapeInfo& s) { return context.Shape(s.ndim); },
        [&](const ir::TensorInfo& t) { return context.Tensor(t.ndim, t.dtype); },
        [&](ir::TupleInfo t) {
          for (StructInfoRef& field : t.fields) field = Erase(field);
          return context.Tuple(std::move(t.fields));
        },
        [&](ir::FuncInfo f) {
          f.pure = false;
          if (f.params) {
            for (StructInfoRef& param : *f.params) param = Erase(param);
            f.ret = Erase(f.ret);
          } else {
            f.ret = context.Object();
            f.derive = ir::Derive::kEmpty;
          }
          return context.Make(ir::StructInfo::Node(std::move(f)));
        });
    erased.emplace(info, result);
    return result;
  }
};

}  // namespace

StructInfoRef EraseToType(ir::Context& context, StructInfoRef info) {
  return TypeEraser{context, {}}.Erase(info);
}

}  // namespace lathe::analysis

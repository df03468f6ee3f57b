#include "generator/analysis/signed_vars.h"

#include "absl/container/flat_hash_set.h"

namespace lathe::analysis {
namespace {

using ir::PrimRef;
using ir::StructInfoRef;

struct SignedVarWalk {
  absl::flat_hash_set<StructInfoRef> seen;
  absl::flat_hash_set<PrimRef> sizes;
  std::vector<PrimRef> values;

  void Sizes(const std::vector<PrimRef>& dims) { sizes.insert(dims.begin(), dims.end()); }

  void In(StructInfoRef info) {
    if (const auto* tensor = info->As<ir::TensorInfo>()) {
      if (tensor->dims() != nullptr) Sizes(*tensor->dims());
    } else if (const auto* shape = info->As<ir::ShapeInfo>()) {
      if (shape->values) Sizes(*shape->values);
    } else if (const auto* prim = info->As<ir::PrimInfo>()) {
      if (prim->value != nullptr) values.push_back(prim->value);
    } else if (const auto* tuple = info->As<ir::TupleInfo>()) {
      if (!seen.insert(info).second) return;
      for (StructInfoRef field : tuple->fields) In(field);
    }
  }
};

}  // namespace

void FindSignedVars(ir::Context& context, const std::vector<StructInfoRef>& infos,
                    absl::FunctionRef<bool(PrimRef)> bound) {
  SignedVarWalk walk;
  for (StructInfoRef info : infos) walk.In(info);
  for (PrimRef value : walk.values) {
    const bool is_new = value->As<ir::SymVar>() != nullptr && !bound(value);
    if (is_new && !walk.sizes.contains(value)) context.MakeSigned(value);
  }
}

void FindSignedVars(ir::Context& context, const ir::PrimFunc& func) {
  absl::flat_hash_set<PrimRef> sizes;
  for (const ir::PrimParam& param : func.params) {
    if (param.buffer == nullptr) continue;
    sizes.insert(param.buffer->shape.begin(), param.buffer->shape.end());
  }
  for (const ir::PrimParam& param : func.params) {
    if (param.buffer == nullptr && !sizes.contains(param.var)) context.MakeSigned(param.var);
  }
}

}  // namespace lathe::analysis

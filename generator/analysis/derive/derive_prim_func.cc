#include "generator/analysis/derive/derive_prim_func.h"

namespace lathe::analysis {

using ir::PrimRef;
using ir::StructInfoRef;

StructInfoRef DerivePrimFunc(ir::Context& context, const ir::PrimFunc& f) {
  std::vector<StructInfoRef> params;
  params.reserve(f.params.size());
  for (const ir::PrimParam& param : f.params) {
    if (param.buffer == nullptr) {
      const ir::DType dtype = param.var->dtype();
      params.push_back(dtype.is_handle() ? context.Object() : context.Prim(dtype));
      continue;
    }
    // Relax dimensions are int64, those of PrimFuncs may be int32; constants are converted.
    std::vector<PrimRef> dims = param.buffer->shape;
    for (PrimRef& dim : dims) {
      if (const auto* imm = dim->As<ir::IntImm>()) dim = context.Int(imm->value);
    }
    params.push_back(context.Tensor(std::move(dims), param.buffer->dtype));
  }
  StructInfoRef ret = f.ret ? context.Prim(*f.ret) : context.Tuple({});
  return context.Make(
      ir::StructInfo::Node(ir::FuncInfo{std::move(params), ret, false, ir::Derive::kNone}));
}

}  // namespace lathe::analysis

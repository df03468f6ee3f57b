#include "generator/transform/decompose/decompose_sum.h"

#include <string>
#include <utility>
#include <vector>

#include "generator/analysis/derive/known_info.h"
#include "generator/ops/args/attributes.h"
#include "generator/ops/te/sum_dtype.h"

namespace lathe::transform {
namespace {

using ir::DType;
using ir::Operand;

bool IsNarrow(DType dtype) { return dtype.is_floating() && ops::SumDType(dtype) != dtype; }

Operand As(const CompositeCall& c, Operand value, DType dtype) {
  return c.emit.Op("relax.astype", {std::move(value)}, {{"dtype", ir::AttrValue(dtype)}});
}

}  // namespace

Decomposition DecomposeProduct(const CompositeCall& c) {
  const ir::TensorInfo *x = c.Tensor(0), *y = c.Tensor(1);
  if (x == nullptr || y == nullptr) return std::nullopt;
  const DType requested = ops::FindDType(c.call, "out_dtype");
  const DType dtype = requested.is_void() ? x->dtype : requested;
  if (!IsNarrow(dtype)) return std::nullopt;
  ir::AttrMap attrs = c.call.attrs;
  attrs["out_dtype"] = ir::AttrValue(ops::SumDType(dtype));
  return As(c, c.emit.Op(c.call.op()->name, c.call.args, std::move(attrs)), dtype);
}

Decomposition DecomposeSum(const CompositeCall& c) {
  const ir::TensorInfo* x = c.Tensor(0);
  if (x == nullptr || !IsNarrow(x->dtype)) return std::nullopt;
  std::vector<Operand> args = c.call.args;
  args[0] = As(c, args[0], ops::SumDType(x->dtype));
  return As(c, c.emit.Op(c.call.op()->name, std::move(args), c.call.attrs), x->dtype);
}

Decomposition DecomposeEinsum(const CompositeCall& c) {
  const auto* tuple = c.call.args[0].As<ir::TupleExpr>();
  if (tuple == nullptr || tuple->fields.empty()) return std::nullopt;
  const auto* x = analysis::KnownInfo(c.context, c.module, tuple->fields[0])->As<ir::TensorInfo>();
  if (x == nullptr || !IsNarrow(x->dtype)) return std::nullopt;
  const DType wide = ops::SumDType(x->dtype);
  ir::TupleExpr widened;
  for (const Operand& field : tuple->fields) widened.fields.push_back(As(c, field, wide));
  return As(c, c.emit.Op(c.call.op()->name, {Operand{std::move(widened)}}, c.call.attrs), x->dtype);
}

}  // namespace lathe::transform

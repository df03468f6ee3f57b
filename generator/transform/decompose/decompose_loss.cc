// Decomposes nll_loss: the prediction for the target class, negated and weighted. Targets equal to
// ignore_index, which need not be a class, contribute zero.
#include "generator/transform/decompose/decompose_loss.h"

#include <string>
#include <utility>
#include <vector>

#include "generator/ops/args/attributes.h"
#include "generator/ops/te/sum_dtype.h"

namespace lathe::transform {
namespace {

using ir::DType;
using ir::Operand;

ir::AttrMap Axis(int64_t axis) { return {{"axis", ir::AttrValue(axis)}}; }

ir::AttrMap ReducedAxis(int64_t axis) {
  return {{"axis", ir::AttrValue(std::vector<ir::AttrValue>{ir::AttrValue(axis)})}};
}

bool Holds(DType dtype, int64_t value) {
  if (!dtype.is_integer() || dtype.bits > 64) return false;
  const int bits = dtype.bits - (dtype.is_uint() ? 0 : 1);
  if (value < 0 && dtype.is_uint()) return false;
  return bits > 52 || (value >= -(int64_t{1} << bits) && value < int64_t{1} << bits);
}

}  // namespace

Decomposition DecomposeNllLoss(const CompositeCall& c) {
  const ir::TensorInfo *x = c.Tensor(0), *targets = c.Tensor(1);
  if (x == nullptr || targets == nullptr || x->dims() == nullptr) return std::nullopt;
  const DType dtype = x->dtype, wide = ops::SumDType(dtype);
  const int64_t ignored = ops::IntAttr(c.call, "ignore_index");
  const int64_t axis = x->ndim > 1 ? 1 : 0;
  // Without classes there is no element to read for an ignored target.
  const auto* classes = x->ndim == 0 ? nullptr : (*x->dims())[axis]->As<ir::IntImm>();
  if (!dtype.is_floating() || classes == nullptr || classes->value < 1) return std::nullopt;
  // Constants are written as doubles.
  constexpr int64_t kExact = int64_t{1} << 53;
  if (!Holds(targets->dtype, ignored) || ignored > kExact || ignored < -kExact) {
    return std::nullopt;
  }
  const auto op = [&](absl::string_view name, std::vector<Operand> args, ir::AttrMap attrs = {}) {
    return c.emit.Op(name, std::move(args), std::move(attrs));
  };
  const auto as = [&](Operand value, DType from, DType to) {
    if (from == to) return value;
    return op("relax.astype", {std::move(value)}, {{"dtype", ir::AttrValue(to)}});
  };
  const Operand target = c.call.args[1], zero = c.emit.Number(0, dtype);
  const Operand used =
      op("relax.not_equal", {target, c.emit.Number(static_cast<double>(ignored), targets->dtype)});
  const Operand known = op("relax.where", {used, target, c.emit.Number(0, targets->dtype)});
  const Operand index = as(known, targets->dtype, DType::Int(64));
  Operand picked =
      op("relax.gather_elements",
         {c.call.args[0], op("relax.expand_dims", {index}, ReducedAxis(axis))}, Axis(axis));
  Operand loss =
      op("relax.negative", {op("relax.squeeze", {std::move(picked)}, ReducedAxis(axis))});
  Operand weight = c.emit.Number(1, dtype);
  if (c.call.args.size() > 2) {
    weight = op("relax.take", {c.call.args[2], index}, Axis(0));
    loss = op("relax.multiply", {std::move(loss), weight});
  }
  loss = op("relax.where", {used, std::move(loss), zero});
  const std::string reduction = ops::FindString(c.call, "reduction");
  if (reduction == "none") return loss;
  Operand sum = op("relax.sum", {as(std::move(loss), dtype, wide)});
  if (reduction == "mean") {
    Operand count = op("relax.where", {used, std::move(weight), zero});
    count = op("relax.sum", {as(std::move(count), dtype, wide)});
    sum = op("relax.divide", {std::move(sum), std::move(count)});
  }
  return as(std::move(sum), wide, dtype);
}

}  // namespace lathe::transform

#include "generator/transform/decompose/decompose_activation.h"

#include <cmath>
#include <utility>

#include "generator/ops/args/attributes.h"
#include "generator/ops/te/sum_dtype.h"

namespace lathe::transform {
namespace {

using ir::Operand;

// Argument `i`, which has the dtype of `x`, cast to the accumulator dtype; and the inverse cast.
Operand Widened(const CompositeCall& c, size_t i, const ir::TensorInfo& x) {
  const ir::DType wide = ops::SumDType(x.dtype);
  if (wide == x.dtype) return c.call.args[i];
  return c.emit.Op("relax.astype", {c.call.args[i]}, {{"dtype", ir::AttrValue(wide)}});
}
Operand Narrowed(const CompositeCall& c, const ir::TensorInfo& x, Operand value) {
  if (ops::SumDType(x.dtype) == x.dtype) return value;
  return c.emit.Op("relax.astype", {std::move(value)}, {{"dtype", ir::AttrValue(x.dtype)}});
}

// x * 0.5 * (1 + curve)
Operand Gated(const CompositeCall& c, ir::DType dtype, Operand curve) {
  Operand half = c.emit.Op("relax.multiply", {c.call.args[0], c.emit.Number(0.5, dtype)});
  Operand sum = c.emit.Op("relax.add", {c.emit.Number(1, dtype), std::move(curve)});
  return c.emit.Op("relax.multiply", {std::move(half), std::move(sum)});
}

}  // namespace

Decomposition DecomposeSoftmax(const CompositeCall& c) {
  const ir::TensorInfo* x = c.Tensor(0);
  const std::optional<int64_t> axis = ops::FindInt(c.call, "axis");
  if (x == nullptr || x->ndim < 1 || x->dtype.is_void() || !axis) return std::nullopt;
  const int64_t along = ops::FromFront(*axis, x->ndim);
  const auto fold = [&](absl::string_view op, Operand value) {
    ir::AttrList axes = {ir::AttrValue(along)};
    return c.emit.Op(op, {std::move(value)},
                     {{"axis", ir::AttrValue(std::move(axes))}, {"keepdims", ir::AttrValue(true)}});
  };
  const Operand data = Widened(c, 0, *x);
  Operand shifted = c.emit.Op("relax.subtract", {data, fold("relax.max", data)});
  Operand powers = c.emit.Op("relax.exp", {shifted});
  Operand sum = fold("relax.sum", powers);
  if (c.call.op()->name == "relax.nn.softmax") {
    return Narrowed(c, *x, c.emit.Op("relax.divide", {std::move(powers), std::move(sum)}));
  }
  Operand logarithm = c.emit.Op("relax.log", {std::move(sum)});
  return Narrowed(c, *x, c.emit.Op("relax.subtract", {std::move(shifted), std::move(logarithm)}));
}

Decomposition DecomposeGelu(const CompositeCall& c) {
  const ir::TensorInfo* x = c.Tensor(0);
  if (x == nullptr || x->dtype.is_void()) return std::nullopt;
  Operand scaled =
      c.emit.Op("relax.multiply", {c.call.args[0], c.emit.Number(std::sqrt(0.5), x->dtype)});
  return Gated(c, x->dtype, c.emit.Op("relax.erf", {std::move(scaled)}));
}

Decomposition DecomposeGeluTanh(const CompositeCall& c) {
  const ir::TensorInfo* x = c.Tensor(0);
  if (x == nullptr || x->dtype.is_void()) return std::nullopt;
  const auto multiply = [&](Operand a, Operand b) {
    return c.emit.Op("relax.multiply", {std::move(a), std::move(b)});
  };
  const Operand data = c.call.args[0];
  Operand cube = multiply(multiply(data, data), data);
  Operand bent = multiply(c.emit.Number(0.044715, x->dtype), std::move(cube));
  Operand sum = c.emit.Op("relax.add", {data, std::move(bent)});
  Operand inner = multiply(c.emit.Number(std::sqrt(2 / M_PI), x->dtype), std::move(sum));
  return Gated(c, x->dtype, c.emit.Op("relax.tanh", {std::move(inner)}));
}

Decomposition DecomposeSilu(const CompositeCall& c) {
  if (c.Tensor(0) == nullptr) return std::nullopt;
  Operand gate = c.emit.Op("relax.sigmoid", {c.call.args[0]});
  return c.emit.Op("relax.multiply", {c.call.args[0], std::move(gate)});
}

Decomposition DecomposeCrossEntropy(const CompositeCall& c) {
  const ir::TensorInfo* x = c.Tensor(0);
  if (x == nullptr || x->dims() == nullptr || x->dtype.is_void()) return std::nullopt;
  const auto* first = x->ndim > 1 ? (*x->dims())[0]->As<ir::IntImm>() : nullptr;
  if (x->ndim > 1 && first == nullptr) return std::nullopt;
  const double batch = first == nullptr ? 1 : static_cast<double>(first->value);
  const ir::TensorInfo* labels = c.Tensor(1);
  if (labels == nullptr || labels->dtype != x->dtype) return std::nullopt;
  Operand products = c.emit.Op("relax.multiply", {Widened(c, 0, *x), Widened(c, 1, *x)});
  Operand sum = c.emit.Op("relax.sum", {std::move(products)});
  Operand negative = c.emit.Op("relax.negative", {std::move(sum)});
  Operand number = c.emit.Number(batch, ops::SumDType(x->dtype));
  return Narrowed(c, *x, c.emit.Op("relax.divide", {std::move(negative), std::move(number)}));
}

}  // namespace lathe::transform

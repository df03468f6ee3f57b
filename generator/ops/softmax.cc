// Implements softmax, log_softmax, leakyrelu, softplus.
#include <utility>
#include <vector>

#include "generator/ops/args/attributes.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/te/sum_dtype.h"
#include "generator/ops/te/te.h"
#include "generator/support/status.h"

namespace lathe::ops {
namespace {

// A unary operator of floats, with a function of the element and the call.
template <typename F>
absl::StatusOr<ir::PrimFunc> Elementwise(ir::ComputeContext& c, const Call& call, F element) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ir::BufferRef x = te.Input(0);
  return te.Finish({te.Compute("out", x->shape, x->dtype, [&](const Indices& at) {
    return element(te.math(), te.At(x, at));
  })});
}

}  // namespace

Result InferSoftmax(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  LATHE_RETURN_IF_ERROR(NeedFloat(c, call, 0, *x));
  LATHE_ASSIGN_OR_RETURN(const int64_t axis, NeedInt(c, call, "axis"));
  if (x->ndim != ir::kUnknownRank) {
    LATHE_RETURN_IF_ERROR(NormalAxis(c, call, "axis", axis, x->ndim).status());
  }
  return c.InfoOf(call.args[0]);
}

// exp(x - max) over its sum; the logarithm of that without taking it of a small number.
absl::StatusOr<ir::PrimFunc> ComputeSoftmax(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  ir::BufferRef x = te.Input(0);
  const DType dtype = x->dtype, wide = SumDType(dtype);
  const int axis = FromFront(IntAttr(call, "axis"), static_cast<int>(x->shape.size()));
  const bool logarithm = call.op()->name == "relax.nn.log_softmax";
  Dims rest = x->shape;
  rest.erase(rest.begin() + axis);
  const auto without = [&](Indices at) {
    at.erase(at.begin() + axis);
    return at;
  };
  const auto with = [&](Indices at, PrimRef k) {
    at.insert(at.begin() + axis, k);
    return at;
  };
  ir::BufferRef largest =
      te.Reduce("largest", rest, {x->shape[axis]}, te.Max(dtype),
                [&](const Indices& at, const Indices& r) { return te.At(x, with(at, r[0])); });
  const auto shifted = [&](const Indices& at) {
    return m.Sub(m.Cast(te.At(x, at), wide), m.Cast(te.At(largest, without(at)), wide));
  };
  if (logarithm) {
    ir::BufferRef sum = te.Reduce("sum", rest, {x->shape[axis]}, te.Sum(wide),
                                  [&](const Indices& at, const Indices& r) {
                                    return m.Call("exp", {shifted(with(at, r[0]))});
                                  });
    return te.Finish({te.Compute("out", x->shape, dtype, [&](const Indices& at) {
      return m.Cast(m.Sub(shifted(at), m.Call("log", {te.At(sum, without(at))})), dtype);
    })});
  }
  ir::BufferRef powers = te.Compute(
      "powers", x->shape, wide, [&](const Indices& at) { return m.Call("exp", {shifted(at)}); });
  ir::BufferRef sum =
      te.Reduce("sum", rest, {x->shape[axis]}, te.Sum(wide),
                [&](const Indices& at, const Indices& r) { return te.At(powers, with(at, r[0])); });
  return te.Finish({te.Compute("out", x->shape, dtype, [&](const Indices& at) {
    const PrimRef power = te.At(powers, at), total = te.At(sum, without(at));
    // Along the last axis, one division per row: its reciprocal is loop-invariant.
    const bool in_row = axis + 1 == static_cast<int>(x->shape.size());
    return m.Cast(in_row ? m.Mul(power, m.Div(m.Const(1, wide), total)) : m.Div(power, total),
                  dtype);
  })});
}

absl::StatusOr<ir::PrimFunc> ComputeLeakyRelu(ir::ComputeContext& c, const Call& call) {
  const double alpha = FindFloat(call, "alpha").value_or(0.01);
  return Elementwise(c, call, [&](ScalarMath& m, PrimRef x) {
    const PrimRef zero = m.Const(0, x->dtype());
    return m.Select(m.Lt(zero, x), x, m.Mul(x, m.Const(alpha, x->dtype())));
  });
}

// log(1 + exp(beta * x)) / beta; x itself where that is equal in the precision of the dtype. In
// float16 the exponential would overflow before.
absl::StatusOr<ir::PrimFunc> ComputeSoftplus(ir::ComputeContext& c, const Call& call) {
  const double beta = FindFloat(call, "beta").value_or(1);
  const double threshold = FindFloat(call, "threshold").value_or(20);
  return Elementwise(c, call, [&](ScalarMath& m, PrimRef x) {
    const DType wide = SumDType(x->dtype());
    const auto number = [&](double value) { return m.Const(value, wide); };
    const PrimRef scaled = m.Mul(m.Cast(x, wide), number(beta));
    const PrimRef curve = m.Div(m.Call("log1p", {m.Call("exp", {scaled})}), number(beta));
    return m.Select(m.Lt(number(threshold), scaled), x, m.Cast(curve, x->dtype()));
  });
}

}  // namespace lathe::ops

// Implements elementwise operators of one tensor.
#include <algorithm>
#include <cmath>
#include <limits>

#include "generator/ops/args/attributes.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/te/te.h"
#include "generator/support/status.h"

namespace lathe::ops {
namespace {

PrimRef Abs(ScalarMath& m, PrimRef x, const char*) {
  const DType dtype = x->dtype();
  if (dtype.is_floating()) return m.Call("abs", {x});
  if (!dtype.is_int()) return x;
  return m.Select(m.Lt(x, m.Const(0, dtype)), m.Neg(x), x);
}

PrimRef Sign(ScalarMath& m, PrimRef x, const char*) {
  const DType dtype = x->dtype();
  if (dtype.is_bool()) return x;
  const PrimRef zero = m.Const(0, dtype);
  // 0 and NaN stay unchanged.
  const PrimRef rest = dtype.is_uint() ? x : m.Select(m.Lt(x, zero), m.Const(-1, dtype), x);
  return m.Select(m.Lt(zero, x), m.Const(1, dtype), rest);
}

PrimRef Named(ScalarMath& m, PrimRef x, const char* intrinsic) { return m.Call(intrinsic, {x}); }

// Rounding an integer changes nothing.
PrimRef Rounding(ScalarMath& m, PrimRef x, const char* intrinsic) {
  return x->dtype().is_floating() ? m.Call(intrinsic, {x}) : x;
}

PrimRef IsNan(ScalarMath& m, PrimRef x, const char*) { return m.Ne(x, x); }

PrimRef IsInf(ScalarMath& m, PrimRef x, const char*) {
  if (!ScalarMath::HasInfinity(x->dtype())) return m.ir().Bool(false);
  const PrimRef infinity = m.Const(std::numeric_limits<double>::infinity(), x->dtype());
  return m.Eq(m.Call("abs", {x}), infinity);
}

PrimRef IsFinite(ScalarMath& m, PrimRef x, const char*) {
  if (!x->dtype().is_floating()) return m.ir().Bool(true);
  if (!ScalarMath::HasInfinity(x->dtype())) return m.Eq(x, x);
  const PrimRef infinity = m.Const(std::numeric_limits<double>::infinity(), x->dtype());
  return m.Lt(m.Call("abs", {x}), infinity);
}

PrimRef Gelu(ScalarMath& m, PrimRef x, const char*) {
  const auto number = [&](double value) { return m.Const(value, x->dtype()); };
  const PrimRef erf = m.Call("erf", {m.Mul(x, number(std::sqrt(0.5)))});
  return m.Mul(m.Mul(x, number(0.5)), m.Add(number(1), erf));
}

PrimRef GeluTanh(ScalarMath& m, PrimRef x, const char*) {
  const auto number = [&](double value) { return m.Const(value, x->dtype()); };
  const PrimRef cube = m.Mul(m.Mul(x, x), x);
  const PrimRef inner = m.Mul(number(std::sqrt(2 / M_PI)), m.Add(x, m.Mul(number(0.044715), cube)));
  return m.Mul(m.Mul(x, number(0.5)), m.Add(number(1), m.Call("tanh", {inner})));
}

PrimRef Selu(ScalarMath& m, PrimRef x, const char*) {
  const auto number = [&](double value) { return m.Const(value, x->dtype()); };
  constexpr double kAlpha = 1.6732632423543772848170429916717;
  constexpr double kScale = 1.0507009873554804934193349852946;
  const PrimRef low = m.Mul(number(kAlpha), m.Sub(m.Call("exp", {x}), number(1)));
  return m.Mul(number(kScale), m.Select(m.Lt(number(0), x), x, low));
}

using UnaryElement = PrimRef (*)(ScalarMath&, PrimRef, const char* intrinsic);
struct UnaryRow {
  absl::string_view name;
  UnaryElement element;
  const char* intrinsic = nullptr;
};
constexpr UnaryRow kUnaryRows[] = {
    {"relax.abs", Abs},
    {"relax.acos", Named, "acos"},
    {"relax.acosh", Named, "acosh"},
    {"relax.asin", Named, "asin"},
    {"relax.asinh", Named, "asinh"},
    {"relax.atan", Named, "atan"},
    {"relax.atanh", Named, "atanh"},
    {"relax.bitwise_not",
     [](ScalarMath& m, PrimRef x, const char*) {
       return x->dtype().is_bool() ? m.Not(x) : m.ir().Make(ir::UnaryOp::kBitNot, x);
     }},
    {"relax.ceil", Rounding, "ceil"},
    {"relax.cos", Named, "cos"},
    {"relax.cosh", Named, "cosh"},
    {"relax.erf", Named, "erf"},
    {"relax.exp", Named, "exp"},
    {"relax.floor", Rounding, "floor"},
    {"relax.isfinite", IsFinite},
    {"relax.isinf", IsInf},
    {"relax.isnan", IsNan},
    {"relax.log", Named, "log"},
    {"relax.logical_not",
     [](ScalarMath& m, PrimRef x, const char*) {
       if (x->dtype().is_bool()) return m.Not(x);
       return m.Cast(m.Eq(x, m.Const(0, x->dtype())), x->dtype());
     }},
    {"relax.negative", [](ScalarMath& m, PrimRef x, const char*) { return m.Neg(x); }},
    {"relax.nn.gelu", Gelu},
    {"relax.nn.gelu_tanh", GeluTanh},
    {"relax.nn.relu",
     [](ScalarMath& m, PrimRef x, const char*) { return m.Max(x, m.Const(0, x->dtype())); }},
    {"relax.nn.selu", Selu},
    {"relax.nn.silu",
     [](ScalarMath& m, PrimRef x, const char*) { return m.Mul(x, m.Call("sigmoid", {x})); }},
    // Rounds halves to even.
    {"relax.round", Rounding, "nearbyint"},
    {"relax.rsqrt", Named, "rsqrt"},
    {"relax.sigmoid", Named, "sigmoid"},
    {"relax.sign", Sign},
    {"relax.sin", Named, "sin"},
    {"relax.sinh", Named, "sinh"},
    {"relax.sqrt", Named, "sqrt"},
    {"relax.square", [](ScalarMath& m, PrimRef x, const char*) { return m.Mul(x, x); }},
    {"relax.tan", Named, "tan"},
    {"relax.tanh", Named, "tanh"},
    {"relax.trunc", Rounding, "trunc"},
};

}  // namespace

Result InferSameTensor(InferContext& c, const Call& call) {
  LATHE_RETURN_IF_ERROR(TensorArg(c, call, 0).status());
  return c.InfoOf(call.args[0]);
}

Result InferFloatTensor(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const ir::TensorInfo* x, TensorArg(c, call, 0));
  LATHE_RETURN_IF_ERROR(NeedFloat(c, call, 0, *x));
  return c.InfoOf(call.args[0]);
}

// bitwise_not: integers, and bool, whose bit is its truth.
Result InferBitTensor(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const ir::TensorInfo* x, TensorArg(c, call, 0));
  const DType dtype = x->dtype;
  if (!dtype.is_void() && !dtype.is_integer() && !dtype.is_bool()) {
    return c.Error("op-argument-dtype")
           << DescribeArg(c, call, 0) << " must have an integer or bool dtype, got "
           << ToString(dtype);
  }
  return c.InfoOf(call.args[0]);
}

Result InferBoolTensor(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const ir::TensorInfo* x, TensorArg(c, call, 0));
  return WithDType(c.ir(), *x, DType::Bool());
}

absl::StatusOr<ir::PrimFunc> ComputeUnary(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  const auto row = std::find_if(std::begin(kUnaryRows), std::end(kUnaryRows),
                                [&](const UnaryRow& r) { return r.name == call.op()->name; });
  ir::BufferRef x = te.Input(0);
  return te.Finish({te.Compute("out", x->shape, te.result_dtype(), [&](const Indices& at) {
    return row->element(te.math(), te.At(x, at), row->intrinsic);
  })});
}

}  // namespace lathe::ops

// Writes elementwise operators of one, two and three tensors.
#include <algorithm>

#include "generator/ops/args/attributes.h"
#include "generator/writer/onnx/floor_divide.h"
#include "generator/writer/onnx/writer_rows.h"

namespace lathe::onnx {
namespace {

using ir::DType;

// The dtype of the operands of a binary operator, one of which may be a scalar of the program.
DType OperandType(CallWriter& w) {
  const DType first = w.TypeOf(0);
  return first.is_void() ? w.TypeOf(1) : first;
}

// The bound of R.clip: one that the dtype does not have is its highest or lowest value.
std::string BoundLike(CallWriter& w, size_t i, DType dtype) {
  const auto* prim = w.call().args[i].As<ir::PrimValue>();
  const auto* whole = prim == nullptr ? nullptr : prim->value->As<ir::IntImm>();
  if (whole == nullptr || !dtype.is_integer()) return w.InLike(i, dtype);
  if (dtype.bits < 64) return w.Number(static_cast<double>(whole->value), dtype);
  return w.graph().Integer(dtype.is_uint() ? std::max<int64_t>(whole->value, 0) : whole->value,
                           dtype);
}

std::string Left(CallWriter& w) { return w.InLike(0, OperandType(w)); }
std::string Right(CallWriter& w) { return w.InLike(1, OperandType(w)); }

}  // namespace

Written WriteUnary(CallWriter& w) { return w.Node(OnnxName(w), {w.In(0)}); }

Written WriteBinary(CallWriter& w) { return w.Node(OnnxName(w), {Left(w), Right(w)}); }

// ONNX defines these for bool only.
Written WriteLogical(CallWriter& w) {
  if (!OperandType(w).is_bool()) return w.Fail("operands that are not bool");
  if (w.count() == 1) return w.Node(OnnxName(w), {w.In(0)});
  return WriteBinary(w);
}

Written WriteBits(CallWriter& w) {
  if (!OperandType(w).is_integer()) return w.Fail("operands that are not integers");
  return w.count() == 1 ? WriteUnary(w) : WriteBinary(w);
}

Written WriteNotEqual(CallWriter& w) {
  return w.Node("Not", {w.Step("Equal", {Left(w), Right(w)})});
}

Written WriteSquare(CallWriter& w) { return w.Node("Mul", {w.In(0), w.In(0)}); }

Written WriteRsqrt(CallWriter& w) { return w.Node("Reciprocal", {w.Step("Sqrt", {w.In(0)})}); }

Written WriteTrunc(CallWriter& w) {
  const std::string x = w.In(0);
  if (!w.ResultType().is_floating()) return w.Node("Identity", {x});
  return w.Node("Mul", {w.Step("Sign", {x}), w.Step("Floor", {w.Step("Abs", {x})})});
}

Written WriteIsFinite(CallWriter& w) {
  const std::string x = w.In(0);
  return w.Node("Not", {w.Step("Or", {w.Step("IsInf", {x}), w.Step("IsNaN", {x})})});
}

Written WriteFloorDivide(CallWriter& w) {
  const std::string a = Left(w), b = Right(w);
  if (w.ResultType().is_floating()) return w.Node("Floor", {w.Step("Div", {a, b})});
  const auto emit = [&](absl::string_view op, std::vector<std::string> operands,
                        std::vector<Attribute> attributes) {
    return w.Step(op, std::move(operands), std::move(attributes));
  };
  return {FloorDivide(a, b, w.ResultType(), emit), {}};
}

Written WriteFloorMod(CallWriter& w) {
  const std::string a = Left(w), b = Right(w);
  if (!w.ResultType().is_floating()) return w.Node("Mod", {a, b});
  return w.Node("Sub", {a, w.Step("Mul", {w.Step("Floor", {w.Step("Div", {a, b})}), b})});
}

Written WriteMod(CallWriter& w) {
  return w.Node("Mod", {Left(w), Right(w)}, {IntAttribute("fmod", 1)});
}

Written WriteClip(CallWriter& w) {
  const DType dtype = w.TypeOf(0);
  return w.Node("Clip", {w.In(0), BoundLike(w, 1, dtype), BoundLike(w, 2, dtype)});
}

Written WriteWhere(CallWriter& w) {
  const DType first = w.TypeOf(1), dtype = first.is_void() ? w.TypeOf(2) : first;
  return w.Node("Where", {w.In(0), w.InLike(1, dtype), w.InLike(2, dtype)});
}

Written WriteCast(CallWriter& w) {
  const int32_t to = ElementTypeOf(w.ResultType());
  if (to == 0) return w.Fail("a dtype that ONNX does not have");
  return w.Node("Cast", {w.In(0)}, {IntAttribute("to", to)});
}

Written WriteGelu(CallWriter& w) {
  const bool tanh = w.call().op()->name == "relax.nn.gelu_tanh";
  return w.Node("Gelu", {w.In(0)}, {TextAttribute("approximate", tanh ? "tanh" : "none")});
}

Written WriteSilu(CallWriter& w) {
  const std::string x = w.In(0);
  return w.Node("Mul", {x, w.Step("Sigmoid", {x})});
}

Written WriteLeakyRelu(CallWriter& w) {
  return w.Node("LeakyRelu", {w.In(0)},
                {FloatAttribute("alpha", ops::FloatAttr(w.call(), "alpha"))});
}

Written WriteSoftplus(CallWriter& w) {
  const double beta = ops::FloatAttr(w.call(), "beta");
  const double threshold = ops::FloatAttr(w.call(), "threshold");
  const DType dtype = w.ResultType();
  const std::string x = w.In(0);
  const std::string scaled = beta == 1 ? x : w.Step("Mul", {x, w.Number(beta, dtype)});
  const std::string soft = w.Step("Softplus", {scaled});
  const std::string y = beta == 1 ? soft : w.Step("Div", {soft, w.Number(beta, dtype)});
  return w.Node("Where", {w.Step("Greater", {scaled, w.Number(threshold, dtype)}), x, y});
}

// The slopes of R.nn.prelu are along one axis; those of PRelu are broadcast.
Written WritePRelu(CallWriter& w) {
  const int rank = w.Rank(0);
  const int axis = ops::FromFront(ops::IntAttr(w.call(), "axis"), rank);
  std::vector<int64_t> shape(static_cast<size_t>(rank - axis), 1);
  shape[0] = -1;
  return w.Node("PRelu", {w.In(0), w.Step("Reshape", {w.In(1), w.graph().Ints(shape)})});
}

}  // namespace lathe::onnx

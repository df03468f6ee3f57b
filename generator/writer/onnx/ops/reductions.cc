// Writes reductions, normalizations over axes, sorting and scans.
#include <algorithm>

#include "generator/ops/args/attributes.h"
#include "generator/ops/args/operands.h"
#include "generator/writer/onnx/writer_rows.h"

namespace lathe::onnx {
namespace {

int AxisOf(CallWriter& w, int rank) {
  return ops::FromFront(ops::FindInt(w.call(), "axis").value_or(-1), rank);
}

// Normalizes over the last axes, as LayerNormalization does. The scale has them in this order.
bool AreLast(const std::vector<int64_t>& axes, int rank) {
  for (size_t i = 0; i < axes.size(); ++i) {
    if (ops::FromFront(axes[i], rank) != rank - static_cast<int>(axes.size() - i)) return false;
  }
  return true;
}

}  // namespace

Written WriteReduce(CallWriter& w) {
  std::vector<std::string> inputs = {w.In(0)};
  if (const auto axes = ops::FindInts(w.call(), "axis")) {
    // An empty list of axes is all of them in ONNX, and none here.
    if (axes->empty()) return w.Node("Identity", inputs);
    inputs.push_back(w.graph().Ints(*axes));
  }
  const bool keeps = ops::FindBool(w.call(), "keepdims");
  return w.Node(OnnxName(w), inputs, {IntAttribute("keepdims", keeps ? 1 : 0)});
}

Written WriteArgReduce(CallWriter& w) {
  const auto axis = ops::FindInt(w.call(), "axis");
  std::string x = w.In(0);
  const bool keeps = ops::FindBool(w.call(), "keepdims");
  if (!axis) {
    if (keeps) return w.Fail("keepdims without an axis");
    x = w.Step("Reshape", {x, w.graph().Ints({-1})});
  }
  const Written y =
      w.Node(OnnxName(w), {x},
             {IntAttribute("axis", axis.value_or(0)), IntAttribute("keepdims", keeps ? 1 : 0)});
  if (w.ResultType() == ir::DType::Int(64)) return y;
  return w.Node("Cast", {y.name}, {IntAttribute("to", ElementTypeOf(w.ResultType()))});
}

Written WriteSoftmax(CallWriter& w) {
  return w.Node(OnnxName(w), {w.In(0)}, {IntAttribute("axis", ops::IntAttr(w.call(), "axis"))});
}

Written WriteCumSum(CallWriter& w) {
  const auto axis = ops::FindInt(w.call(), "axis");
  std::string x = w.In(0);
  if (!axis) x = w.Step("Reshape", {x, w.graph().Ints({-1})});
  if (w.ResultType() != w.TypeOf(0)) {
    x = w.Step("Cast", {x}, {IntAttribute("to", ElementTypeOf(w.ResultType()))});
  }
  const bool exclusive = ops::FindBool(w.call(), "exclusive");
  return w.Node("CumSum", {x, w.graph().Integer(axis.value_or(0), ir::DType::Int(64))},
                {IntAttribute("exclusive", exclusive ? 1 : 0)});
}

// The whole axis in order, by TopK.
Written WriteSort(CallWriter& w) {
  const int axis = AxisOf(w, w.Rank(0));
  const Dims dims = w.DimsOf(0);
  if (w.failed()) return {};
  const bool falls = ops::FindBool(w.call(), "descending");
  const bool indices = w.call().op()->name == "relax.argsort";
  const std::vector<std::string> both = w.graph().EmitSeveral(
      "TopK", {w.In(0), w.ListOf({dims[static_cast<size_t>(axis)]})},
      {IntAttribute("axis", axis), IntAttribute("largest", falls ? 1 : 0)}, 2, "");
  if (!indices) return {both[0], {}};
  if (w.ResultType() == ir::DType::Int(64)) return {both[1], {}};
  return w.Node("Cast", {both[1]}, {IntAttribute("to", ElementTypeOf(w.ResultType()))});
}

Written WriteTopK(CallWriter& w) {
  const std::string wanted = ops::FindString(w.call(), "ret_type");
  const int axis = AxisOf(w, w.Rank(0));
  const int64_t k = ops::IntAttr(w.call(), "k");
  const Dims dims = w.DimsOf(0);
  if (w.failed()) return {};
  const ir::PrimRef length = dims[static_cast<size_t>(axis)];
  const int64_t* known = ops::AsInt(length);
  if (k > 0 && known == nullptr) return w.Fail("a number of elements of a symbolic axis");
  const std::string count = k > 0 ? w.graph().Ints({std::min(k, *known)}) : w.ListOf({length});
  const bool largest = ops::FindBool(w.call(), "largest");
  const std::vector<std::string> both = w.graph().EmitSeveral(
      "TopK", {w.In(0), count},
      {IntAttribute("axis", axis), IntAttribute("largest", largest ? 1 : 0)}, 2, "");
  if (wanted == "values") return {both[0], {}};
  const auto* tuple = w.result()->As<ir::TupleInfo>();
  const auto* found = (tuple == nullptr ? w.result() : tuple->fields[1])->As<ir::TensorInfo>();
  std::string indices = both[1];
  if (found->dtype != ir::DType::Int(64)) {
    indices = w.Step("Cast", {indices}, {IntAttribute("to", ElementTypeOf(found->dtype))});
  }
  if (wanted == "indices") return {indices, {}};
  return {"", {{both[0], {}}, {indices, {}}}};
}

Written WriteBatchNorm(CallWriter& w) {
  const ir::Call& call = w.call();
  const int rank = w.Rank(0), axis = AxisOf(w, rank);
  if (ops::FindBool(call, "training")) return w.Fail("training=True");
  std::vector<std::string> inputs = {w.In(0), w.In(1), w.In(2), w.In(3), w.In(4)};
  const Dims channels = w.DimsOf(1);
  const auto filled = [&](double value) {
    return w.Step("Expand", {w.Number(value, w.TypeOf(1)), w.ListOf(channels)});
  };
  if (!ops::FindBool(call, "scale")) inputs[1] = filled(1);
  if (!ops::FindBool(call, "center")) inputs[2] = filled(0);
  std::vector<int64_t> to(static_cast<size_t>(rank)), back(to.size());
  for (int a = 0; a < rank; ++a) to[static_cast<size_t>(a)] = a;
  if (axis > 1) {
    to.erase(to.begin() + axis);
    to.insert(to.begin() + 1, axis);
  } else if (axis == 0) {
    return w.Fail("an axis of 0");
  }
  for (size_t a = 0; a < to.size(); ++a) back[static_cast<size_t>(to[a])] = static_cast<int64_t>(a);
  inputs[0] = w.Transposed(inputs[0], to);
  const std::string y = w.Step("BatchNormalization", inputs,
                               {FloatAttribute("epsilon", ops::FloatAttr(call, "epsilon"))});
  return {"", {{w.Transposed(y, back), {}}, {inputs[3], {}}, {inputs[4], {}}}};
}

Written WriteLayerNorm(CallWriter& w) {
  const ir::Call& call = w.call();
  const std::vector<int64_t> axes = ops::IntsAttr(call, "axes");
  if (!AreLast(axes, w.Rank(0))) return w.Fail("axes that are not the last ones in order");
  if (!ops::FindBool(call, "scale") || !ops::FindBool(call, "center")) {
    return w.Fail("scale=False or center=False");
  }
  return w.Node("LayerNormalization", {w.In(0), w.In(1), w.In(2)},
                {IntAttribute("axis", -static_cast<int64_t>(axes.size())),
                 FloatAttribute("epsilon", ops::FloatAttr(call, "epsilon"))});
}

Written WriteRmsNorm(CallWriter& w) {
  const std::vector<int64_t> axes = ops::IntsAttr(w.call(), "axes");
  if (!AreLast(axes, w.Rank(0))) return w.Fail("axes that are not the last ones in order");
  const std::string x = w.In(0);
  const std::string squares = w.Step("ReduceMean", {w.Step("Mul", {x, x}), w.graph().Ints(axes)});
  const std::string epsilon = w.Number(ops::FloatAttr(w.call(), "epsilon"), w.ResultType());
  const std::string root = w.Step("Sqrt", {w.Step("Add", {squares, epsilon})});
  return w.Node("Mul", {w.Step("Div", {x, root}), w.In(1)});
}

}  // namespace lathe::onnx

// Writes operators that select elements by indices, and those that generate tensors.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/interp/data/scalar_math.h"
#include "generator/interp/data/tensor.h"
#include "generator/ops/args/attributes.h"
#include "generator/ops/args/operands.h"
#include "generator/writer/onnx/writer_rows.h"

namespace lathe::onnx {
namespace {

// The name of a reduction of R.scatter_* in ONNX; empty if it has none.
std::string ScatterReduction(CallWriter& w) {
  const std::string relax = ops::FindString(w.call(), "reduction");
  if (relax == "update") return "none";
  return relax == "add" || relax == "mul" || relax == "min" || relax == "max" ? relax : "";
}

std::string AsInt64(CallWriter& w, std::string x, ir::DType from) {
  if (from.is_void() || from == ir::DType::Int(64)) return x;
  return w.Step("Cast", {std::move(x)}, {IntAttribute("to", ElementTypeOf(ir::DType::Int(64)))});
}

// The operand `i` as indices of dtype int64.
std::string Indices(CallWriter& w, size_t i) {
  return AsInt64(w, w.InLike(i, ir::DType::Int(64)), w.TypeOf(i));
}

// True if the constant has values of `dtype` only.
bool Fits(const ir::Constant& constant, ir::DType dtype) {
  uint64_t count = 1;
  for (int64_t dim : constant.shape) count *= static_cast<uint64_t>(dim);
  for (uint64_t i = 0; i < count; ++i) {
    const interp::Bits value = interp::ReadElement(constant.bytes->data(), constant.dtype, i);
    const interp::Bits cast = interp::CastBits(constant.dtype, value, dtype);
    if (interp::CastBits(dtype, cast, constant.dtype) != value) return false;
  }
  return true;
}

bool IsZero(CallWriter& w, const ir::Operand& operand) {
  const auto* constant = operand.As<ir::ConstantId>();
  if (constant == nullptr) return false;
  const std::vector<uint8_t>& bytes = *w.graph().module().constants[*constant].bytes;
  return std::all_of(bytes.begin(), bytes.end(), [](uint8_t byte) { return byte == 0; });
}

}  // namespace

Written WriteTake(CallWriter& w) {
  const std::string mode = ops::FindString(w.call(), "mode");
  const auto axis = ops::FindInt(w.call(), "axis");
  std::string x = w.In(0), indices = Indices(w, 1);
  if (!axis && w.Rank(0) != 1) x = w.Step("Reshape", {x, w.graph().Ints({-1})});
  if (mode != "fast") {
    const Dims dims = w.DimsOf(0);
    const auto at = static_cast<size_t>(ops::FromFront(axis.value_or(0), w.Rank(0)));
    if (w.failed() || (!axis && dims.size() != 1)) return w.Fail("a mode without an axis");
    const int64_t* length = ops::AsInt(dims[at]);
    if (length == nullptr) return w.Fail("a mode for an axis of symbolic length");
    const ir::DType dtype = ir::DType::Int(64);
    if (mode == "clip") {
      indices = w.Step(
          "Clip", {indices, w.graph().Integer(0, dtype), w.graph().Integer(*length - 1, dtype)});
    } else if (mode == "wrap") {
      indices = w.Step("Mod", {indices, w.graph().Integer(*length, dtype)});
    } else {
      return w.Fail("this mode");
    }
  }
  return w.Node("Gather", {x, indices}, {IntAttribute("axis", axis.value_or(0))});
}

Written WriteGatherElements(CallWriter& w) {
  return w.Node("GatherElements", {w.In(0), Indices(w, 1)},
                {IntAttribute("axis", ops::IntAttr(w.call(), "axis"))});
}

Written WriteGatherNd(CallWriter& w) {
  return w.Node("GatherND", {w.In(0), Indices(w, 1)},
                {IntAttribute("batch_dims", ops::IntAttr(w.call(), "batch_dims"))});
}

Written WriteScatterElements(CallWriter& w) {
  const std::string reduction = ScatterReduction(w);
  if (reduction.empty()) return w.Fail("this reduction");
  return w.Node("ScatterElements", {w.In(0), Indices(w, 1), w.In(2)},
                {IntAttribute("axis", ops::IntAttr(w.call(), "axis")),
                 TextAttribute("reduction", reduction)});
}

Written WriteScatterNd(CallWriter& w) {
  const std::string reduction = ScatterReduction(w);
  if (reduction.empty()) return w.Fail("this reduction");
  return w.Node("ScatterND", {w.In(0), Indices(w, 1), w.In(2)},
                {TextAttribute("reduction", reduction)});
}

Written WriteOneHot(CallWriter& w) {
  const ir::DType dtype = w.ResultType();
  const std::string off = w.InLike(2, dtype), on = w.InLike(1, dtype);
  const std::string first = w.graph().Ints({0});
  const std::string values =
      w.Step("Concat", {w.Step("Unsqueeze", {off, first}), w.Step("Unsqueeze", {on, first})},
             {IntAttribute("axis", 0)});
  const std::string depth = w.graph().Integer(ops::IntAttr(w.call(), "depth"), ir::DType::Int(64));
  // OneHot counts negative indices from the end; those of R.one_hot are no class.
  const std::string indices = Indices(w, 0);
  const std::string negative = w.Step("Less", {indices, w.graph().Integer(0, ir::DType::Int(64))});
  return w.Node("OneHot", {w.Step("Where", {negative, depth, indices}), depth, values},
                {IntAttribute("axis", ops::IntAttr(w.call(), "axis"))});
}

Written WriteFull(CallWriter& w) {
  const std::string op = w.call().op()->name;
  const ir::DType dtype = w.ResultType();
  std::string value;
  if (op == "relax.full" || op == "relax.full_like") {
    value = w.In(1);
    const ir::TensorInfo* given = w.TensorOf(w.call().args[1]);
    if (given != nullptr && given->dtype != dtype) {
      value = w.Step("Cast", {value}, {IntAttribute("to", ElementTypeOf(dtype))});
    }
  } else {
    value = w.Number(op == "relax.ones" || op == "relax.ones_like" ? 1 : 0, dtype);
  }
  return w.Node("Expand", {value, w.ListOf(w.ResultDims())});
}

Written WriteArange(CallWriter& w) {
  const ir::DType dtype = w.ResultType();
  return w.Node("Range", {w.InLike(0, dtype), w.InLike(1, dtype), w.InLike(2, dtype)});
}

Written WriteTriangle(CallWriter& w) {
  const bool upper = w.call().op()->name == "relax.triu";
  return w.Node("Trilu", {w.In(0), w.InLike(1, ir::DType::Int(64))},
                {IntAttribute("upper", upper ? 1 : 0)});
}

// A scale of one element is written as a scalar, and the axis of others as an attribute.
Written WriteQuantize(CallWriter& w) {
  std::vector<std::string> inputs = {w.In(0), w.In(1), w.In(2)};
  const bool up = w.call().op()->name == "relax.dequantize";
  const ir::DType integers = up ? w.TypeOf(0) : w.ResultType();
  const ir::DType real = up ? w.ResultType() : w.TypeOf(0);
  if (w.TypeOf(1) != real) return w.Fail("a scale whose dtype is not that of the real numbers");
  if (w.TypeOf(2) != integers) {
    const auto* constant = w.call().args[2].As<ir::ConstantId>();
    if (constant == nullptr || !Fits(w.graph().module().constants[*constant], integers)) {
      return w.Fail(absl::StrCat("a zero point that ", ToString(integers), " does not have"));
    }
    inputs[2] = w.Step("Cast", {inputs[2]}, {IntAttribute("to", ElementTypeOf(integers))});
  }
  std::vector<Attribute> attributes;
  const bool has_list = w.Rank(1) == 1 || w.Rank(2) == 1;
  if (has_list) attributes.push_back(IntAttribute("axis", ops::IntAttr(w.call(), "axis")));
  // Without a zero point it is 0. Expand has no integers of fewer than 8 bits.
  if (up && integers.bits < 8 && w.Rank(2) == 0 && IsZero(w, w.call().args[2])) inputs.pop_back();
  for (size_t i = 1; i < inputs.size(); ++i) {
    if (!has_list || w.Rank(i) == 1) continue;
    inputs[i] = w.Step("Expand", {inputs[i], w.ListOf(w.DimsOf(3 - i))});
  }
  return w.Node(OnnxName(w), inputs, attributes);
}

}  // namespace lathe::onnx

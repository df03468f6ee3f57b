// Writes operators that move elements: reshapes, permutations, slices, concatenations, paddings.
#include <algorithm>
#include <limits>
#include <numeric>

#include "generator/ops/args/attributes.h"
#include "generator/ops/args/operands.h"
#include "generator/writer/onnx/writer_rows.h"

namespace lathe::onnx {
namespace {

std::vector<int64_t> FromFrontAll(const std::vector<int64_t>& axes, int rank) {
  std::vector<int64_t> out;
  for (int64_t axis : axes) out.push_back(ops::FromFront(axis, rank));
  return out;
}

// The dimensions as the argument of Reshape: one that is symbolic is derived by the runtime.
std::string ShapeArgument(CallWriter& w, const Dims& dims) {
  std::vector<int64_t> known;
  int symbolic = 0;
  bool is_empty = false;
  for (ir::PrimRef dim : dims) {
    const int64_t* number = ops::AsInt(dim);
    symbolic += number == nullptr ? 1 : 0;
    is_empty |= number != nullptr && *number == 0;
    known.push_back(number == nullptr ? -1 : *number);
  }
  if (symbolic == 1 && !is_empty) return w.graph().Ints(known);
  return w.ListOf(dims);
}

}  // namespace

Written WriteReshape(CallWriter& w) {
  const Dims dims = w.ResultDims();
  const std::string shape = ShapeArgument(w, dims);
  // Without the attribute a 0 copies the dimension of the input.
  const bool has_zero = std::any_of(dims.begin(), dims.end(), [](ir::PrimRef dim) {
    return ops::AsInt(dim) != nullptr && *ops::AsInt(dim) == 0;
  });
  std::vector<Attribute> attributes;
  if (has_zero) attributes.push_back(IntAttribute("allowzero", 1));
  return w.Node("Reshape", {w.In(0), shape}, attributes);
}

Written WriteTranspose(CallWriter& w) {
  const int rank = w.Rank(0);
  std::vector<int64_t> axes(static_cast<size_t>(rank));
  if (const auto given = ops::FindInts(w.call(), "axes")) {
    axes = FromFrontAll(*given, rank);
  } else {
    std::iota(axes.rbegin(), axes.rend(), 0);
  }
  return w.Node("Transpose", {w.In(0)}, {IntsAttribute("perm", axes)});
}

Written WriteExpandDims(CallWriter& w) {
  const std::vector<int64_t> axes = ops::IntsAttr(w.call(), "axis");
  const int rank = w.Rank(0) + static_cast<int>(axes.size());
  return w.Node("Unsqueeze", {w.In(0), w.graph().Ints(FromFrontAll(axes, rank))});
}

Written WriteSqueeze(CallWriter& w) {
  const auto axes = ops::FindInts(w.call(), "axis");
  if (!axes) return WriteReshape(w);
  return w.Node("Squeeze", {w.In(0), w.graph().Ints(FromFrontAll(*axes, w.Rank(0)))});
}

Written WriteExpand(CallWriter& w) { return w.Node("Expand", {w.In(0), w.ListOf(w.ResultDims())}); }

Written WriteConcat(CallWriter& w) {
  std::vector<std::string> parts;
  const auto axis = ops::FindInt(w.call(), "axis");
  for (const ir::Operand& field : w.FieldsOf(0)) {
    const std::string part = w.NameOf(field, "part");
    parts.push_back(axis ? part : w.Step("Reshape", {part, w.graph().Ints({-1})}));
  }
  return w.Node("Concat", parts, {IntAttribute("axis", axis.value_or(0))});
}

Written WriteStack(CallWriter& w) {
  std::vector<std::string> parts;
  const int64_t axis = ops::FindInt(w.call(), "axis").value_or(0);
  for (const ir::Operand& field : w.FieldsOf(0)) {
    parts.push_back(w.Step("Unsqueeze", {w.NameOf(field, "part"), w.graph().Ints({axis})}));
  }
  return w.Node("Concat", parts, {IntAttribute("axis", axis)});
}

Written WriteSplit(CallWriter& w) {
  const auto* fields = w.result()->As<ir::TupleInfo>();
  if (fields == nullptr) return w.Fail("a number of results that is not known");
  const int axis = ops::FromFront(ops::IntAttr(w.call(), "axis"), w.Rank(0));
  Dims lengths;
  for (ir::StructInfoRef field : fields->fields) {
    const auto* tensor = field->As<ir::TensorInfo>();
    if (tensor == nullptr || tensor->dims() == nullptr) return w.Fail("a result of unknown shape");
    lengths.push_back((*tensor->dims())[static_cast<size_t>(axis)]);
  }
  Written out;
  for (const std::string& name :
       w.graph().EmitSeveral("Split", {w.In(0), w.ListOf(lengths)}, {IntAttribute("axis", axis)},
                             lengths.size(), "")) {
    out.fields.push_back({name, {}});
  }
  return out;
}

Written WriteSlice(CallWriter& w) {
  const std::vector<ir::PrimRef> axes = w.ValuesOf(1);
  const std::vector<ir::PrimRef> strides =
      w.Has(4) ? w.ValuesOf(4) : std::vector<ir::PrimRef>(axes.size(), w.graph().ir().Int(1));
  return w.Node("Slice", {w.In(0), w.Sizes(2), w.Sizes(3), w.ListOf(axes), w.ListOf(strides)});
}

Written WriteFlip(CallWriter& w) {
  return w.Node("Slice", {w.In(0), w.graph().Ints({-1}),
                          w.graph().Ints({std::numeric_limits<int64_t>::min()}),
                          w.graph().Ints({ops::IntAttr(w.call(), "axis")}), w.graph().Ints({-1})});
}

Written WriteTile(CallWriter& w) {
  std::vector<int64_t> repeats = ops::IntsAttr(w.call(), "repeats");
  const auto rank = static_cast<size_t>(w.Rank(0));
  std::string x = w.In(0);
  if (repeats.size() < rank) repeats.insert(repeats.begin(), rank - repeats.size(), 1);
  if (repeats.size() > rank) {
    std::vector<int64_t> axes(repeats.size() - rank);
    std::iota(axes.begin(), axes.end(), 0);
    x = w.Step("Unsqueeze", {x, w.graph().Ints(axes)});
  }
  return w.Node("Tile", {x, w.graph().Ints(repeats)});
}

Written WritePad(CallWriter& w) {
  const std::vector<int64_t> width = ops::IntsAttr(w.call(), "pad_width");
  const std::string mode = ops::FindString(w.call(), "pad_mode");
  std::vector<int64_t> pads;
  for (size_t i = 0; i < width.size(); i += 2) pads.push_back(width[i]);
  for (size_t i = 1; i < width.size(); i += 2) pads.push_back(width[i]);
  const std::string name = mode == "replicate" ? "edge" : mode == "circular" ? "wrap" : mode;
  std::vector<std::string> inputs = {w.In(0), w.graph().Ints(pads)};
  if (mode == "constant") {
    inputs.push_back(w.Number(ops::FloatAttr(w.call(), "pad_value"), w.ResultType()));
  }
  return w.Node("Pad", inputs, {TextAttribute("mode", name)});
}

Written WritePixelShuffle(CallWriter& w) {
  return w.Node("DepthToSpace", {w.In(0)},
                {IntAttribute("blocksize", ops::IntAttr(w.call(), "upscale_factor")),
                 TextAttribute("mode", "CRD")});
}

Written WriteShapeToTensor(CallWriter& w) { return w.Node("Identity", {w.Sizes(0)}); }

}  // namespace lathe::onnx

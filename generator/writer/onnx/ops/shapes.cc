// Writes operators that move elements: reshapes, permutations, slices, concatenations, paddings.
#include <algorithm>
#include <limits>
#include <numeric>

#include "generator/interp/data/scalar_math.h"
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
// `zeros` becomes true if a dimension is or can be 0.
std::string ShapeArgument(CallWriter& w, const Dims& dims, bool& zeros) {
  std::vector<int64_t> known;
  int symbolic = 0;
  bool is_empty = false;
  for (ir::PrimRef dim : dims) {
    const int64_t* number = ops::AsInt(dim);
    symbolic += number == nullptr ? 1 : 0;
    is_empty |= number != nullptr && *number == 0;
    known.push_back(number == nullptr ? -1 : *number);
  }
  zeros = is_empty || symbolic > 1;
  if (symbolic == 1 && !is_empty) return w.graph().Ints(known);
  return w.ListOf(dims);
}

// The value of R.nn.pad in the dtype of the tensor, in which integers wrap.
std::string PadValue(CallWriter& w) {
  const double value = ops::FloatAttr(w.call(), "pad_value");
  const ir::DType dtype = w.ResultType(), real = ir::DType::Float(64);
  if (!dtype.is_integer()) return w.Number(value, dtype);
  return w.graph().Integer(interp::ToInt64(real, interp::FromDouble(real, value)), dtype);
}

}  // namespace

Written WriteReshape(CallWriter& w) {
  bool zeros = false;
  const std::string shape = ShapeArgument(w, w.ResultDims(), zeros);
  std::vector<Attribute> attributes;
  // Without the attribute a 0 copies the dimension of the input.
  if (zeros) attributes.push_back(IntAttribute("allowzero", 1));
  return w.Node("Reshape", {w.In(0), shape}, attributes);
}

Written WriteTranspose(CallWriter& w) {
  const std::vector<int> from = ops::PermutedAxes(w.call(), w.Rank(0));
  const std::vector<int64_t> axes(from.begin(), from.end());
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
    inputs.push_back(PadValue(w));
  }
  return w.Node("Pad", inputs, {TextAttribute("mode", name)});
}

Written WritePixelShuffle(CallWriter& w) {
  const std::vector<Attribute> attributes = {
      IntAttribute("blocksize", ops::IntAttr(w.call(), "upscale_factor")),
      TextAttribute("mode", "CRD")};
  constexpr size_t kImageRank = 4;
  if (w.Rank(0) == kImageRank) return w.Node("DepthToSpace", {w.In(0)}, attributes);
  // The axes in front of the channels become one.
  const auto dims = w.KnownDims(w.call().args[0]);
  if (!dims || dims->size() < 3) return w.Fail("an image of symbolic size that has not 4 axes");
  const auto channels = dims->end() - 3;
  std::vector<int64_t> image = {1};
  for (auto dim = dims->begin(); dim != channels; ++dim) image[0] *= *dim;
  image.insert(image.end(), channels, dims->end());
  const Attribute keeps_zeros = IntAttribute("allowzero", 1);
  const std::string x = w.Step("Reshape", {w.In(0), w.graph().Ints(image)}, {keeps_zeros});
  const std::string y = w.Step("DepthToSpace", {x}, attributes);
  return w.Node("Reshape", {y, w.ListOf(w.ResultDims())}, {keeps_zeros});
}

Written WriteShapeToTensor(CallWriter& w) { return w.Node("Identity", {w.Sizes(0)}); }

}  // namespace lathe::onnx

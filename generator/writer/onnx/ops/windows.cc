// Writes convolutions and pools. ONNX has channels in front; other layouts are transposed.
#include <algorithm>

#include "absl/strings/match.h"
#include "generator/ops/args/attributes.h"
#include "generator/writer/onnx/writer_rows.h"

namespace lathe::onnx {
namespace {

constexpr absl::string_view kImageAxes[] = {"NCW", "NCHW", "NCDHW"};
constexpr absl::string_view kKernelAxes[] = {"OIW", "OIHW", "OIDHW"};
constexpr absl::string_view kTransposedKernelAxes[] = {"IOW", "IOHW", "IODHW"};

// The permutation that gives a tensor of layout `from` the layout `to`; nothing for blocked ones.
std::optional<std::vector<int64_t>> AxesBetween(absl::string_view from, absl::string_view to) {
  if (from.size() != to.size()) return std::nullopt;
  std::vector<int64_t> axes;
  for (char axis : to) {
    const size_t at = from.find(axis);
    if (at == absl::string_view::npos) return std::nullopt;
    axes.push_back(static_cast<int64_t>(at));
  }
  return axes;
}

std::string InLayout(CallWriter& w, std::string x, absl::string_view from, absl::string_view to) {
  const auto axes = AxesBetween(from, to);
  if (axes) return w.Transposed(std::move(x), *axes);
  w.Fail("a layout with blocks");
  return x;
}

Attribute Ints(CallWriter& w, const char* onnx, const char* relax) {
  return IntsAttribute(onnx, ops::IntsAttr(w.call(), relax));
}

// One node between transpositions of its image.
Written InImageLayout(CallWriter& w, absl::string_view op, const std::string& in,
                      const std::string& out, std::vector<std::string> inputs,
                      std::vector<Attribute> attributes) {
  const absl::string_view image =
      kImageAxes[in.size() < 3 ? 0 : std::min<size_t>(in.size() - 3, 2)];
  inputs[0] = InLayout(w, inputs[0], in, image);
  const std::string y = w.Step(op, std::move(inputs), std::move(attributes));
  return {InLayout(w, y, image, out), {}};
}

}  // namespace

Written WriteConv(CallWriter& w) {
  const ir::Call& call = w.call();
  const std::string data = ops::FindString(call, "data_layout");
  const std::string kernel = ops::FindString(call, "kernel_layout");
  const std::string out = ops::FindString(call, "out_layout");
  if (w.ResultType() != w.TypeOf(0)) return w.Fail("an out_dtype that is not that of the data");
  if (!w.ResultType().is_floating()) return w.Fail("integers");
  if (data.size() < 3 || data.size() > 5) return w.Fail("a layout with blocks");
  const bool transposed = absl::EndsWith(call.op()->name, "_transpose");
  const absl::string_view taps =
      (transposed ? kTransposedKernelAxes : kKernelAxes)[data.size() - 3];
  const std::string weight = InLayout(w, w.In(1), kernel, taps);
  std::vector<Attribute> attributes = {Ints(w, "dilations", "dilation"),
                                       IntAttribute("group", ops::IntAttr(call, "groups")),
                                       Ints(w, "pads", "padding"), Ints(w, "strides", "strides")};
  if (transposed) attributes.push_back(Ints(w, "output_padding", "output_padding"));
  return InImageLayout(w, OnnxName(w), data, out.empty() ? data : out, {w.In(0), weight},
                       attributes);
}

Written WritePool(CallWriter& w) {
  const ir::Call& call = w.call();
  const std::string layout = ops::FindString(call, "layout");
  const std::string out = ops::FindString(call, "out_layout");
  std::vector<Attribute> attributes = {
      IntAttribute("ceil_mode", ops::FindBool(call, "ceil_mode") ? 1 : 0),
      Ints(w, "kernel_shape", "pool_size"), Ints(w, "pads", "padding"),
      Ints(w, "strides", "strides")};
  // ONNX Runtime passes the attributes of quantized pools to an operator that has no dilations.
  const std::vector<int64_t> dilation = ops::IntsAttr(call, "dilation");
  if (std::any_of(dilation.begin(), dilation.end(), [](int64_t step) { return step != 1; })) {
    attributes.push_back(IntsAttribute("dilations", dilation));
  }
  if (OnnxName(w) == "AveragePool") {
    const bool with_pads = ops::FindBool(call, "count_include_pad");
    attributes.push_back(IntAttribute("count_include_pad", with_pads ? 1 : 0));
  }
  return InImageLayout(w, OnnxName(w), layout, out.empty() ? layout : out, {w.In(0)}, attributes);
}

// ONNX has the result of one element per channel only. Others are pools if they divide the image.
Written WriteAdaptivePool(CallWriter& w) {
  const ir::Call& call = w.call();
  const std::string layout = ops::FindString(call, "layout");
  const std::string out = ops::FindString(call, "out_layout");
  if (out != layout && !out.empty())
    return w.Fail("a layout of the result that is not the image's");
  const auto sizes = ops::FindInts(call, "output_size");
  if (!sizes) return w.Node("Identity", {w.In(0)});
  if (std::all_of(sizes->begin(), sizes->end(), [](int64_t size) { return size == 1; })) {
    return InImageLayout(w, "GlobalAveragePool", layout, layout, {w.In(0)}, {});
  }
  const auto dims = w.KnownDims(call.args[0]);
  if (!dims || dims->size() != layout.size()) return w.Fail("an image of symbolic size");
  std::vector<int64_t> windows;
  for (size_t i = 0; i < sizes->size(); ++i) {
    const size_t at = layout.find(kImageAxes[sizes->size() - 1][i + 2]);
    const int64_t size = at == std::string::npos ? 0 : (*dims)[at];
    if ((*sizes)[i] < 1 || size == 0 || size % (*sizes)[i] != 0) {
      return w.Fail("an output_size that does not divide the image");
    }
    windows.push_back(size / (*sizes)[i]);
  }
  return InImageLayout(w, "AveragePool", layout, layout, {w.In(0)},
                       {IntsAttribute("kernel_shape", windows), IntsAttribute("strides", windows)});
}

Written WriteResize(CallWriter& w) {
  const ir::Call& call = w.call();
  const std::string layout = ops::FindString(call, "layout");
  const std::string method = ops::FindString(call, "method");
  const std::string rounding = ops::FindString(call, "rounding_method");
  std::string placing = ops::FindString(call, "coordinate_transformation_mode");
  if (w.ResultType() != w.TypeOf(0)) return w.Fail("an out_dtype that is not that of the image");
  if (layout != "NCHW") return w.Fail("a layout that is not NCHW");
  if (placing != "half_pixel" && placing != "align_corners" && placing != "asymmetric" &&
      placing != "pytorch_half_pixel") {
    return w.Fail("this coordinate_transformation_mode");
  }
  std::string mode = method == "linear" || method == "bilinear" ? "linear" : method;
  if (mode == "nearest_neighbor") mode = "nearest";
  if (mode != "linear" && mode != "nearest")
    return w.Fail("a method that is not linear or nearest");
  // Runtimes truncate interpolated integers, which are rounded here.
  if (mode == "linear" && !w.ResultType().is_floating()) return w.Fail("interpolated integers");
  const bool rounds = rounding == "floor" || rounding == "ceil" ||
                      rounding == "round_prefer_ceil" || rounding == "round_prefer_floor";
  if (mode == "nearest" && !rounds) return w.Fail("a rounding_method that rounds ties to even");
  Dims sizes = w.DimsOf(0);
  const std::vector<ir::PrimRef> space = w.ValuesOf(1);
  if (w.failed() || sizes.size() != 4 || space.size() != 2)
    return w.Fail("an image of unknown size");
  sizes[2] = space[0];
  sizes[3] = space[1];
  std::vector<Attribute> attributes = {TextAttribute("coordinate_transformation_mode", placing),
                                       TextAttribute("mode", mode)};
  if (mode == "nearest") attributes.push_back(TextAttribute("nearest_mode", rounding));
  return w.Node("Resize", {w.In(0), "", "", w.ListOf(sizes)}, attributes);
}

}  // namespace lathe::onnx

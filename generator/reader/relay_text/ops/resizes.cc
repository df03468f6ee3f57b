// Imports operators that resize images.
#include <cmath>

#include "absl/strings/str_cat.h"
#include "generator/reader/relay_text/ops/call_parts.h"
#include "generator/reader/relay_text/ops/resize.h"
#include "generator/reader/relay_text/ops/windows.h"
#include "generator/support/status.h"

namespace lathe::relay {

// Relay rounds halves up where R.image.resize* has "round" to even.
std::string ResizeRounding(const std::string& rounding, const std::string& mode) {
  if (rounding == "round") return "round_prefer_ceil";
  if (rounding.empty()) return mode == "align_corners" ? "round_prefer_ceil" : "floor";
  return rounding;
}

absl::StatusOr<Operand> Resized(OpCall& c, Operand x, Dims size) {
  const std::string& mode = c.Str("coordinate_transformation_mode");
  std::string layout = c.Str("layout");
  const bool line = size.size() == 1;
  std::vector<double> roi;
  if (!c.IsNone("roi")) roi = c.Floats("roi");
  const size_t corners = 2 * size.size();
  if (roi.empty()) roi.assign(corners, 0.0);
  if (roi.size() != corners) return c.Error() << "roi has " << roi.size() << " values";
  const Dims from = c.DimsOf(x);
  int height = 0;
  if (line) {
    // One axis is an image of height 1.
    LATHE_ASSIGN_OR_RETURN(const std::vector<int> axes, AxesOfLayout(c, layout, "W"));
    height = axes[0];
    LATHE_RETURN_IF_ERROR(RequireRank(c, x, 3, "the data"));
    Dims image = from;
    image.insert(image.begin() + height, c.ir().Int(1));
    x = c.Reshape(x, image);
    layout.insert(layout.find('W'), "H");
    size.insert(size.begin(), c.ir().Int(1));
    roi = {0, roi[0], 1, roi[1]};
  }
  ir::AttrList corner_list;
  for (double corner : roi) corner_list.emplace_back(corner);
  ir::AttrMap attrs = {{"roi", corner_list},
                       {"layout", layout},
                       {"method", c.Str("method")},
                       {"coordinate_transformation_mode", mode},
                       {"rounding_method", ResizeRounding(c.Str("rounding_method"), mode)},
                       {"cubic_alpha", c.Float("cubic_alpha")},
                       {"cubic_exclude", c.Int("cubic_exclude")},
                       {"extrapolation_value", c.Float("extrapolation_value")}};
  if (const auto dtype = c.DTypeAttr("out_dtype")) attrs["out_dtype"] = *dtype;
  const Operand out = c.Op(size.size() == 3 ? "relax.image.resize3d" : "relax.image.resize2d",
                           {x, OpCall::Shape(size)}, std::move(attrs));
  if (!line) return out;
  Dims dims = c.DimsOf(out);
  dims.erase(dims.begin() + height);
  return c.Reshape(out, dims);
}

absl::StatusOr<Operand> ImportResize(OpCall& c) {
  LATHE_RETURN_IF_ERROR(RequireOneOf(c, "method", {"nearest_neighbor", "linear", "cubic"}));
  const size_t rank = static_cast<size_t>(c.op()[c.op().size() - 2] - '0');
  std::vector<int64_t> size;
  if (!c.IsNone("size")) size = c.Ints("size");
  if (size.size() != rank) return c.Error() << "size has " << size.size() << " values";
  return Resized(c, c.Arg(0), c.DimsFrom(size));
}

absl::StatusOr<Operand> Upsampled(OpCall& c, const Operand& x, const Dims& size) {
  const bool deep = size.size() == 3;
  const std::string& method = c.Str("method");
  std::string kind = "nearest_neighbor";
  if (method == "bilinear" || method == "trilinear") kind = "linear";
  if (method == "bicubic") kind = "cubic";
  if (kind == "nearest_neighbor" && method != kind) {
    return c.Error() << "method is '" << method
                     << "'; supported: nearest_neighbor, bilinear, trilinear, bicubic";
  }
  // In two dimensions the corners align, or the images start at one place.
  const std::string mode = deep                      ? c.Str("coordinate_transformation_mode")
                           : c.Bool("align_corners") ? "align_corners"
                                                     : "asymmetric";
  return c.Op(deep ? "relax.image.resize3d" : "relax.image.resize2d", {x, OpCall::Shape(size)},
              {{"layout", c.Str("layout")},
               {"method", kind},
               {"coordinate_transformation_mode", mode},
               {"rounding_method", ResizeRounding("", mode)},
               {"cubic_alpha", -0.5}});
}

// Sizes are multiplied by a scale and rounded, halves to even.
absl::StatusOr<Dims> ScaledSize(OpCall& c, const Operand& x, const std::vector<double>& scales) {
  const int rank = static_cast<int>(scales.size());
  LATHE_ASSIGN_OR_RETURN(const std::vector<int> space,
                         AxesOfLayout(c, c.Str("layout"), SpaceLetters(rank)));
  Dims size;
  for (size_t i = 0; i < scales.size(); ++i) {
    if (!(scales[i] > 0 && scales[i] < 1e6)) return c.Error() << "a scale of " << scales[i];
    if (space[i] >= c.Rank(x)) return c.Error() << "the layout does not match the data";
    const PrimRef dim = c.DimsOf(x)[static_cast<size_t>(space[i])];
    const auto known = OpCall::IntOf(dim);
    const bool whole = scales[i] == std::floor(scales[i]);
    if (!known && !whole) return c.Unsupported() << "a fractional scale of a symbolic size";
    size.push_back(known ? c.ir().Int(std::llrint(static_cast<double>(*known) * scales[i]))
                         : c.Simplify(c.math().Mul(dim, c.ir().Int(std::llrint(scales[i])))));
  }
  return size;
}

absl::StatusOr<Operand> ImportUpsampling(OpCall& c) {
  std::vector<double> scales = {c.Float("scale_h"), c.Float("scale_w")};
  if (c.op() == "nn.upsampling3d") scales.insert(scales.begin(), c.Float("scale_d"));
  LATHE_ASSIGN_OR_RETURN(const Dims size, ScaledSize(c, c.Arg(0), scales));
  return Upsampled(c, c.Arg(0), size);
}

// Moves blocks between the channels and the space of an image.
absl::StatusOr<Operand> ImportSpaceDepth(OpCall& c) {
  Operand x = c.Arg(0);
  const int64_t block = c.Int("block_size");
  constexpr int64_t kMostBlock = 1 << 20;
  LATHE_RETURN_IF_ERROR(RequireOneOf(c, "layout", {"NCHW", "NHWC"}));
  LATHE_RETURN_IF_ERROR(RequireRank(c, x, 4, "the data"));
  if (block < 1 || block > kMostBlock) return c.Error() << "a block of " << block;
  const bool last = c.Str("layout") == "NHWC", to_depth = c.op() == "nn.space_to_depth";
  if (last) x = c.Transposed(x, {0, 3, 1, 2});
  const Dims d = c.DimsOf(x);
  const PrimRef b = c.ir().Int(block);
  const auto times = [&](PrimRef e) { return c.Simplify(c.math().Mul(e, b)); };
  const auto over = [&](PrimRef e) { return c.Simplify(c.math().FloorDiv(e, b)); };
  const auto divides = [&](PrimRef e, int64_t by) {
    const auto size = OpCall::IntOf(e);
    return !size || *size % by == 0;
  };
  if (to_depth ? !divides(d[2], block) || !divides(d[3], block) : !divides(d[1], block * block)) {
    return c.Error() << "a block of " << block << " does not divide the data";
  }
  Operand y = x;
  if (to_depth) {
    const Operand parted = c.Reshape(x, {d[0], d[1], over(d[2]), b, over(d[3]), b});
    y = c.Reshape(c.Transposed(parted, {0, 3, 5, 1, 2, 4}),
                  {d[0], times(times(d[1])), over(d[2]), over(d[3])});
  } else {
    LATHE_RETURN_IF_ERROR(RequireOneOf(c, "mode", {"DCR", "CRD"}));
    const PrimRef channels = over(over(d[1]));
    const bool crd = c.Str("mode") == "CRD";
    const Operand parted = crd ? c.Reshape(x, {d[0], channels, b, b, d[2], d[3]})
                               : c.Reshape(x, {d[0], b, b, channels, d[2], d[3]});
    const Operand turned =
        c.Transposed(parted, crd ? std::vector{0, 1, 4, 2, 5, 3} : std::vector{0, 3, 4, 1, 5, 2});
    y = c.Reshape(turned, {d[0], channels, times(d[2]), times(d[3])});
  }
  return last ? c.Transposed(y, {0, 2, 3, 1}) : y;
}

}  // namespace lathe::relay

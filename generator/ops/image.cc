// Infers operators that resize images, sample them at given positions, or pool regions of them.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "generator/ops/args/attributes.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/te/interpolation.h"
#include "generator/ops/te/layout.h"
#include "generator/ops/te/te.h"
#include "generator/support/count_of.h"
#include "generator/support/status.h"

namespace lathe::ops {

namespace {

// The dims of the data with its spatial axes, in canonical order, replaced.
Result Resized(InferContext& c, const Call& call, const TensorInfo& x, const Layout& layout,
               const std::vector<PrimRef>& spatial, DType dtype) {
  LATHE_ASSIGN_OR_RETURN(Dims image, layout.Read(c, call, 0, *DimsOf(c, x)));
  std::copy(spatial.begin(), spatial.end(), image.begin() + 2);
  LATHE_ASSIGN_OR_RETURN(image, layout.Write(c, call, image));
  for (PrimRef& dim : image) dim = c.Simplify(dim);
  return c.ir().Tensor(std::move(image), dtype, x.vdevice);
}

// Fails when axis `axis` of the data is certainly empty.
absl::Status NeedElements(InferContext& c, const Call& call, PrimRef length, char axis) {
  if (c.CanBeAtMost(c.ir().Int(1), length)) return absl::OkStatus();
  return c.Error("op-argument-shape")
         << DescribeArg(c, call, 0) << " has no elements along axis " << std::string(1, axis);
}

}  // namespace

// resize2d, resize3d.
Result InferResize(InferContext& c, const Call& call) {
  const bool deep = call.op()->name == "relax.image.resize3d";
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  LATHE_ASSIGN_OR_RETURN(const ir::ShapeInfo* size, ShapeArg(c, call, 1));
  const int rank = deep ? 3 : 2;
  if (size->ndim != ir::kUnknownRank && size->ndim != rank) {
    return c.Error("op-argument-rank") << DescribeArg(c, call, 1) << " must have "
                                       << CountOf(rank, "dimension") << ", got " << size->ndim;
  }
  LATHE_ASSIGN_OR_RETURN(const Layout layout,
                         Layout::Need(c, call, "layout", deep ? "NCDHW" : "NCHW"));
  LATHE_RETURN_IF_ERROR(NeedRank(c, call, 0, *x, layout.ndim()));
  LATHE_RETURN_IF_ERROR(NeedFloats(c, call, "roi", static_cast<size_t>(2 * rank)));
  LATHE_RETURN_IF_ERROR(
      NeedOneOf(c, call, "method", {"nearest_neighbor", "linear", "cubic"}).status());
  LATHE_RETURN_IF_ERROR(
      NeedOneOf(c, call, "coordinate_transformation_mode",
                {"half_pixel", "align_corners", "asymmetric", "pytorch_half_pixel",
                 "tf_half_pixel_for_nn", "tf_crop_and_resize"})
          .status());
  LATHE_RETURN_IF_ERROR(
      NeedOneOf(c, call, "rounding_method",
                {"", "round", "floor", "ceil", "round_prefer_floor", "round_prefer_ceil"})
          .status());
  DType dtype = FindDType(call, "out_dtype");
  if (dtype.is_void()) dtype = x->dtype;
  if (DimsOf(c, *x) == nullptr || !size->values.has_value()) {
    return c.ir().Tensor(layout.ndim(), dtype, x->vdevice);
  }
  LATHE_ASSIGN_OR_RETURN(const Dims image, layout.Read(c, call, 0, *DimsOf(c, *x)));
  for (int i = 0; i < rank; ++i) {
    const int64_t* to = AsInt((*size->values)[i]);
    if (to != nullptr && *to == 0) continue;
    LATHE_RETURN_IF_ERROR(
        NeedElements(c, call, c.Simplify(image[2 + i]), (deep ? "DHW" : "HW")[i]));
  }
  return Resized(c, call, *x, layout, *size->values, dtype);
}

// The grid has a position in the data for each element of the result.
Result InferGridSample(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* grid, TensorArg(c, call, 1));
  const bool deep = FindString(call, "layout") == "NCDHW";
  LATHE_ASSIGN_OR_RETURN(const Layout layout,
                         Layout::Need(c, call, "layout", deep ? "NCDHW" : "NCHW"));
  LATHE_RETURN_IF_ERROR(NeedRank(c, call, 0, *x, layout.ndim()));
  LATHE_RETURN_IF_ERROR(NeedRank(c, call, 1, *grid, deep ? 5 : 4));
  const std::vector<std::string> methods =
      deep ? std::vector<std::string>{"bilinear", "nearest"}
           : std::vector<std::string>{"bilinear", "nearest", "bicubic"};
  LATHE_RETURN_IF_ERROR(NeedOneOf(c, call, "method", methods).status());
  LATHE_RETURN_IF_ERROR(
      NeedOneOf(c, call, "padding_mode", {"zeros", "border", "reflection"}).status());
  const Dims* places = DimsOf(c, *grid);
  if (places != nullptr && !c.CanEqual((*places)[1], c.ir().Int(layout.ndim() - 2))) {
    return c.Error("op-argument-shape")
           << "dimension 1 of " << DescribeArg(c, call, 1) << " must be " << layout.ndim() - 2
           << ", a coordinate for each axis, got " << ToString((*places)[1]);
  }
  if (DimsOf(c, *x) == nullptr || places == nullptr) {
    return c.ir().Tensor(layout.ndim(), x->dtype, x->vdevice);
  }
  return Resized(c, call, *x, layout, Dims(places->begin() + 2, places->end()), x->dtype);
}

// One grid for each matrix of the batch: [batch, axes, size...].
Result InferAffineGrid(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  LATHE_ASSIGN_OR_RETURN(const ir::ShapeInfo* size, ShapeArg(c, call, 1));
  if (size->ndim != 2 && size->ndim != 3) {
    return c.Error("op-argument-rank")
           << DescribeArg(c, call, 1) << " must have 2 or 3 dimensions, got " << size->ndim;
  }
  LATHE_RETURN_IF_ERROR(NeedRank(c, call, 0, *x, 3));
  const Dims* matrices = x->dims();
  for (int i = 0; matrices != nullptr && i < 2; ++i) {
    if (!c.CanEqual((*matrices)[1 + i], c.ir().Int(size->ndim + i))) {
      return c.Error("op-argument-shape")
             << "dimension " << 1 + i << " of " << DescribeArg(c, call, 0) << " must be "
             << size->ndim + i << ", got " << ToString((*matrices)[1 + i]);
    }
  }
  for (PrimRef length : size->values.value_or(Dims{})) {
    const int64_t* known = AsInt(length);
    if (known == nullptr || *known >= 0) continue;
    return c.Error("op-argument-shape")
           << DescribeArg(c, call, 1) << " must not have negative lengths, got " << *known;
  }
  if (matrices == nullptr || !size->values.has_value()) {
    return c.ir().Tensor(size->ndim + 2, x->dtype, x->vdevice);
  }
  Dims dims = {(*matrices)[0], c.ir().Int(size->ndim)};
  dims.insert(dims.end(), size->values->begin(), size->values->end());
  return c.ir().Tensor(std::move(dims), x->dtype, x->vdevice);
}

// roi_align, roi_pool: one small image per region, which is given by five numbers.
Result InferRegions(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* regions, TensorArg(c, call, 1));
  LATHE_RETURN_IF_ERROR(NeedRank(c, call, 0, *x, 4));
  LATHE_RETURN_IF_ERROR(NeedRank(c, call, 1, *regions, 2));
  const bool align = call.op()->name == "relax.vision.roi_align";
  const std::vector<std::string> layouts =
      align ? std::vector<std::string>{"NCHW", "NHWC"} : std::vector<std::string>{"NCHW"};
  LATHE_ASSIGN_OR_RETURN(const std::string layout, NeedOneOf(c, call, "layout", layouts));
  if (align) {
    LATHE_RETURN_IF_ERROR(NeedOneOf(c, call, "mode", {"avg", "max"}).status());
    LATHE_ASSIGN_OR_RETURN(const int64_t samples, NeedInt(c, call, "sample_ratio"));
    if (samples > kMaxSamples) {
      return c.Error("op-attribute") << "'sample_ratio' of " << SurfaceName(call)
                                     << " must be at most " << kMaxSamples << ", got " << samples;
    }
  }
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> size, NeedInts(c, call, "pooled_size", 2));
  for (int64_t length : size) {
    if (length >= 0) continue;
    return c.Error("op-attribute")
           << "'pooled_size' of " << SurfaceName(call) << " must not be negative, got " << length;
  }
  const Dims *image = x->dims(), *rois = regions->dims();
  if (rois != nullptr) {
    if (!c.CanEqual((*rois)[1], c.ir().Int(5))) {
      return c.Error("op-argument-shape") << "the last dimension of " << DescribeArg(c, call, 1)
                                          << " must be 5, got " << ToString((*rois)[1]);
    }
  }
  if (image == nullptr || rois == nullptr) return c.ir().Tensor(4, x->dtype, x->vdevice);
  const int down = layout == "NHWC" ? 1 : 2;
  LATHE_RETURN_IF_ERROR(NeedElements(c, call, (*image)[down], 'H'));
  LATHE_RETURN_IF_ERROR(NeedElements(c, call, (*image)[down + 1], 'W'));
  const PrimRef high = c.ir().Int(size[0]), wide = c.ir().Int(size[1]);
  if (layout == "NHWC") {
    return c.ir().Tensor(Dims{(*rois)[0], high, wide, (*image)[3]}, x->dtype, x->vdevice);
  }
  return c.ir().Tensor(Dims{(*rois)[0], (*image)[1], high, wide}, x->dtype, x->vdevice);
}

}  // namespace lathe::ops

// Implements nn.pad, nn.pixel_shuffle, and nn.dropout, which at inference is the identity.
#include <string>
#include <utility>
#include <vector>

#include "generator/ops/args/attributes.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/te/te.h"
#include "generator/support/status.h"

namespace lathe::ops {
// The widths before and after each axis.
Result InferPad(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> width, NeedInts(c, call, "pad_width"));
  LATHE_ASSIGN_OR_RETURN(
      const std::string mode,
      NeedOneOf(c, call, "pad_mode", {"constant", "reflect", "replicate", "circular"}));
  LATHE_RETURN_IF_ERROR(width.size() % 2 == 0
                            ? NeedRank(c, call, 0, *x, static_cast<int>(width.size() / 2))
                            : absl::Status(c.Error("op-attribute")
                                           << "'pad_width' of " << SurfaceName(call)
                                           << " must hold two numbers for each axis, got "
                                           << width.size()));
  for (int64_t w : width) {
    if (w < 0) {
      return c.Error("op-attribute")
             << "'pad_width' of " << SurfaceName(call) << " must not be negative, got " << w;
    }
  }
  const int ndim = static_cast<int>(width.size() / 2);
  if (x->dims() == nullptr) return c.ir().Tensor(ndim, x->dtype, x->vdevice);
  ScalarMath m(c.ir());
  Dims dims;
  for (int i = 0; i < ndim; ++i) {
    const bool repeats = mode != "constant" && width[2 * i] + width[2 * i + 1] > 0;
    if (repeats && !c.CanBeAtMost(m.Int(1), (*x->dims())[i])) {
      return c.Error("op-argument-shape")
             << DescribeArg(c, call, 0) << " has no elements along axis " << i
             << ", which pad_mode \"" << mode << "\" could repeat";
    }
    PrimRef grown = m.Add(m.Add((*x->dims())[i], m.Int(width[2 * i])), m.Int(width[2 * i + 1]));
    dims.push_back(c.Simplify(grown));
  }
  return c.ir().Tensor(std::move(dims), x->dtype, x->vdevice);
}

absl::StatusOr<ir::PrimFunc> ComputePad(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  ir::BufferRef x = te.Input(0);
  const std::vector<int64_t> width = IntsAttr(call, "pad_width");
  const std::string mode = FindString(call, "pad_mode");
  const double fill = FindFloat(call, "pad_value").value_or(0);
  return te.Finish({te.Compute("out", te.result_dims(), x->dtype, [&](const Indices& at) {
    Indices from;
    PrimRef inside = m.ir().Bool(true);
    for (size_t i = 0; i < at.size(); ++i) {
      PrimRef index = m.Sub(at[i], m.Int(width[2 * i]));
      const PrimRef extent = x->shape[i], last = m.Sub(extent, m.Int(1));
      if (width[2 * i] + width[2 * i + 1] > 0) {
        if (mode == "constant") inside = m.And(inside, m.InRange(index, m.Int(0), extent));
        if (mode == "replicate") index = m.Min(m.Max(index, m.Int(0)), last);
        if (mode == "circular") index = m.FloorMod(index, extent);
        if (mode == "reflect") {
          // Reflection without repeating the ends: a period of 2 * (extent - 1) steps.
          const PrimRef period = m.Max(m.Mul(m.Int(2), last), m.Int(1));
          const PrimRef step = m.FloorMod(index, period);
          index = m.Min(step, m.Sub(period, step));
        }
      }
      from.push_back(index);
    }
    return m.IfThenElse(inside, te.At(x, from), m.Const(fill, x->dtype));
  })});
}

// c * r * r channels become c channels of r times the width and height.
Result InferPixelShuffle(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  LATHE_ASSIGN_OR_RETURN(const int64_t r, NeedInt(c, call, "upscale_factor"));
  if (r < 1 || r > (1 << 15)) {
    return c.Error("op-attribute") << "'upscale_factor' of " << SurfaceName(call)
                                   << " must be between 1 and " << (1 << 15) << ", got " << r;
  }
  if (x->ndim >= 0 && x->ndim < 3) {
    return c.Error("op-argument-rank")
           << DescribeArg(c, call, 0) << " must have at least 3 dimensions, got " << x->ndim;
  }
  if (x->dims() == nullptr) return c.ir().Tensor(x->ndim, x->dtype, x->vdevice);
  ScalarMath m(c.ir());
  Dims dims = *x->dims();
  PrimRef& channels = dims[dims.size() - 3];
  if (!c.CanEqual(m.FloorMod(channels, m.Int(r * r)), m.Int(0))) {
    return c.Error("op-argument-shape") << DescribeArg(c, call, 0) << " must have a multiple of "
                                        << r * r << " channels, got " << ToString(channels);
  }
  channels = c.Simplify(m.FloorDiv(channels, m.Int(r * r)));
  for (size_t i = dims.size() - 2; i < dims.size(); ++i) {
    dims[i] = c.Simplify(m.Mul(dims[i], m.Int(r)));
  }
  return c.ir().Tensor(std::move(dims), x->dtype, x->vdevice);
}

absl::StatusOr<ir::PrimFunc> ComputePixelShuffle(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  ir::BufferRef x = te.Input(0);
  const PrimRef r = m.Int(IntAttr(call, "upscale_factor"));
  return te.Finish({te.Compute("out", te.result_dims(), x->dtype, [&](const Indices& at) {
    Indices from = at;
    PrimRef& channel = from[at.size() - 3];
    for (size_t i = at.size() - 2; i < at.size(); ++i) {
      channel = m.Add(m.Mul(channel, r), m.FloorMod(at[i], r));
      from[i] = m.FloorDiv(at[i], r);
    }
    return te.At(x, from);
  })});
}

Result InferDropout(InferContext& c, const Call& call) {
  LATHE_RETURN_IF_ERROR(TensorArg(c, call, 0).status());
  StructInfoRef x = c.InfoOf(call.args[0]);
  return c.ir().Tuple({x, x});
}

// The unchanged data, and a mask of ones.
absl::StatusOr<ir::PrimFunc> ComputeDropout(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ir::BufferRef x = te.Input(0);
  ir::BufferRef out =
      te.Compute("out", x->shape, x->dtype, [&](const Indices& at) { return te.At(x, at); });
  ir::BufferRef mask = te.Compute("mask", x->shape, x->dtype,
                                  [&](const Indices&) { return te.math().Const(1, x->dtype); });
  return te.Finish({out, mask});
}

}  // namespace lathe::ops

// Implements pooling: max_pool, avg_pool over windows; adaptive_avg_pool to a given size.
#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/ops/args/attributes.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/te/layout.h"
#include "generator/ops/te/pool_window.h"
#include "generator/ops/te/sum_dtype.h"
#include "generator/ops/te/te.h"
#include "generator/support/status.h"

namespace lathe::ops {
namespace {

using Length = absl::StatusOr<PrimRef>;

// The info of the result, whose spatial axes follow from those of the image by `length`.
Result ResultOf(InferContext& c, const Call& call, const TensorInfo& x, const Layout& in,
                const Layout& out, const std::function<Length(ScalarMath&, int, PrimRef)>& length) {
  const Dims* dims = DimsOf(c, x);
  if (dims == nullptr) return c.ir().Tensor(out.ndim(), x.dtype, x.vdevice);
  ScalarMath m(c.ir());
  LATHE_ASSIGN_OR_RETURN(Dims image, in.Read(c, call, 0, *dims));
  for (size_t i = 2; i < image.size(); ++i) {
    LATHE_ASSIGN_OR_RETURN(image[i], length(m, static_cast<int>(i) - 2, c.Simplify(image[i])));
  }
  LATHE_ASSIGN_OR_RETURN(image, out.Write(c, call, image));
  for (PrimRef& dim : image) dim = c.Simplify(dim);
  return c.ir().Tensor(std::move(image), x.dtype, x.vdevice);
}

}  // namespace

absl::StatusOr<StructInfoRef> InferPool(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  const int rank = PoolRank(call);
  LATHE_ASSIGN_OR_RETURN(const PoolWindow w, NeedWindow(c, call));
  LATHE_ASSIGN_OR_RETURN(const Layout in, Layout::Need(c, call, "layout", PoolLayout(rank)));
  LATHE_ASSIGN_OR_RETURN(const Layout out, Layout::Need(c, call, "out_layout", PoolLayout(rank)));
  LATHE_RETURN_IF_ERROR(NeedRank(c, call, 0, *x, in.ndim()));
  return ResultOf(c, call, *x, in, out, [&](ScalarMath& m, int i, PrimRef image) -> Length {
    const int64_t reach = w.dilation[i] * (w.size[i] - 1) + 1;
    const int64_t pads = w.padding[i] + w.padding[rank + i];
    int64_t extra = pads - reach;
    if (w.ceil) {
      extra += w.strides[i] - 1;
      // No window may start in the padding after the image.
      extra -= std::max<int64_t>(w.padding[rank + i] + w.strides[i] - reach, 0);
    }
    const PrimRef windows =
        c.Simplify(m.Add(m.FloorDiv(m.Add(image, m.Int(extra)), m.Int(w.strides[i])), m.Int(1)));
    // An empty image may have no windows. An image of one element with padding often has one.
    const bool fits = reach <= pads + 1 && !w.ceil;
    if (fits || c.CanBeAtMost(m.Min(image, m.Int(1)), windows)) return windows;
    const int64_t* from = AsInt(image);
    return c.Error("op-argument-shape")
           << "axis " << PoolLayout(rank).substr(2 + i, 1) << " of " << DescribeArg(c, call, 0)
           << " with padding must be at least the window, " << reach
           << (from == nullptr ? "" : absl::StrCat(", got ", *from + pads));
  });
}

// The default output size is that of the input.
absl::StatusOr<StructInfoRef> InferAdaptivePool(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  const int rank = PoolRank(call);
  LATHE_ASSIGN_OR_RETURN(const Layout in, Layout::Need(c, call, "layout", PoolLayout(rank)));
  LATHE_ASSIGN_OR_RETURN(const Layout out, Layout::Need(c, call, "out_layout", PoolLayout(rank)));
  LATHE_RETURN_IF_ERROR(NeedRank(c, call, 0, *x, in.ndim()));
  std::vector<int64_t> sizes;
  if (!IsNone(call, "output_size")) {
    LATHE_ASSIGN_OR_RETURN(sizes, NeedInts(c, call, "output_size", static_cast<size_t>(rank)));
  }
  for (int64_t size : sizes) {
    if (size < 0) {
      return c.Error("op-attribute")
             << "'output_size' of " << SurfaceName(call) << " must not be negative, got " << size;
    }
  }
  const bool same = sizes.empty() && FindString(call, "layout") == FindString(call, "out_layout");
  if (same && x->shape_var() != nullptr) return c.InfoOf(call.args[0]);
  return ResultOf(c, call, *x, in, out, [&](ScalarMath& m, int i, PrimRef image) -> Length {
    return sizes.empty() ? image : m.Int(sizes[i]);
  });
}

absl::StatusOr<ir::PrimFunc> ComputePool(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  const int rank = PoolRank(call);
  const Layout in = *Layout::Parse(FindString(call, "layout"), PoolLayout(rank));
  const Layout out = *Layout::Parse(FindString(call, "out_layout"), PoolLayout(rank));
  ir::BufferRef x = te.Input(0);
  const Dims image = in.ToCanonical(m, x->shape);
  const PoolWindow window = WindowOf(call);
  const DType dtype = x->dtype;
  const Dims over = window.Over(m);
  const bool average = absl::StrContains(call.op()->name, "avg");
  const DType wide = average ? SumDType(dtype) : dtype;
  const PrimRef nothing = average ? m.Const(0, dtype) : m.Lowest(dtype);
  ir::BufferRef folded =
      te.Reduce(average ? "sum" : "max", te.result_dims(), over,
                average ? te.Sum(wide) : te.Max(dtype), [&](const Indices& at, const Indices& r) {
                  const auto [from, inside] = window.ElementAt(m, out.IndicesTo(m, at), r, image);
                  return m.IfThenElse(inside, te.At(x, in.IndicesFrom(m, from)), nothing);
                });
  if (!average) return te.Finish({folded});
  const bool pads = FindBool(call, "count_include_pad");
  if ((pads || !window.has_padding()) && !window.ceil) {
    const int64_t count = window.Elements();
    return te.Finish({te.Compute("out", te.result_dims(), dtype, [&](const Indices& at) {
      return m.Cast(m.Div(te.At(folded, at), m.Const(static_cast<double>(count), wide)), dtype);
    })});
  }
  ir::BufferRef count = te.Reduce(
      "count", te.result_dims(), over, te.Sum(DType::Int(32)),
      [&](const Indices& at, const Indices& r) {
        return m.Cast(window.Counts(m, out.IndicesTo(m, at), r, image, pads), DType::Int(32));
      });
  return te.Finish({te.Compute("out", te.result_dims(), dtype, [&](const Indices& at) {
    // Avoids division by zero for windows outside the image.
    const PrimRef divisor = m.Max(te.At(count, at), m.Const(1, DType::Int(32)));
    return m.Cast(m.Div(te.At(folded, at), m.Cast(divisor, wide)), dtype);
  })});
}

// Window i of n on a length L is [floor(i * L / n), ceil((i + 1) * L / n)).
absl::StatusOr<ir::PrimFunc> ComputeAdaptivePool(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  const int rank = PoolRank(call);
  const Layout in = *Layout::Parse(FindString(call, "layout"), PoolLayout(rank));
  const Layout out = *Layout::Parse(FindString(call, "out_layout"), PoolLayout(rank));
  ir::BufferRef x = te.Input(0);
  const Dims image = in.ToCanonical(m, x->shape), to = out.ToCanonical(m, te.result_dims());
  const auto ceil_div = [&](PrimRef a, PrimRef b) {
    return m.FloorDiv(m.Sub(m.Add(a, b), m.Int(1)), b);
  };
  const auto begin = [&](int i, PrimRef index) {
    return m.FloorDiv(m.Mul(index, image[2 + i]), to[2 + i]);
  };
  const auto end = [&](int i, PrimRef index) {
    return ceil_div(m.Mul(m.Add(index, m.Int(1)), image[2 + i]), to[2 + i]);
  };
  bool may_be_empty = false;
  Dims over;  // extents of the longest window
  for (int i = 0; i < rank; ++i) {
    const int64_t* length = AsInt(image[2 + i]);
    may_be_empty |= length == nullptr || *length == 0;
    over.push_back(m.Add(ceil_div(image[2 + i], m.Max(to[2 + i], m.Int(1))), m.Int(1)));
  }
  const DType dtype = x->dtype, wide = SumDType(dtype);
  ir::BufferRef sum = te.Reduce(
      "sum", te.result_dims(), over, te.Sum(wide), [&](const Indices& place, const Indices& r) {
        const Indices at = out.IndicesTo(m, place);
        Indices from = {at[0], at[1]};
        PrimRef inside = m.ir().Bool(true);
        for (int i = 0; i < rank; ++i) {
          from.push_back(m.Add(begin(i, at[2 + i]), r[i]));
          inside = m.And(inside, m.Lt(from.back(), end(i, at[2 + i])));
        }
        return m.IfThenElse(inside, te.At(x, in.IndicesFrom(m, from)), m.Const(0, dtype));
      });
  return te.Finish({te.Compute("out", te.result_dims(), dtype, [&](const Indices& place) {
    const Indices at = out.IndicesTo(m, place);
    PrimRef count = m.Int(1);
    for (int i = 0; i < rank; ++i) {
      count = m.Mul(count, m.Sub(end(i, at[2 + i]), begin(i, at[2 + i])));
    }
    // Avoids division by zero for empty images.
    if (may_be_empty) count = m.Max(count, m.Int(1));
    return m.Cast(m.Div(te.At(sum, place), m.Cast(count, wide)), dtype);
  })});
}

}  // namespace lathe::ops

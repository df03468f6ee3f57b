// Implements convolutions over one, two and three axes, and their transposes.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "generator/ops/args/attributes.h"
#include "generator/ops/args/broadcast.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/te/layout.h"
#include "generator/ops/te/te.h"
#include "generator/support/status.h"

namespace lathe::ops {
namespace {

// The attributes of all kinds of convolutions.
struct Window {
  bool transposed = false;
  int rank = 0;              // of the image
  std::string data, weight;  // canonical layouts: NCHW, and OIHW or IOHW
  std::vector<int64_t> strides, padding, dilation, output_padding;
  int64_t groups = 1;
};

Window ConvWindow(const Call& call) {
  Window w;
  const absl::string_view name = call.op()->name;
  w.transposed = absl::EndsWith(name, "_transpose");
  w.rank = name[name.find("conv") + 4] - '0';
  const std::string axes = std::string("DHW").substr(3 - w.rank);
  w.data = "NC" + axes;
  w.weight = (w.transposed ? "IO" : "OI") + axes;
  w.strides = IntsAttr(call, "strides");
  w.padding = IntsAttr(call, "padding");
  w.dilation = IntsAttr(call, "dilation");
  if (w.transposed) w.output_padding = IntsAttr(call, "output_padding");
  w.groups = IntAttr(call, "groups");
  return w;
}

absl::Status CheckNumbers(InferContext& c, const Call& call) {
  const absl::string_view name = call.op()->name;
  const size_t rank = static_cast<size_t>(name[name.find("conv") + 4] - '0');
  const auto check = [&](const std::string& attribute, size_t count,
                         int64_t least) -> absl::Status {
    LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> values, NeedInts(c, call, attribute, count));
    // Larger than any image; products of a few such numbers fit.
    constexpr int64_t kLimit = 1 << 20;
    for (int64_t value : values) {
      if (value >= least && value <= kLimit) continue;
      return c.Error("op-attribute")
             << "'" << attribute << "' of " << SurfaceName(call) << " must be between " << least
             << " and " << kLimit << ", got " << value;
    }
    return absl::OkStatus();
  };
  LATHE_RETURN_IF_ERROR(check("strides", rank, 1));
  LATHE_RETURN_IF_ERROR(check("padding", 2 * rank, 0));
  LATHE_RETURN_IF_ERROR(check("dilation", rank, 1));
  if (absl::EndsWith(name, "_transpose")) {
    LATHE_RETURN_IF_ERROR(check("output_padding", rank, 0));
  }
  LATHE_ASSIGN_OR_RETURN(const int64_t groups, NeedInt(c, call, "groups"));
  if (groups >= 1) return absl::OkStatus();
  return c.Error("op-attribute") << "'groups' of " << SurfaceName(call)
                                 << " must be at least 1, got " << groups;
}

// The length of spatial axis `i` of the result.
PrimRef OutputLength(ScalarMath m, const Window& w, int i, PrimRef image, PrimRef kernel) {
  const PrimRef reach = m.Mul(m.Sub(kernel, m.Int(1)), m.Int(w.dilation[i]));
  const PrimRef pads = m.Int(w.padding[i] + w.padding[w.rank + i]);
  const PrimRef stride = m.Int(w.strides[i]);
  if (w.transposed) {
    const PrimRef spread = m.Mul(m.Sub(image, m.Int(1)), stride);
    return m.Add(m.Sub(m.Add(spread, reach), pads), m.Int(w.output_padding[i] + 1));
  }
  const PrimRef room = m.Sub(m.Sub(m.Add(image, pads), reach), m.Int(1));
  return m.Add(m.FloorDiv(room, stride), m.Int(1));
}

absl::Status CheckChannels(InferContext& c, const Call& call, const Window& w, PrimRef channels,
                           const Dims& weight) {
  ScalarMath m(c.ir());
  const PrimRef groups = m.Int(w.groups);
  const PrimRef wanted = w.transposed ? weight[0] : m.Mul(weight[1], groups);
  if (!c.CanEqual(channels, wanted)) {
    return c.Error("op-argument-shape")
           << DescribeArg(c, call, 0) << " has " << ToString(c.Simplify(channels))
           << " channels, but " << ArgName(call, 1) << " takes " << ToString(c.Simplify(wanted))
           << " in " << w.groups << " groups";
  }
  const PrimRef divided = w.transposed ? channels : weight[0];
  if (!c.CanEqual(m.FloorMod(divided, groups), m.Int(0))) {
    return c.Error("op-argument-shape")
           << ToString(c.Simplify(divided)) << " channels of " << SurfaceName(call)
           << " cannot be divided into " << w.groups << " groups";
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<StructInfoRef> InferConv(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* weight, TensorArg(c, call, 1));
  LATHE_RETURN_IF_ERROR(CheckNumbers(c, call));
  const Window w = ConvWindow(call);
  LATHE_ASSIGN_OR_RETURN(const Layout in, Layout::Need(c, call, "data_layout", w.data));
  LATHE_ASSIGN_OR_RETURN(const Layout kernel, Layout::Need(c, call, "kernel_layout", w.weight));
  LATHE_ASSIGN_OR_RETURN(const Layout out, Layout::Need(c, call, "out_layout", w.data));
  LATHE_RETURN_IF_ERROR(NeedRank(c, call, 0, *x, in.ndim()));
  LATHE_RETURN_IF_ERROR(NeedRank(c, call, 1, *weight, kernel.ndim()));
  LATHE_ASSIGN_OR_RETURN(ir::VDeviceRef device, SameVDevice(c, call, {x, weight}));
  DType dtype = FindDType(call, "out_dtype");
  if (dtype.is_void()) {
    LATHE_ASSIGN_OR_RETURN(dtype, SameDType(c, call, {x, weight}));
  }
  if (w.transposed) {
    for (int i = 0; i < w.rank; ++i) {
      if (w.output_padding[i] < w.strides[i]) continue;
      return c.Error("op-attribute")
             << "'output_padding' of " << SurfaceName(call) << " must be less than the stride "
             << w.strides[i] << ", got " << w.output_padding[i];
    }
  }
  const Dims* x_dims = DimsOf(c, *x);
  const Dims* w_dims = DimsOf(c, *weight);
  if (x_dims == nullptr || w_dims == nullptr) return c.ir().Tensor(out.ndim(), dtype, device);
  ScalarMath m(c.ir());
  LATHE_ASSIGN_OR_RETURN(const Dims image, in.Read(c, call, 0, *x_dims));
  LATHE_ASSIGN_OR_RETURN(const Dims k, kernel.Read(c, call, 1, *w_dims));
  LATHE_RETURN_IF_ERROR(CheckChannels(c, call, w, image[1], k));
  Dims dims = {image[0], w.transposed ? m.Mul(k[1], m.Int(w.groups)) : k[0]};
  for (int i = 0; i < w.rank; ++i) {
    dims.push_back(OutputLength(m, w, i, image[2 + i], k[2 + i]));
  }
  LATHE_ASSIGN_OR_RETURN(dims, out.Write(c, call, dims));
  for (PrimRef& dim : dims) {
    dim = c.Simplify(dim);
    if (const int64_t* size = AsInt(dim); size != nullptr && *size < 0) {
      return c.Error("op-argument-shape")
             << DescribeArg(c, call, 0) << " is smaller than the kernel " << ArgName(call, 1);
    }
  }
  return c.ir().Tensor(std::move(dims), dtype, device);
}

// out[n, o, y] = sum over c, k of x[n, c, y * stride + k * dilation - pad] * weight[o, c, k]. The
// transpose reads the elements of x that map to y. The image is zero-padded.
absl::StatusOr<ir::PrimFunc> ComputeConv(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  const Window w = ConvWindow(call);
  const Layout in = *Layout::Parse(FindString(call, "data_layout"), w.data);
  const Layout kernel = *Layout::Parse(FindString(call, "kernel_layout"), w.weight);
  const Layout out = *Layout::Parse(FindString(call, "out_layout"), w.data);
  ir::BufferRef x = te.Input(0), weight = te.Input(1);
  const Dims image = in.ToCanonical(m, x->shape), k = kernel.ToCanonical(m, weight->shape);
  const PrimRef groups = m.Int(w.groups);
  // Channels of x and of the result in one group.
  const PrimRef group_in = w.transposed ? m.FloorDiv(k[0], groups) : k[1];
  const PrimRef group_out = w.transposed ? k[1] : m.FloorDiv(k[0], groups);
  // Channels come last in sums over images with channels last, whose elements lie side by side.
  const bool channels_last = absl::EndsWith(FindString(call, "data_layout"), "C");
  Dims over(k.begin() + 2, k.end());
  over.insert(channels_last ? over.end() : over.begin(), group_in);
  return te.Finish({te.SumUp(
      "conv", te.result_dims(), over, te.result_dtype(),
      [&](DType wide, const Indices& place, Indices r) {
        // Channels first.
        if (channels_last) std::rotate(r.begin(), r.end() - 1, r.end());
        const Indices at = out.IndicesTo(m, place);
        const PrimRef group = w.groups == 1 ? m.Int(0) : m.FloorDiv(at[1], group_out);
        const PrimRef channel = m.Add(m.Mul(group, group_in), r[0]);
        Indices from = {at[0], channel};
        Indices tap = {at[1], r[0]};
        if (w.transposed) {
          tap = {channel, w.groups == 1 ? at[1] : m.FloorMod(at[1], group_out)};
        }
        PrimRef inside = m.ir().Bool(true);
        for (int i = 0; i < w.rank; ++i) {
          tap.push_back(r[1 + i]);
          const PrimRef reach = m.Mul(r[1 + i], m.Int(w.dilation[i]));
          const PrimRef pad = m.Int(w.padding[i]), stride = m.Int(w.strides[i]);
          PrimRef index = nullptr;
          if (w.transposed) {
            const PrimRef spread = m.Sub(m.Add(at[2 + i], pad), reach);
            if (w.strides[i] > 1) {
              inside = m.And(inside, m.Eq(m.FloorMod(spread, stride), m.Int(0)));
            }
            index = m.FloorDiv(spread, stride);
          } else {
            index = m.Sub(m.Add(m.Mul(at[2 + i], stride), reach), pad);
          }
          from.push_back(index);
          if (w.transposed || w.padding[i] + w.padding[w.rank + i] > 0) {
            inside = m.And(inside, m.InRange(index, m.Int(0), image[2 + i]));
          }
        }
        const PrimRef value = te.At(x, in.IndicesFrom(m, from));
        const PrimRef padded = m.IfThenElse(inside, value, m.Const(0, x->dtype));
        return m.Mul(m.Cast(padded, wide), m.Cast(te.At(weight, kernel.IndicesFrom(m, tap)), wide));
      })});
}

}  // namespace lathe::ops

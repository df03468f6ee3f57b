// Imports convolutions and transposed convolutions.
#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/reader/relay_text/ops/call_parts.h"
#include "generator/reader/relay_text/ops/convolve.h"
#include "generator/reader/relay_text/ops/windows.h"
#include "generator/support/status.h"

namespace lathe::relay {
namespace {

// Weights of depthwise convolutions may be (C, M, kh, kw), with groups = C and C * M channels in
// the result. Relax wants (C * M, 1, kh, kw).
Operand WithPlainDepthwise(OpCall& c, const Operand& x, const Operand& w, int channel_axis,
                           const std::vector<int>& out_in) {
  const Dims dims = c.DimsOf(w);
  const auto channels = OpCall::IntOf(c.DimsOf(x)[static_cast<size_t>(channel_axis)]);
  const PrimRef out = dims[static_cast<size_t>(out_in[0])];
  const PrimRef in = dims[static_cast<size_t>(out_in[1])];
  const bool depthwise = channels && c.Int("groups") == *channels && *channels > 1;
  const bool adjacent = out_in[1] == out_in[0] + 1;
  if (!depthwise || OpCall::IntOf(out) != channels || OpCall::IntOf(in) == 1 || !adjacent) return w;
  Dims plain = dims;
  plain[static_cast<size_t>(out_in[0])] = c.Simplify(c.math().Mul(out, in));
  plain[static_cast<size_t>(out_in[1])] = c.ir().Int(1);
  return c.Reshape(w, plain);
}

bool HasBlocks(const std::string& layout) {
  return std::any_of(layout.begin(), layout.end(), [](char l) { return l >= '0' && l <= '9'; });
}

// The attributes "channels" and "kernel_size" only repeat what the weights say.
absl::Status CheckAgainstWeights(OpCall& c, const Dims& weights, const std::vector<int>& space,
                                 PrimRef channels) {
  if (const auto wanted = c.OptionalInt("channels")) {
    if (Differ(channels, c.ir().Int(*wanted))) {
      return c.Error() << "channels is " << *wanted << ", and the weights give "
                       << ir::ToString(channels);
    }
  }
  const auto sizes = c.OptionalInts("kernel_size");
  if (!sizes) return absl::OkStatus();
  if (sizes->size() != space.size()) {
    return c.Error() << "kernel_size has " << sizes->size() << " values; " << space.size()
                     << " are needed";
  }
  for (size_t i = 0; i < space.size(); ++i) {
    const int64_t wanted = (*sizes)[i];
    const PrimRef size = weights[static_cast<size_t>(space[i])];
    if (Differ(size, c.ir().Int(wanted))) {
      return c.Error() << "kernel_size is " << wanted << " along axis " << i
                       << ", and the weights have " << ir::ToString(size);
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Operand> Convolved(OpCall& c, const Operand& x, Operand w, DType out_dtype) {
  const absl::string_view name = c.op();
  const int rank = name[name.find("conv") + 4] - '0';
  const bool transposed = absl::EndsWith(name, "_transpose");
  const std::string space = SpaceLetters(rank);
  const std::string data = c.Str("data_layout"), kernel = c.Str("kernel_layout");
  LATHE_ASSIGN_OR_RETURN(const std::vector<int> channel, AxesOfLayout(c, data, "C"));
  LATHE_ASSIGN_OR_RETURN(const std::vector<int> out_in, AxesOfLayout(c, kernel, "OI"));
  LATHE_ASSIGN_OR_RETURN(const std::vector<int> taps, AxesOfLayout(c, kernel, space));
  if (!HasBlocks(data) && !HasBlocks(kernel)) {
    LATHE_RETURN_IF_ERROR(RequireRank(c, x, rank + 2, "the data"));
    LATHE_RETURN_IF_ERROR(RequireRank(c, w, rank + 2, "the weight"));
    if (!transposed) w = WithPlainDepthwise(c, x, w, channel[0], out_in);
    const Dims weights = c.DimsOf(w);
    PrimRef channels = weights[static_cast<size_t>(out_in[0])];
    if (transposed) channels = c.Simplify(c.math().Mul(channels, c.ir().Int(c.Int("groups"))));
    LATHE_RETURN_IF_ERROR(CheckAgainstWeights(c, weights, taps, channels));
  }
  LATHE_ASSIGN_OR_RETURN(const auto strides, PerSpatialAxis(c, "strides", rank));
  LATHE_ASSIGN_OR_RETURN(const auto dilation, PerSpatialAxis(c, "dilation", rank));
  LATHE_ASSIGN_OR_RETURN(const auto padding, PaddingOf(c, rank));
  ir::AttrMap attrs = {{"strides", ListOf(strides)},
                       {"padding", ListOf(padding)},
                       {"dilation", ListOf(dilation)},
                       {"groups", c.Int("groups")},
                       {"data_layout", data},
                       {"kernel_layout", kernel},
                       {"out_layout", OutLayout(c, data)}};
  if (transposed) {
    LATHE_ASSIGN_OR_RETURN(const auto more, PerSpatialAxis(c, "output_padding", rank));
    for (size_t i = 0; i < more.size(); ++i) {
      if (more[i] < 0 || more[i] >= std::max(strides[i], dilation[i])) {
        return c.Error() << "output_padding has to be smaller than the stride";
      }
    }
    attrs["output_padding"] = ListOf(more);
  }
  if (out_dtype != c.TypeOf(x)) attrs["out_dtype"] = out_dtype;
  return c.Op(absl::StrCat("relax.nn.conv", rank, transposed ? "d_transpose" : "d"), {x, w},
              std::move(attrs));
}

absl::StatusOr<Operand> ImportConv(OpCall& c) {
  const Operand x = c.Arg(0), w = c.Arg(1);
  const auto out_dtype = c.DTypeAttr("out_dtype");
  if (!out_dtype) {
    LATHE_RETURN_IF_ERROR(RequireOneDType(c, {x, w}));
  }
  return Convolved(c, x, w, out_dtype.value_or(c.TypeOf(x)));
}

}  // namespace lathe::relay

// Imports pools.
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/reader/relay_text/ops/call_parts.h"
#include "generator/reader/relay_text/ops/pool.h"
#include "generator/reader/relay_text/ops/windows.h"
#include "generator/support/status.h"

namespace lathe::relay {
namespace {

// The attributes that all windows share, as Relax names them.
absl::StatusOr<ir::AttrMap> PoolAttrs(OpCall& c, int rank) {
  LATHE_ASSIGN_OR_RETURN(const auto size, PerSpatialAxis(c, "pool_size", rank));
  LATHE_ASSIGN_OR_RETURN(const auto strides, PerSpatialAxis(c, "strides", rank));
  LATHE_ASSIGN_OR_RETURN(const auto dilation, PerSpatialAxis(c, "dilation", rank));
  LATHE_ASSIGN_OR_RETURN(const auto padding, PaddingOf(c, rank));
  const std::string& layout = c.Str("layout");
  return ir::AttrMap{{"pool_size", ListOf(size)},         {"strides", ListOf(strides)},
                     {"dilation", ListOf(dilation)},      {"padding", ListOf(padding)},
                     {"ceil_mode", c.Bool("ceil_mode")},  {"layout", layout},
                     {"out_layout", OutLayout(c, layout)}};
}

// The number of spatial axes in the name: 2 of nn.max_pool2d.
int SpatialRank(OpCall& c) { return c.op()[c.op().find("pool") + 4] - '0'; }

}  // namespace

absl::StatusOr<Operand> Pooled(OpCall& c, const Operand& x, bool average) {
  const int rank = SpatialRank(c);
  LATHE_ASSIGN_OR_RETURN(ir::AttrMap attrs, PoolAttrs(c, rank));
  if (average) attrs["count_include_pad"] = c.Bool("count_include_pad");
  return c.Op(absl::StrCat("relax.nn.", average ? "avg" : "max", "_pool", rank, "d"), {x},
              std::move(attrs));
}

absl::StatusOr<Operand> ImportPool(OpCall& c) {
  return Pooled(c, c.Arg(0), absl::StartsWith(c.op(), "nn.avg"));
}

absl::StatusOr<Operand> ImportPoolGrad(OpCall& c) {
  const Operand grad = c.Arg(0), x = c.Arg(1);
  LATHE_RETURN_IF_ERROR(RequireOneDType(c, {grad, x}));
  LATHE_ASSIGN_OR_RETURN(ir::AttrMap attrs, PoolAttrs(c, 2));
  const bool average = c.op() == "nn.avg_pool2d_grad";
  if (average) attrs["count_include_pad"] = c.Bool("count_include_pad");
  return c.Op(average ? "relax.grad.avg_pool2d_backward" : "relax.grad.max_pool2d_backward",
              {grad, x}, std::move(attrs));
}

absl::StatusOr<Operand> ImportGlobalPool(OpCall& c) {
  const Operand x = c.Arg(0);
  const std::string& layout = c.Str("layout");
  if (OutLayout(c, layout) != layout) return c.Unsupported() << "another layout of the result";
  LATHE_ASSIGN_OR_RETURN(const std::vector<int> axes, AxesOfLayout(c, layout, "HW"));
  return c.Op(c.op() == "nn.global_max_pool2d" ? "relax.max" : "relax.mean", {x},
              {{"axis", ListOf(axes)}, {"keepdims", true}});
}

// Window i of o covers floor(i * n / o) to ceil((i + 1) * n / o).
absl::StatusOr<Operand> ImportAdaptivePool(OpCall& c) {
  const Operand x = c.Arg(0);
  const int rank = SpatialRank(c);
  const std::string& layout = c.Str("layout");
  if (OutLayout(c, layout) != layout) return c.Unsupported() << "another layout of the result";
  LATHE_ASSIGN_OR_RETURN(const std::vector<int> space, AxesOfLayout(c, layout, SpaceLetters(rank)));
  std::vector<int64_t> sizes = c.Ints("output_size");
  const Dims from = c.DimsOf(x);
  if (std::ssize(from) <= space.back()) return c.Error() << "the layout does not match the data";
  if (sizes.empty()) return x;
  if (sizes.size() == 1) sizes.assign(static_cast<size_t>(rank), sizes[0]);
  if (std::ssize(sizes) != rank)
    return c.Error() << "output_size has " << sizes.size() << " values";
  Dims dims = from;
  for (size_t i = 0; i < space.size(); ++i) {
    if (sizes[i] < 1) return c.Error() << "output_size of " << sizes[i];
    dims[static_cast<size_t>(space[i])] = c.ir().Int(sizes[i]);
  }
  const bool average = absl::StartsWith(c.op(), "nn.adaptive_avg");
  const DType dtype = c.TypeOf(x);
  return c.Kernel("adaptive_pool", {x}, [&](Te& te) {
    ScalarMath& m = te.math();
    const auto begin = [&](const Indices& at, size_t i) {
      const auto axis = static_cast<size_t>(space[i]);
      return m.FloorDiv(m.Mul(at[axis], from[axis]), dims[axis]);
    };
    const auto over = [&](const Indices& at) {
      Dims extents;
      for (size_t i = 0; i < space.size(); ++i) {
        const auto axis = static_cast<size_t>(space[i]);
        const PrimRef end =
            m.Add(m.Mul(m.Add(at[axis], m.Int(1)), from[axis]), m.Sub(dims[axis], m.Int(1)));
        extents.push_back(m.Sub(m.FloorDiv(end, dims[axis]), begin(at, i)));
      }
      return extents;
    };
    ir::BufferRef folded = te.ReduceRagged(
        average ? "sum" : "out", dims, over, average ? te.Sum(dtype) : te.Max(dtype),
        [&](const Indices& at, const Indices& r) {
          Indices place = at;
          for (size_t i = 0; i < space.size(); ++i) {
            place[static_cast<size_t>(space[i])] = m.Add(begin(at, i), r[i]);
          }
          return te.At(te.Input(0), place);
        });
    if (!average) return folded;
    return te.Compute("out", dims, dtype, [&](const Indices& at) {
      PrimRef count = m.Int(1);
      for (PrimRef extent : over(at)) count = m.Mul(count, extent);
      return m.Div(te.At(folded, at), m.Cast(count, dtype));
    });
  });
}

}  // namespace lathe::relay

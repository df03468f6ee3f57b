// Imports slices whose bounds are attributes.
#include <algorithm>
#include <limits>

#include "generator/reader/relay_text/ops/call_parts.h"
#include "generator/reader/relay_text/ops/slice_of.h"
#include "generator/support/status.h"

namespace lathe::relay {
namespace {

struct AxisSlice {
  PrimRef begin = nullptr;  // null: the whole axis
  int64_t stride = 1;
  PrimRef size = nullptr;
};

constexpr int64_t kFarAway = int64_t{1} << 31;

// Adds the size to a negative bound and clamps it. A stride below 0 also has the bound -1, before
// the first element.
PrimRef BoundWithin(OpCall& c, int64_t bound, PrimRef dim, bool up) {
  ScalarMath& m = c.math();
  bound = std::clamp(bound, -kFarAway, kFarAway);
  const PrimRef low = m.Int(up ? 0 : -1), high = up ? dim : m.Sub(dim, m.Int(1));
  if (bound == kFarAway) return high;
  if (bound == -kFarAway) return low;
  const PrimRef at = bound < 0 ? m.Add(dim, m.Int(bound)) : m.Int(bound);
  return c.Simplify(m.Min(m.Max(at, low), high));
}

absl::StatusOr<AxisSlice> SliceAlong(OpCall& c, PrimRef dim, int64_t begin, int64_t end,
                                     int64_t stride) {
  if (stride == 0) return c.Error() << "a stride of 0";
  ScalarMath& m = c.math();
  const bool up = stride > 0;
  const PrimRef from = BoundWithin(c, begin, dim, up), to = BoundWithin(c, end, dim, up);
  const PrimRef span = up ? m.Sub(to, from) : m.Sub(from, to);
  if (OpCall::IntOf(c.Simplify(span)).value_or(0) < 0) {
    return c.Error() << "the range from " << begin << " to " << end << " runs against the stride";
  }
  const int64_t step = std::min(kFarAway, up ? stride : -std::max(stride, -kFarAway));
  const PrimRef count = m.FloorDiv(m.Add(span, m.Int(step - 1)), m.Int(step));
  return AxisSlice{from, up ? step : -step, c.Simplify(m.Max(count, m.Int(0)))};
}

Operand Sliced(OpCall& c, const Operand& x, const std::vector<AxisSlice>& slices) {
  Dims dims = c.DimsOf(x);
  for (size_t i = 0; i < dims.size(); ++i) {
    if (slices[i].begin != nullptr) dims[i] = slices[i].size;
  }
  if (dims == c.DimsOf(x) && std::all_of(slices.begin(), slices.end(), [](const AxisSlice& s) {
        return s.begin == nullptr || (OpCall::IntOf(s.begin) == 0 && s.stride == 1);
      })) {
    return x;
  }
  return c.Kernel("strided_slice", {x}, [&](Te& te) {
    return te.Compute("out", dims, c.TypeOf(x), [&](const Indices& at) {
      Indices source = at;
      for (size_t i = 0; i < at.size(); ++i) {
        if (slices[i].begin == nullptr) continue;
        ScalarMath& m = te.math();
        source[i] = m.Add(slices[i].begin, m.Mul(at[i], m.Int(slices[i].stride)));
      }
      return te.At(te.Input(0), source);
    });
  });
}

}  // namespace

absl::StatusOr<Operand> StridedSlice(OpCall& c, const Operand& x, const SliceBounds& bounds) {
  const Dims dims = c.DimsOf(x);
  const int rank = static_cast<int>(dims.size());
  std::vector<int> axes;
  if (bounds.axes) {
    LATHE_ASSIGN_OR_RETURN(axes, c.Axes(*bounds.axes, rank));
  } else {
    const size_t count = std::max(bounds.begin.size(), bounds.end.size());
    if (count > dims.size()) {
      return c.Error() << count << " bounds of " << rank << " dimensions";
    }
    for (size_t i = 0; i < count; ++i) axes.push_back(static_cast<int>(i));
  }
  const auto entry = [](const std::vector<int64_t>& list, size_t k) -> std::optional<int64_t> {
    return k < list.size() ? std::optional(list[k]) : std::nullopt;
  };
  constexpr int64_t kEnd = std::numeric_limits<int64_t>::max();
  std::vector<AxisSlice> slices(dims.size());
  for (size_t k = 0; k < axes.size(); ++k) {
    const auto axis = static_cast<size_t>(axes[k]);
    int64_t stride = entry(bounds.strides, k).value_or(1);
    if (bounds.end_is_size) stride = 1;
    const int64_t begin = entry(bounds.begin, k).value_or(stride < 0 ? kEnd : 0);
    int64_t end = entry(bounds.end, k).value_or(stride < 0 ? -kEnd : kEnd);
    if (bounds.end_is_size && entry(bounds.end, k)) {
      // A negative end is the rest; a size that passes 0 from a negative begin is too.
      end = end < 0 || (begin < 0 && begin + end >= 0) ? kEnd : begin + end;
    }
    LATHE_ASSIGN_OR_RETURN(slices[axis], SliceAlong(c, dims[axis], begin, end, stride));
  }
  LATHE_RETURN_IF_ERROR(c.status());
  return Sliced(c, x, slices);
}

absl::StatusOr<Operand> ImportStridedSlice(OpCall& c) {
  LATHE_RETURN_IF_ERROR(RequireOneOf(c, "slice_mode", {"end", "size"}));
  SliceBounds bounds;
  bounds.begin = c.OptionalInts("begin").value_or(std::vector<int64_t>());
  bounds.end = c.OptionalInts("end").value_or(std::vector<int64_t>());
  bounds.strides = c.OptionalInts("strides").value_or(std::vector<int64_t>());
  bounds.axes = c.OptionalInts("axes");
  if (bounds.axes && bounds.axes->empty()) bounds.axes.reset();
  bounds.end_is_size = c.Str("slice_mode") == "size";
  return StridedSlice(c, c.Arg(0), bounds);
}

// The leading part of another tensor's size along axes.
absl::StatusOr<Operand> ImportSliceLike(OpCall& c) {
  const Operand x = c.Arg(0);
  const Dims dims = c.DimsOf(x), like = c.DimsOf(c.Arg(1));
  std::vector<int64_t> wanted = c.OptionalInts("axes").value_or(std::vector<int64_t>());
  if (wanted.empty()) {
    for (size_t i = 0; i < std::min(dims.size(), like.size()); ++i) {
      wanted.push_back(static_cast<int64_t>(i));
    }
  }
  LATHE_ASSIGN_OR_RETURN(const std::vector<int> axes, c.Axes(wanted, c.Rank(x)));
  std::vector<AxisSlice> slices(dims.size());
  for (const int axis : axes) {
    const auto at = static_cast<size_t>(axis);
    if (at >= like.size()) return c.Error() << "the second tensor has no axis " << axis;
    const auto have = OpCall::IntOf(dims[at]), size = OpCall::IntOf(like[at]);
    if (have && size && *size > *have) {
      return c.Error() << "axis " << axis << " has " << *have << " elements, of which " << *size
                       << " are wanted";
    }
    slices[at] = {c.ir().Int(0), 1, like[at]};
  }
  return Sliced(c, x, slices);
}

namespace {

// One element of a list known at run time.
PrimRef ListEntry(Te& te, int input, int64_t k) {
  return te.math().Cast(te.At(te.Input(input), {te.math().Int(k)}), DType::Int(64));
}

}  // namespace

// Stores v into x at begin, end and strides, all of them tensors.
absl::StatusOr<Operand> ImportStridedSet(OpCall& c) {
  const Operands args = c.AllArgs();
  LATHE_RETURN_IF_ERROR(RequireOneDType(c, {args[0], args[1]}));
  const Dims dims = c.DimsOf(args[0]), stored = c.DimsOf(args[1]);
  LATHE_RETURN_IF_ERROR(RequireRank(c, args[1], c.Rank(args[0]), "the stored tensor"));
  std::vector<int64_t> lengths;
  for (int i = 2; i < 5; ++i) {
    LATHE_RETURN_IF_ERROR(RequireRank(c, args[static_cast<size_t>(i)], 1, "a list of bounds"));
    const auto length = OpCall::IntOf(c.DimsOf(args[static_cast<size_t>(i)])[0]);
    if (!length || *length > c.Rank(args[0])) return c.Error() << "bounds that do not match";
    lengths.push_back(*length);
  }
  return c.Kernel("strided_set", args, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", dims, c.TypeOf(args[0]), [&](const Indices& at) {
      PrimRef inside = m.ir().Bool(true);
      Indices from = at;
      for (size_t i = 0; i < at.size(); ++i) {
        const auto axis = static_cast<int64_t>(i);
        const PrimRef zero = m.Int(0);
        const PrimRef stride = axis < lengths[2] ? ListEntry(te, 4, axis) : m.Int(1);
        const PrimRef down = m.Lt(stride, zero);
        const auto normal = [&](PrimRef bound) {
          const PrimRef wrapped = m.Select(m.Lt(bound, zero), m.Add(bound, dims[i]), bound);
          const PrimRef low = m.Select(down, m.Int(-1), zero);
          const PrimRef high = m.Select(down, m.Sub(dims[i], m.Int(1)), dims[i]);
          return m.Min(m.Max(wrapped, low), high);
        };
        const PrimRef first = axis < lengths[0] ? normal(ListEntry(te, 2, axis))
                                                : m.Select(down, m.Sub(dims[i], m.Int(1)), zero);
        const PrimRef last =
            axis < lengths[1] ? normal(ListEntry(te, 3, axis)) : m.Select(down, m.Int(-1), dims[i]);
        const PrimRef apart = m.Select(down, m.Sub(first, at[i]), m.Sub(at[i], first));
        const PrimRef before = m.Select(down, m.Lt(last, at[i]), m.Lt(at[i], last));
        const PrimRef step = m.Max(m.Select(down, m.Sub(zero, stride), stride), m.Int(1));
        inside = m.And(inside, m.And(m.Le(zero, apart), before));
        inside = m.And(inside, m.Eq(m.FloorMod(apart, step), zero));
        from[i] = m.FloorDiv(apart, step);
        if (OpCall::IntOf(stored[i]) == 1) from[i] = zero;
      }
      return m.IfThenElse(inside, te.At(te.Input(1), from), te.At(te.Input(0), at));
    });
  });
}

}  // namespace lathe::relay

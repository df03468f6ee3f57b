// Imports STRIDED_SLICE, whose begins and ends are constants or data.
#include <algorithm>
#include <cstdlib>
#include <limits>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/selection.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

// One axis of the data in a STRIDED_SLICE.
struct SliceAxis {
  int64_t start = 0, stride = 1, count = 0;
  bool dropped = false;
};

struct SliceMasks {
  int64_t begin = 0, end = 0, ellipsis = 0, added = 0, dropped = 0;
  bool relative = false;  // ends count from begins
};

bool HasBit(int64_t mask, size_t i) { return i < 63 && ((mask >> i) & 1) != 0; }

SliceAxis AxisOfSlice(int64_t begin, int64_t end, int64_t stride, int64_t size, bool all_before,
                      bool all_after, bool dropped, bool relative) {
  const auto clamped = [&](int64_t place) {
    return stride > 0 ? std::clamp<int64_t>(place, 0, size)
                      : std::clamp<int64_t>(place, -1, size - 1);
  };
  SliceAxis axis;
  axis.stride = stride;
  axis.dropped = dropped;
  int64_t start = begin;
  if (all_before) {
    start = stride > 0 ? 0 : size - 1;
  } else if (start < 0) {
    start += size;
  }
  axis.start = clamped(start);
  if (dropped) {
    axis.count = 1;
    return axis;
  }
  int64_t stop = relative ? end + axis.start : end;
  if (all_after) {
    stop = stride > 0 ? size : -1;
  } else {
    if (stop < 0) stop += size;
    stop = clamped(stop);
  }
  const int64_t span = stride > 0 ? stop - axis.start : axis.start - stop;
  const int64_t step = stride > 0 ? stride : -stride;
  axis.count = std::max<int64_t>(0, (span + step - 1) / step);
  return axis;
}

// A slice of all axes of the data, and the shape that it has with axes added and dropped.
struct SliceForm {
  std::vector<int64_t> starts, strides, counts, made;
  void AddWhole(int64_t size) {
    starts.push_back(0);
    strides.push_back(1);
    counts.push_back(size);
    made.push_back(size);
  }
};

// The axes of the data that the written positions stand for without an ellipsis.
absl::StatusOr<size_t> CoveredAxes(OpCall& c, const SliceMasks& masks, size_t written) {
  size_t covered = 0, ellipses = 0;
  for (size_t i = 0; i < written; ++i) {
    if (HasBit(masks.ellipsis, i)) {
      ++ellipses;
    } else if (!HasBit(masks.added, i)) {
      ++covered;
    }
  }
  if (covered > c.In(0).shape.size() || ellipses > 1) {
    return c.Error() << "it slices " << covered << " axes of " << c.In(0).shape.size() << " with "
                     << ellipses << " ellipses";
  }
  return covered;
}

absl::Status AddSlicedAxis(OpCall& c, SliceForm& form, const SliceAxis& axis) {
  const int64_t size = c.In(0).shape[form.counts.size()];
  if (axis.dropped && (axis.start < 0 || axis.start >= size)) {
    return c.Error() << "position " << axis.start << " of an axis with " << size << " positions";
  }
  form.starts.push_back(axis.start);
  form.strides.push_back(axis.stride);
  form.counts.push_back(axis.count);
  if (!axis.dropped) form.made.push_back(axis.count);
  return absl::OkStatus();
}

// An axis of the data of a slice whose begins the data say. `written` is its position in the lists,
// or -1 where the whole axis is taken.
struct RunTimeAxis {
  int64_t written = -1, stride = 1, count = 0;
};

// Begins or ends that the data say, with a result whose declared shape says how much is taken.
absl::StatusOr<Results> SlicedAtRunTime(OpCall& c, const std::vector<int64_t>& steps,
                                        const SliceMasks& masks) {
  const Operand x = c.Arg(0), begins = c.Arg(1);
  const std::vector<int64_t>&shape = c.In(0).shape, &out = c.Out().shape;
  if (c.In(1).shape != std::vector<int64_t>{std::ssize(steps)}) {
    return c.Error() << "it has " << steps.size() << " strides, and another number of begins";
  }
  LATHE_ASSIGN_OR_RETURN(const size_t covered, CoveredAxes(c, masks, steps.size()));
  std::vector<RunTimeAxis> axes;
  size_t next = 0;
  const auto add = [&](RunTimeAxis axis, bool dropped) {
    const int64_t size = shape[axes.size()];
    axis.count = dropped ? 1 : next < out.size() ? out[next] : -1;
    if (!dropped) ++next;
    const int64_t reach = (axis.count - 1) * std::abs(axis.stride);
    const bool fits = axis.count == 0 || (axis.count > 0 && reach < size);
    axes.push_back(axis);
    return fits;
  };
  bool fits = true;
  for (size_t i = 0; i < steps.size(); ++i) {
    constexpr int64_t kLimit = std::numeric_limits<int32_t>::max();
    if (HasBit(masks.ellipsis, i)) {
      for (size_t k = covered; k < shape.size(); ++k) fits = add({}, false) && fits;
    } else if (HasBit(masks.added, i)) {
      fits = fits && next < out.size() && out[next] == 1;
      ++next;
    } else if (steps[i] == 0 || steps[i] > kLimit || steps[i] < -kLimit) {
      return c.Error() << "a stride is " << steps[i];
    } else {
      const bool whole = HasBit(masks.begin, i) && steps[i] > 0 && !HasBit(masks.dropped, i);
      const auto at = whole ? int64_t{-1} : static_cast<int64_t>(i);
      fits = add({at, steps[i]}, HasBit(masks.dropped, i)) && fits;
    }
  }
  while (axes.size() < shape.size()) fits = add({}, false) && fits;
  if (!fits || next != out.size()) {
    return c.Error() << "the declared shape of the result is no part of the data";
  }
  const Operand made = c.Kernel("slice", {x, begins}, [&](Te& te) {
    ScalarMath& m = te.math();
    Dims counts;
    for (const RunTimeAxis& axis : axes) counts.push_back(m.Int(axis.count));
    return te.Compute("out", counts, c.TypeOf(x), [&](const Indices& at) {
      Indices from;
      for (size_t i = 0; i < at.size(); ++i) {
        const RunTimeAxis& axis = axes[i];
        const PrimRef moved = m.Mul(at[i], m.Int(axis.stride));
        if (axis.written < 0) {
          from.push_back(moved);
          continue;
        }
        const PrimRef size = m.Int(shape[i]), last = m.Sub(size, m.Int(1));
        const bool masked = HasBit(masks.begin, static_cast<size_t>(axis.written));
        const PrimRef begin = masked ? last : IndexAt(te, 1, {m.Int(axis.written)});
        const PrimRef wrapped = m.Select(m.Lt(begin, m.Int(0)), m.Add(begin, size), begin);
        // The taken places are inside of the axis.
        const PrimRef reach = m.Int(std::max<int64_t>(0, axis.count - 1) * std::abs(axis.stride));
        const PrimRef low = axis.stride > 0 ? m.Int(0) : reach;
        const PrimRef high = axis.stride > 0 ? m.Sub(last, reach) : last;
        from.push_back(m.Add(m.Max(low, m.Min(wrapped, high)), moved));
      }
      return te.At(te.Input(0), from);
    });
  });
  return c.Reshape(made, c.OutDims());
}

}  // namespace

// Axes that an ellipsis or a mask adds are resolved here; TFLM knows neither.
absl::StatusOr<Results> ImportStridedSlice(OpCall& c) {
  const std::vector<int64_t>& shape = c.In(0).shape;
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> step, c.NeedInts(3, "the strides"));
  const SliceMasks masks = {c.Int("begin_mask"),       c.Int("end_mask"),
                            c.Int("ellipsis_mask"),    c.Int("new_axis_mask"),
                            c.Int("shrink_axis_mask"), c.Int("offset") != 0};
  if (!c.ConstantInts(1) || !c.ConstantInts(2)) return SlicedAtRunTime(c, step, masks);
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> begin, c.NeedInts(1, "the begins"));
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> end, c.NeedInts(2, "the ends"));
  const size_t written = begin.size();
  if (end.size() != written || step.size() != written) {
    return c.Error() << "it has " << written << " begins, " << end.size() << " ends and "
                     << step.size() << " strides";
  }
  LATHE_ASSIGN_OR_RETURN(const size_t covered, CoveredAxes(c, masks, written));
  SliceForm form;
  for (size_t i = 0; i < written; ++i) {
    if (HasBit(masks.ellipsis, i)) {
      for (size_t k = covered; k < shape.size(); ++k) form.AddWhole(shape[form.counts.size()]);
      continue;
    }
    if (HasBit(masks.added, i)) {
      form.made.push_back(1);
      continue;
    }
    constexpr int64_t kLimit = std::numeric_limits<int32_t>::max();
    if (step[i] == 0 || step[i] > kLimit || step[i] < -kLimit) {
      return c.Error() << "a stride is " << step[i];
    }
    LATHE_RETURN_IF_ERROR(AddSlicedAxis(
        c, form,
        AxisOfSlice(begin[i], end[i], step[i], shape[form.counts.size()], HasBit(masks.begin, i),
                    HasBit(masks.end, i), HasBit(masks.dropped, i), masks.relative)));
  }
  while (form.counts.size() < shape.size()) form.AddWhole(shape[form.counts.size()]);
  return c.Reshape(Strided(c, c.Arg(0), form.starts, form.strides, c.DimsFrom(form.counts)),
                   c.DimsFrom(form.made));
}

}  // namespace lathe::tflite

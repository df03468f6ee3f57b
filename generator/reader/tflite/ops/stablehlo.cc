// Imports the StableHLO operators that LiteRT has kernels for, and DILATE.
#include <algorithm>
#include <utility>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

// Operands of one shape, without scales.
absl::StatusOr<Results> Pairwise(OpCall& c, absl::string_view op) {
  if (c.In(0).type != c.In(1).type || c.In(0).shape != c.In(1).shape) {
    return c.Error() << "its operands differ in type or shape";
  }
  if (c.IsQuantized(0)) return c.Unsupported() << c.op() << " of quantized integers";
  return c.Op(op, {c.Arg(0), c.Arg(1)});
}

}  // namespace

absl::StatusOr<Results> ImportHloAdd(OpCall& c) { return Pairwise(c, "relax.add"); }
absl::StatusOr<Results> ImportHloMultiply(OpCall& c) { return Pairwise(c, "relax.multiply"); }
absl::StatusOr<Results> ImportHloMaximum(OpCall& c) { return Pairwise(c, "relax.maximum"); }
absl::StatusOr<Results> ImportHloMinimum(OpCall& c) { return Pairwise(c, "relax.minimum"); }
absl::StatusOr<Results> ImportHloShiftLeft(OpCall& c) { return Pairwise(c, "relax.left_shift"); }
absl::StatusOr<Results> ImportHloAnd(OpCall& c) {
  return Pairwise(c, c.TypeOf(c.Arg(0)).is_bool() ? "relax.logical_and" : "relax.bitwise_and");
}

namespace {

// Padding of an axis; negative values cut positions off.
struct HloPadding {
  std::vector<int64_t> low, inner, sizes;
};

Operand Spread(OpCall& c, const Operand& x, const Operand& value, const HloPadding& form) {
  const Dims in = c.DimsOf(x);
  return c.Kernel("pad", {x, value}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", c.DimsFrom(form.sizes), c.TypeOf(x), [&](const Indices& at) {
      PrimRef inside = m.ir().Bool(true);
      Indices from;
      for (size_t i = 0; i < at.size(); ++i) {
        const PrimRef place = m.Sub(at[i], m.Int(form.low[i])), step = m.Int(form.inner[i] + 1);
        if (form.inner[i] != 0) inside = m.And(inside, m.Eq(m.FloorMod(place, step), m.Int(0)));
        from.push_back(m.FloorDiv(place, step));
        inside = m.And(inside, m.InRange(from.back(), m.Int(0), in[i]));
      }
      return m.IfThenElse(inside, te.At(te.Input(0), from), te.At(te.Input(1), {}));
    });
  });
}

constexpr int64_t kLargest = int64_t{1} << 31;

bool IsSmall(int64_t value) { return value > -kLargest && value < kLargest; }

}  // namespace

absl::StatusOr<Results> ImportHloPad(OpCall& c) {
  const std::vector<int64_t>& shape = c.In(0).shape;
  const std::vector<int64_t> high = c.Ints("padding_high");
  HloPadding form;
  form.low = c.Ints("padding_low");
  form.inner = c.Ints("interior_padding");
  if (form.low.size() != shape.size() || high.size() != shape.size() ||
      form.inner.size() != shape.size()) {
    return c.Error() << "it needs a padding for each of the " << shape.size() << " axes";
  }
  if (c.In(0).type != c.In(1).type) return c.Error() << "the value to pad with has another type";
  for (size_t i = 0; i < shape.size(); ++i) {
    if (!IsSmall(form.low[i]) || !IsSmall(high[i]) || form.inner[i] < 0 ||
        !IsSmall(form.inner[i])) {
      return c.Error() << "a padding is " << form.low[i] << ", " << form.inner[i] << " or "
                       << high[i];
    }
    const int64_t spread = shape[i] == 0 ? 0 : (shape[i] - 1) * (form.inner[i] + 1) + 1;
    form.sizes.push_back(std::max<int64_t>(0, spread + form.low[i] + high[i]));
  }
  return Spread(c, c.Arg(0), c.Reshape(c.Arg(1), {}), form);
}

// Puts a value between the positions of each axis.
absl::StatusOr<Results> ImportDilate(OpCall& c) {
  const std::vector<int64_t>& shape = c.In(0).shape;
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t> steps, c.NeedInts(1, "the dilations"));
  if (steps.size() != shape.size()) return c.Error() << "it needs a dilation for each axis";
  if (c.In(0).type != c.In(2).type) return c.Error() << "the value to pad with has another type";
  HloPadding form;
  form.low.assign(shape.size(), 0);
  for (size_t i = 0; i < shape.size(); ++i) {
    if (steps[i] < 1 || !IsSmall(steps[i])) return c.Error() << "a dilation is " << steps[i];
    form.inner.push_back(steps[i] - 1);
    form.sizes.push_back(shape[i] == 0 ? 0 : (shape[i] - 1) * steps[i] + 1);
  }
  return Spread(c, c.Arg(0), c.Reshape(c.Arg(2), {}), form);
}

namespace {

struct HloGather {
  std::vector<int64_t> offset_axes, dropped, starts, sizes;
  int64_t index_axis = 0;
};

bool IsSortedSet(const std::vector<int64_t>& axes) {
  return std::adjacent_find(axes.begin(), axes.end(), std::greater_equal<>()) == axes.end();
}

absl::Status CheckHloGather(OpCall& c, const HloGather& form) {
  const std::vector<int64_t>&data = c.In(0).shape, &places = c.In(1).shape, &out = c.Out().shape;
  const auto rank = std::ssize(data);
  const auto is_axis = [](const std::vector<int64_t>& axes, int64_t count) {
    return std::all_of(axes.begin(), axes.end(),
                       [&](int64_t axis) { return axis >= 0 && axis < count; });
  };
  const bool implicit = form.index_axis == std::ssize(places);
  if (form.index_axis < 0 || form.index_axis > std::ssize(places) ||
      std::ssize(form.sizes) != rank || !is_axis(form.dropped, rank) ||
      !is_axis(form.starts, rank) || !is_axis(form.offset_axes, std::ssize(out)) ||
      std::ssize(form.starts) != (implicit ? 1 : places[static_cast<size_t>(form.index_axis)]) ||
      !IsSortedSet(form.dropped) || !IsSortedSet(form.offset_axes) ||
      form.offset_axes.size() + form.dropped.size() != data.size() ||
      out.size() != form.offset_axes.size() + places.size() - (implicit ? 0 : 1)) {
    return c.Error() << "axes of the data, the positions and the result do not fit";
  }
  size_t k = 0;
  for (size_t axis = 0; axis < data.size(); ++axis) {
    const int64_t size = form.sizes[axis];
    if (size < 0 || size > data[axis]) return c.Error() << "a slice is larger than axis " << axis;
    const bool dropped = std::find(form.dropped.begin(), form.dropped.end(),
                                   static_cast<int64_t>(axis)) != form.dropped.end();
    if (dropped && size != 1) return c.Error() << "axis " << axis << " is left out, with " << size;
    if (!dropped && out[static_cast<size_t>(form.offset_axes[k++])] != size) {
      return c.Error() << "the result does not have the sizes of slices";
    }
  }
  return absl::OkStatus();
}

}  // namespace

// Slices of the data whose starts are moved until they lie inside.
absl::StatusOr<Results> ImportHloGather(OpCall& c) {
  const HloGather form = {c.Ints("offset_dims"), c.Ints("collapsed_slice_dims"),
                          c.Ints("start_index_map"), c.Ints("slice_sizes"),
                          c.Int("index_vector_dim")};
  LATHE_RETURN_IF_ERROR(CheckHloGather(c, form));
  const std::vector<int64_t>& data = c.In(0).shape;
  const auto contains = [](const std::vector<int64_t>& axes, int64_t axis) {
    return std::find(axes.begin(), axes.end(), axis) != axes.end();
  };
  return c.Kernel("gather", {c.Arg(0), c.Arg(1)}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", c.OutDims(), c.TypeOf(c.Arg(0)), [&](const Indices& at) {
      Indices batch;
      for (size_t i = 0; i < at.size(); ++i) {
        if (!contains(form.offset_axes, static_cast<int64_t>(i))) batch.push_back(at[i]);
      }
      Indices from;
      size_t offset = 0;
      for (size_t axis = 0; axis < data.size(); ++axis) {
        const auto number = static_cast<int64_t>(axis);
        PrimRef place = m.Int(0);
        const auto mapped = std::find(form.starts.begin(), form.starts.end(), number);
        if (mapped != form.starts.end()) {
          Indices index = batch;
          if (form.index_axis < std::ssize(c.In(1).shape)) {
            index.insert(index.begin() + form.index_axis, m.Int(mapped - form.starts.begin()));
          }
          const PrimRef written = m.Cast(te.At(te.Input(1), index), kWide);
          place = m.Max(m.Int(0), m.Min(written, m.Int(data[axis] - form.sizes[axis])));
        }
        if (!contains(form.dropped, number)) {
          place = m.Add(place, at[static_cast<size_t>(form.offset_axes[offset++])]);
        }
        from.push_back(place);
      }
      return te.At(te.Input(0), from);
    });
  });
}

}  // namespace lathe::tflite

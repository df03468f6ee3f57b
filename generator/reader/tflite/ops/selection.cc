// Imports operators that select elements by position: slices, gathers, scatters and lookups.
#include <algorithm>
#include <limits>
#include <utility>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

PrimRef IndexAt(Te& te, int input, Indices at) {
  return te.math().Cast(te.At(te.Input(input), std::move(at)), kWide);
}

}  // namespace

// out[a.., i.., b..] = x[a.., indices[i..], b..]. The first `batch_dims` axes of both are common.
absl::StatusOr<Results> ImportGather(OpCall& c) {
  const Operand x = c.Arg(0), places = c.Arg(1);
  const Dims dims = c.DimsOf(x), chosen = c.DimsOf(places);
  LATHE_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis"), c.Rank(x)));
  const int64_t written = c.Int("batch_dims"), rank = std::ssize(chosen);
  const int64_t batch = written < 0 ? written + rank : written;
  if (batch < 0 || batch > rank || batch > axis) {
    return c.Error() << written << " common axes of " << rank << " and axis " << axis;
  }
  for (int64_t i = 0; i < batch; ++i) {
    const auto at = static_cast<size_t>(i);
    if (c.In(0).shape[at] != c.In(1).shape[at]) {
      return c.Error() << "common axis " << i << " has " << c.In(0).shape[at] << " and "
                       << c.In(1).shape[at] << " positions";
    }
  }
  if (batch == 0) {
    return c.Op("relax.take", {x, places}, {{"axis", axis}});
  }
  Dims made(dims.begin(), dims.begin() + axis);
  made.insert(made.end(), chosen.begin() + batch, chosen.end());
  made.insert(made.end(), dims.begin() + axis + 1, dims.end());
  return c.Kernel("gather", {x, places}, [&](Te& te) {
    return te.Compute("out", made, c.TypeOf(x), [&](const Indices& at) {
      const auto first = at.begin() + axis, last = first + (rank - batch);
      Indices index(at.begin(), at.begin() + batch);
      index.insert(index.end(), first, last);
      Indices from(at.begin(), first);
      from.push_back(IndexAt(te, 1, index));
      from.insert(from.end(), last, at.end());
      return te.At(te.Input(0), from);
    });
  });
}

absl::StatusOr<Results> ImportGatherNd(OpCall& c) {
  const Operand x = c.Arg(0), places = c.Arg(1);
  const Dims dims = c.DimsOf(x), chosen = c.DimsOf(places);
  if (chosen.empty()) return c.Error() << "positions must have at least one dimension";
  const int64_t depth = c.In(1).shape.back();
  if (depth > std::ssize(dims)) {
    return c.Error() << "positions name " << depth << " axes of " << dims.size();
  }
  Dims made(chosen.begin(), chosen.end() - 1);
  made.insert(made.end(), dims.begin() + depth, dims.end());
  const auto outer = static_cast<std::ptrdiff_t>(chosen.size()) - 1;
  return c.Kernel("gather_nd", {x, places}, [&](Te& te) {
    return te.Compute("out", made, c.TypeOf(x), [&](const Indices& at) {
      Indices from;
      for (int64_t k = 0; k < depth; ++k) {
        Indices index(at.begin(), at.begin() + outer);
        index.push_back(te.math().Int(k));
        from.push_back(IndexAt(te, 1, index));
      }
      from.insert(from.end(), at.begin() + outer, at.end());
      return te.At(te.Input(0), from);
    });
  });
}

namespace {

// out[i] = x[start + i * stride] along each axis.
Operand Strided(OpCall& c, const Operand& x, const std::vector<int64_t>& starts,
                const std::vector<int64_t>& strides, const Dims& dims) {
  return c.Kernel("slice", {x}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", dims, c.TypeOf(x), [&](const Indices& at) {
      Indices from;
      for (size_t i = 0; i < at.size(); ++i) {
        from.push_back(m.Add(m.Mul(at[i], m.Int(strides[i])), m.Int(starts[i])));
      }
      return te.At(te.Input(0), from);
    });
  });
}

// A box of `dims` that starts where elements of input 1 say.
Operand SlicedFrom(OpCall& c, const Operand& x, const Operand& starts, const Dims& dims) {
  return c.Kernel("slice", {x, starts}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", dims, c.TypeOf(x), [&](const Indices& at) {
      Indices from;
      for (size_t i = 0; i < at.size(); ++i) {
        from.push_back(m.Add(at[i], IndexAt(te, 1, {m.Int(static_cast<int64_t>(i))})));
      }
      return te.At(te.Input(0), from);
    });
  });
}

}  // namespace

absl::StatusOr<Results> ImportSlice(OpCall& c) {
  const Operand x = c.Arg(0);
  const std::vector<int64_t>& shape = c.In(0).shape;
  if (c.Out().shape.size() != shape.size()) {
    return c.Error() << "data and result have different numbers of dimensions";
  }
  const auto begin = c.ConstantInts(1), size = c.ConstantInts(2);
  for (const int i : {1, 2}) {
    if (c.In(i).shape == std::vector<int64_t>{std::ssize(shape)}) continue;
    return c.Error() << "input " << i << " must have one element per axis of the data";
  }
  if (!begin) return SlicedFrom(c, x, c.Arg(1), c.OutDims());
  std::vector<int64_t> made = c.Out().shape;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (size) made[i] = (*size)[i] == -1 ? shape[i] - (*begin)[i] : (*size)[i];
    if ((*begin)[i] < 0 || made[i] < 0 || (*begin)[i] > shape[i] - made[i]) {
      return c.Error() << "it takes " << made[i] << " positions from " << (*begin)[i] << " of axis "
                       << i << ", which has " << shape[i];
    }
  }
  return Strided(c, x, *begin, std::vector<int64_t>(shape.size(), 1), c.DimsFrom(made));
}

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

}  // namespace

namespace {

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

}  // namespace

namespace {

// Begins that the data say, with a result whose declared shape says how much is taken.
absl::StatusOr<Results> SlicedAtRunTime(OpCall& c, const std::vector<int64_t>& steps,
                                        const SliceMasks& masks) {
  const Operand x = c.Arg(0), begins = c.Arg(1);
  const std::vector<int64_t>&shape = c.In(0).shape, &out = c.Out().shape;
  const auto written = static_cast<int64_t>(steps.size());
  std::vector<int64_t> counts;
  size_t next = 0;
  for (size_t i = 0; i < shape.size(); ++i) {
    const bool dropped = HasBit(masks.dropped, i);
    if (!dropped && next == out.size()) return c.Error() << "the result has too few dimensions";
    counts.push_back(dropped ? 1 : out[next++]);
    if (counts[i] > shape[i]) return c.Error() << "the result is larger than axis " << i;
  }
  if (masks.ellipsis != 0 || masks.added != 0 || next != out.size() ||
      c.In(1).shape != std::vector<int64_t>{written} || written > std::ssize(shape) ||
      std::any_of(steps.begin(), steps.end(), [](int64_t step) { return step != 1; })) {
    return c.Unsupported() << "STRIDED_SLICE from places that are known at run time only, with "
                              "strides, an ellipsis or new axes";
  }
  const Operand made = c.Kernel("slice", {x, begins}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", c.DimsFrom(counts), c.TypeOf(x), [&](const Indices& at) {
      Indices from;
      for (size_t i = 0; i < at.size(); ++i) {
        const auto axis = static_cast<int64_t>(i);
        if (axis >= written || HasBit(masks.begin, i)) {
          from.push_back(at[i]);
          continue;
        }
        const PrimRef begin = IndexAt(te, 1, {m.Int(axis)});
        const PrimRef wrapped =
            m.Select(m.Lt(begin, m.Int(0)), m.Add(begin, m.Int(shape[i])), begin);
        const PrimRef start = m.Max(m.Int(0), m.Min(wrapped, m.Int(shape[i] - counts[i])));
        from.push_back(m.Add(at[i], start));
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
  if (!c.ConstantInts(1)) return SlicedAtRunTime(c, step, masks);
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

// Writes `update` over a part of `x`, whose start is moved until the part lies inside.
absl::StatusOr<Results> ImportDynamicUpdateSlice(OpCall& c) {
  const Operand x = c.Arg(0), update = c.Arg(1), starts = c.Arg(2);
  const std::vector<int64_t>&shape = c.In(0).shape, &part = c.In(1).shape;
  if (part.size() != shape.size() || c.In(2).shape != std::vector<int64_t>{std::ssize(shape)}) {
    return c.Error() << "data, update and starts have different numbers of dimensions";
  }
  for (size_t i = 0; i < shape.size(); ++i) {
    if (part[i] > shape[i]) return c.Error() << "the update is larger than axis " << i;
  }
  if (c.In(0).type != c.In(1).type) return c.Error() << "data and update have different types";
  return c.Kernel("update_slice", {x, update, starts}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", c.DimsOf(x), c.TypeOf(x), [&](const Indices& at) {
      PrimRef inside = m.ir().Bool(true);
      Indices from;
      for (size_t i = 0; i < at.size(); ++i) {
        const PrimRef written = IndexAt(te, 2, {m.Int(static_cast<int64_t>(i))});
        const PrimRef start = m.Max(m.Int(0), m.Min(written, m.Int(shape[i] - part[i])));
        from.push_back(m.Sub(at[i], start));
        inside = m.And(inside, m.InRange(from.back(), m.Int(0), m.Int(part[i])));
      }
      return m.IfThenElse(inside, te.At(te.Input(1), from), te.At(te.Input(0), at));
    });
  });
}

// Reverses the first lengths[b] positions of one axis.
absl::StatusOr<Results> ImportReverseSequence(OpCall& c) {
  const Operand x = c.Arg(0), lengths = c.Arg(1);
  LATHE_ASSIGN_OR_RETURN(const int along, c.Axis(c.Int("seq_dim"), c.Rank(x)));
  LATHE_ASSIGN_OR_RETURN(const int batch, c.Axis(c.Int("batch_dim"), c.Rank(x)));
  const auto along_at = static_cast<size_t>(along), batch_at = static_cast<size_t>(batch);
  if (along == batch || c.In(1).shape != std::vector<int64_t>{c.In(0).shape[batch_at]}) {
    return c.Error() << "axes " << along << " and " << batch << " or the lengths do not fit";
  }
  return c.Kernel("reverse_sequence", {x, lengths}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", c.DimsOf(x), c.TypeOf(x), [&](const Indices& at) {
      const PrimRef length = IndexAt(te, 1, {at[batch_at]});
      Indices from = at;
      const PrimRef mirrored = m.Sub(m.Sub(length, m.Int(1)), at[along_at]);
      from[along_at] = m.Select(m.Lt(at[along_at], length), mirrored, at[along_at]);
      return te.At(te.Input(0), from);
    });
  });
}

// SELECT takes a condition of the shape of the data, a scalar, or one element per row.
absl::StatusOr<Results> ImportSelect(OpCall& c) {
  if (c.In(1).type != c.In(2).type) return c.Error() << "its operands have different types";
  if (!c.TypeOf(c.Arg(0)).is_bool()) return c.Error() << "the condition is not bool";
  Operand condition = c.Arg(0);
  const size_t rank = c.In(1).shape.size();
  if (c.In(0).shape.size() == 1 && rank > 1) {
    std::vector<int64_t> rows(rank, 1);
    rows[0] = c.In(0).shape[0];
    if (rows[0] != c.In(1).shape[0] && rows[0] != 1) {
      return c.Error() << "a condition of " << rows[0] << " elements for " << c.In(1).shape[0]
                       << " rows";
    }
    condition = c.Reshape(condition, c.DimsFrom(rows));
  }
  return c.Op("relax.where", {condition, c.Arg(1), c.Arg(2)});
}

absl::StatusOr<Results> ImportSelectV2(OpCall& c) {
  if (c.In(1).type != c.In(2).type) return c.Error() << "its operands have different types";
  if (!c.TypeOf(c.Arg(0)).is_bool()) return c.Error() << "the condition is not bool";
  return c.Op("relax.where", {c.Arg(0), c.Arg(1), c.Arg(2)});
}

}  // namespace lathe::tflite

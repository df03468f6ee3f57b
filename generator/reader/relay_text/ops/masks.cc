// Imports operators that choose elements by their position.
#include <algorithm>

#include "generator/reader/relay_text/ops/call_parts.h"
#include "generator/support/status.h"

namespace lathe::relay {

// Writes diagonals k1 to k2 of matrices. Several diagonals are rows of the second tensor, the
// highest first, aligned left or right.
absl::StatusOr<Operand> ImportMatrixSetDiag(OpCall& c) {
  const Operand x = c.Arg(0), diagonal = c.Arg(1);
  LATHE_RETURN_IF_ERROR(RequireOneDType(c, {x, diagonal}));
  const Dims dims = c.DimsOf(x), given = c.DimsOf(diagonal);
  const int64_t k1 = c.Int("k1"), k2 = c.Int("k2");
  const bool single = k1 == k2;
  if (k1 > k2) return c.Error() << "k1 is " << k1 << ", above k2, which is " << k2;
  if (dims.size() < 2) return c.Error() << "the data is no matrix";
  LATHE_RETURN_IF_ERROR(
      RequireRank(c, diagonal, c.Rank(x) - (single ? 1 : 0), "the tensor of diagonals"));
  for (size_t i = 0; i + 2 < dims.size(); ++i) {
    LATHE_RETURN_IF_ERROR(RequireSize(c, given[i], dims[i], "an axis of the diagonals"));
  }
  const bool super_right = c.Bool("super_diag_right_align");
  const bool sub_right = c.Bool("sub_diag_right_align");
  return c.Kernel("matrix_set_diag", {x, diagonal}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", dims, c.TypeOf(x), [&](const Indices& at) {
      const size_t r = at.size() - 2;
      const PrimRef zero = m.Int(0), row = at[r], column = at[r + 1];
      const PrimRef k = single ? m.Int(k1) : m.Sub(column, row);
      Indices place(at.begin(), at.end() - 2);
      PrimRef offset = zero;
      if (!single) {
        place.push_back(m.Sub(m.Int(k2), k));
        const auto gap = [&](bool right, PrimRef rows, PrimRef columns) {
          return right ? m.Sub(given.back(), m.Min(rows, columns)) : zero;
        };
        offset = m.Select(m.Le(zero, k), gap(super_right, m.Sub(dims[r + 1], k), dims[r]),
                          gap(sub_right, dims[r + 1], m.Add(dims[r], k)));
      }
      place.push_back(m.Add(m.Select(m.Le(zero, k), row, column), offset));
      const PrimRef apart = m.Sub(column, row);
      const PrimRef on = m.And(m.Le(m.Int(k1), apart), m.Le(apart, m.Int(k2)));
      return m.IfThenElse(on, te.At(te.Input(1), place), te.At(te.Input(0), at));
    });
  });
}

// Keeps what lies on and above, or below, diagonal k.
absl::StatusOr<Operand> ImportTrilu(OpCall& c) {
  const Operand x = c.Arg(0), k = c.Arg(1);
  if (c.Rank(x) < 2) return c.Error() << "the data is no matrix";
  if (!c.TypeOf(k).is_integer()) return c.Error() << "k has to be an integer";
  const bool upper = c.Bool("upper");
  return c.Kernel("trilu", {x, c.Reshape(k, {})}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", c.DimsOf(x), c.TypeOf(x), [&](const Indices& at) {
      const PrimRef apart = m.Sub(at[at.size() - 1], at[at.size() - 2]);
      const PrimRef diagonal = m.Cast(te.At(te.Input(1), {}), DType::Int(64));
      const PrimRef kept = upper ? m.Le(diagonal, apart) : m.Le(apart, diagonal);
      return m.Select(kept, te.At(te.Input(0), at), m.Const(0, c.TypeOf(x)));
    });
  });
}

// Masks what lies behind the length of each sequence. The other of axes 0 and 1 is the batch.
absl::StatusOr<Operand> ImportSequenceMask(OpCall& c) {
  const Operand x = c.Arg(0), lengths = c.Arg(1);
  const int64_t axis = c.Int("axis");
  if (axis != 0 && axis != 1) return c.Error() << "axis is " << axis << "; 0 or 1";
  const Dims dims = c.DimsOf(x);
  if (dims.size() < 2) return c.Error() << "the data needs 2 dimensions";
  LATHE_RETURN_IF_ERROR(RequireRank(c, lengths, 1, "the lengths"));
  const auto batch = static_cast<size_t>(1 - axis);
  LATHE_RETURN_IF_ERROR(RequireSize(c, c.DimsOf(lengths)[0], dims[batch], "the lengths"));
  return c.Kernel("sequence_mask", {x, lengths}, [&](Te& te) {
    ScalarMath& m = te.math();
    const DType count = c.TypeOf(lengths);
    return te.Compute("out", dims, c.TypeOf(x), [&](const Indices& at) {
      const PrimRef time = m.Cast(at[static_cast<size_t>(axis)], count);
      const PrimRef inside = m.Lt(time, te.At(te.Input(1), {at[batch]}));
      return m.Select(inside, te.At(te.Input(0), at), m.Const(c.Float("mask_value"), c.TypeOf(x)));
    });
  });
}

// Windows of the axes from `axis` on become the last axes.
absl::StatusOr<Operand> ImportSlidingWindow(OpCall& c) {
  const Operand x = c.Arg(0);
  const Dims from = c.DimsOf(x);
  LATHE_ASSIGN_OR_RETURN(const int first, c.Axis(c.Int("axis"), c.Rank(x)));
  const std::vector<int64_t> window = c.Ints("window_shape"), strides = c.Ints("strides");
  const auto axis = static_cast<size_t>(first);
  if (window.size() != strides.size() || axis + window.size() != from.size()) {
    return c.Error() << "window_shape and strides need a value for each axis from " << axis
                     << " on";
  }
  ScalarMath& m = c.math();
  Dims dims(from.begin(), from.begin() + first);
  for (size_t i = 0; i < window.size(); ++i) {
    if (window[i] < 1 || strides[i] < 1) return c.Error() << "a window or stride below 1";
    const PrimRef room = m.Add(from[axis + i], m.Int(strides[i] - window[i]));
    dims.push_back(c.Simplify(m.FloorDiv(room, m.Int(strides[i]))));
    if (OpCall::IntOf(dims.back()).value_or(1) < 1) return c.Error() << "a window too large";
  }
  for (const int64_t size : window) dims.push_back(m.Int(size));
  return c.Kernel("sliding_window", {x}, [&](Te& te) {
    return te.Compute("out", dims, c.TypeOf(x), [&](const Indices& at) {
      Indices source(at.begin(), at.begin() + first);
      for (size_t i = 0; i < window.size(); ++i) {
        source.push_back(te.math().Add(te.math().Mul(at[axis + i], te.math().Int(strides[i])),
                                       at[from.size() + i]));
      }
      return te.At(te.Input(0), source);
    });
  });
}

// Puts stride - 1 values between the elements of each axis.
absl::StatusOr<Operand> ImportDilate(OpCall& c) {
  const Operand x = c.Arg(0);
  const Dims from = c.DimsOf(x);
  const std::vector<int64_t> strides = c.Ints("strides");
  if (strides.size() != from.size())
    return c.Error() << "strides has " << strides.size() << " values";
  ScalarMath& m = c.math();
  Dims dims;
  for (size_t i = 0; i < from.size(); ++i) {
    if (strides[i] < 1) return c.Error() << "a stride of " << strides[i];
    const PrimRef steps = m.Mul(m.Sub(from[i], m.Int(1)), m.Int(strides[i]));
    dims.push_back(c.Simplify(m.Add(steps, m.Int(1))));
  }
  const double value = c.Float("dilation_value");
  return c.Kernel("dilate", {x}, [&](Te& te) {
    ScalarMath& t = te.math();
    return te.Compute("out", dims, c.TypeOf(x), [&](const Indices& at) {
      Indices source;
      PrimRef on = t.ir().Bool(true);
      for (size_t i = 0; i < at.size(); ++i) {
        const PrimRef stride = t.Int(strides[i]);
        source.push_back(t.FloorDiv(at[i], stride));
        if (strides[i] != 1) on = t.And(on, t.Eq(t.FloorMod(at[i], stride), t.Int(0)));
      }
      return t.IfThenElse(on, te.At(te.Input(0), source), t.Const(value, c.TypeOf(x)));
    });
  });
}

// The last elements of the buffer followed by the data, as many as the buffer has.
absl::StatusOr<Operand> ImportFifoBuffer(OpCall& c) {
  const Operand x = c.Arg(0), buffer = c.Arg(1);
  LATHE_RETURN_IF_ERROR(RequireOneDType(c, {x, buffer}));
  LATHE_RETURN_IF_ERROR(RequireRank(c, buffer, c.Rank(x), "the buffer"));
  LATHE_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis"), c.Rank(x)));
  const Dims data = c.DimsOf(x), dims = c.DimsOf(buffer);
  const auto along = static_cast<size_t>(axis);
  for (size_t i = 0; i < dims.size(); ++i) {
    if (i == along) continue;
    LATHE_RETURN_IF_ERROR(RequireSize(c, data[i], dims[i], "an axis of the data"));
  }
  return c.Kernel("fifo_buffer", {x, buffer}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", dims, c.TypeOf(x), [&](const Indices& at) {
      Indices old = at, fresh = at;
      old[along] = m.Add(at[along], data[along]);
      fresh[along] = m.Sub(old[along], dims[along]);
      return m.IfThenElse(m.Lt(old[along], dims[along]), te.At(te.Input(1), old),
                          te.At(te.Input(0), fresh));
    });
  });
}

}  // namespace lathe::relay

// Imports AffineGrid: the points of a grid over an image or volume, mapped by affine matrices.
#include "generator/reader/onnx/found_dims.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

// Returns the coordinate from -1 to 1 of cell `i` of `size`: that of its center or, with aligned
// corners, of its place between the first cell and the last. The numerator is exact.
PrimRef GridCoordinate(ScalarMath& m, PrimRef i, PrimRef size, bool corners, DType real) {
  const PrimRef twice = m.Mul(i, m.Int(2));
  if (corners) {
    // A single cell is at -1.
    const PrimRef spans = m.Max(m.Sub(size, m.Int(1)), m.Int(1));
    return m.Div(m.Cast(m.Sub(twice, spans), real), m.Cast(spans, real));
  }
  const PrimRef middle = m.Sub(m.Add(twice, m.Int(1)), size);
  return m.Div(m.Cast(middle, real), m.Cast(size, real));
}

}  // namespace

absl::StatusOr<Results> ImportAffineGrid(NodeCall& n) {
  const Operand theta = n.In(0);
  const Dims from = n.DimsOf(theta);
  const auto entries = EntriesOf(n, 1);
  LATHE_RETURN_IF_ERROR(n.status());
  if (!entries) return n.Unsupported() << "a size of dynamic length is not supported";
  if (*entries != 4 && *entries != 5)
    return n.Error() << "'size' must have 4 or 5 entries, got " << *entries;
  const size_t rank = *entries - 2;
  const int64_t axes = static_cast<int64_t>(rank);
  const auto may_be = [&](size_t a, int64_t size) {
    return NodeCall::IntOf(from[a]).value_or(size) == size;
  };
  if (from.size() != 3 || !may_be(1, axes) || !may_be(2, axes + 1)) {
    return n.Error() << "'theta' must have the shape (N, " << axes << ", " << axes + 1
                     << "), as 'size' has " << *entries << " entries";
  }
  const auto declared = n.ElementsOf(1) ? std::nullopt : n.DeclaredDims(0);
  const bool checks = declared && declared->size() == rank + 2;
  Dims space;
  PrimRef batch = from[0];
  if (checks) {
    space.assign(declared->begin() + 1, declared->end() - 1);
  } else {
    const Dims sizes = *SizesIn(n, 1);
    LATHE_RETURN_IF_ERROR(n.NeedSizes(sizes));
    batch = sizes[0];
    space.assign(sizes.begin() + 2, sizes.end());
  }
  const bool corners = n.Int("align_corners", 0) != 0;
  const DType dtype = n.TypeOf(theta);
  const DType real = dtype.bits < 32 ? DType::Float(32) : dtype;
  Dims dims = {from[0]};
  dims.insert(dims.end(), space.begin(), space.end());
  dims.push_back(n.ir().Int(axes));
  Operands args = {theta};
  if (checks) args.push_back(n.In(1));
  return n.Kernel("affine_grid", args, [&](Te& te) {
    ScalarMath& m = te.math();
    NeedSame(n, te, batch, from[0], "the batch of the size");
    NeedSameDims(n, te, from, {from[0], m.Int(axes), m.Int(axes + 1)}, "'theta'");
    for (size_t a = 0; checks && a <= rank; ++a) {
      const int64_t entry = a == 0 ? 0 : static_cast<int64_t>(a) + 1;
      NeedSame(n, te, Entry(te, 1, entry), dims[a], "an entry of the size");
    }
    return te.Compute("out", dims, dtype, [&](const Indices& at) {
      const auto factor = [&](size_t column) {
        const PrimRef k = m.Int(static_cast<int64_t>(column));
        return m.Cast(te.At(te.Input(0), {at[0], at.back(), k}), real);
      };
      PrimRef sum = factor(rank);
      // The first column is for x, which is the last dimension of the image.
      for (size_t k = 0; k < rank; ++k) {
        const size_t a = rank - 1 - k;
        const PrimRef place = GridCoordinate(m, at[a + 1], space[a], corners, real);
        sum = m.Add(sum, m.Mul(factor(k), place));
      }
      return m.Cast(sum, dtype);
    });
  });
}

}  // namespace lathe::onnx

// Imports MaxRoiPool: the maxima of the cells of regions of an image.
#include "generator/ops/te/statements.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

// The pixels of one cell along one axis.
struct CellPart {
  PrimRef begin, count;
};

// Rounds to the nearest integer, halves away from zero. Bounds the result, so that it has an
// integer whatever the region is.
PrimRef NearestPixel(ops::Statements& s, ScalarMath& m, PrimRef x) {
  const DType real = x->dtype();
  const PrimRef half = m.Const(0.5, real), far = m.Const(1 << 24, real);
  const PrimRef tame = s.Let("place", m.Max(s.Let("place", m.Min(x, far)), m.Neg(far)));
  const PrimRef up = m.Call("floor", {m.Add(tame, half)});
  const PrimRef down = m.Call("ceil", {m.Sub(tame, half)});
  return s.Let("side", m.Cast(m.Select(m.Lt(tame, m.Const(0, real)), down, up), DType::Int(64)));
}

// Divides the pixels from `first` to `last`, at least one, into `cells` parts that may overlap, and
// clips part `i` to the image.
CellPart CellOf(ops::Statements& s, ScalarMath& m, PrimRef first, PrimRef last, PrimRef i,
                int64_t cells, PrimRef size) {
  const PrimRef length = s.Let("length", m.Max(m.Add(m.Sub(last, first), m.Int(1)), m.Int(1)));
  // floor(i * length / cells) and ceil((i + 1) * length / cells), in integers.
  const PrimRef low = m.FloorDiv(m.Mul(i, length), m.Int(cells));
  const PrimRef next = m.Mul(m.Add(i, m.Int(1)), length);
  const PrimRef high = m.FloorDiv(m.Add(next, m.Int(cells - 1)), m.Int(cells));
  const auto clip = [&](PrimRef place) {
    return m.Min(m.Max(m.Add(first, place), m.Int(0)), size);
  };
  const PrimRef begin = s.Let("begin", clip(low));
  return {begin, s.Let("count", m.Max(m.Sub(clip(high), begin), m.Int(0)))};
}

}  // namespace

absl::StatusOr<Results> ImportMaxRoiPool(NodeCall& n) {
  const Operand x = n.In(0), rois = n.In(1);
  const Dims from = n.DimsOf(x), by = n.DimsOf(rois);
  if (from.size() != 4 || by.size() != 2)
    return n.Error() << "the input must have rank 4 and the regions rank 2";
  const std::vector<int64_t> pooled = n.Ints("pooled_shape");
  constexpr int64_t kMaxCells = 1 << 24;
  if (pooled.size() != 2 || pooled[0] < 1 || pooled[1] < 1 || pooled[0] > kMaxCells ||
      pooled[1] > kMaxCells) {
    return n.Error() << "'pooled_shape' must have two entries from 1 to " << kMaxCells;
  }
  const DType dtype = n.TypeOf(x), given = n.TypeOf(rois);
  const DType real = given.bits < 32 ? DType::Float(32) : given;
  const double scale = n.Float("spatial_scale", 1.0);
  const Dims dims = {by[0], from[1], n.ir().Int(pooled[0]), n.ir().Int(pooled[1])};
  return n.Kernel("max_roi_pool", {x, rois}, [&](Te& te) {
    ScalarMath& m = te.math();
    NeedSame(n, te, by[1], m.Int(5), "the entries of a region");
    ir::BufferRef out = te.Allocate("out", dims, dtype);
    // Statements, since their variables name the pixels and edges: these occur in the bounds of
    // loops, where expressions would be written again for each use.
    te.Run("pool", dims, [&](ops::Statements& s, const Indices& at) {
      // A region is the image, x1, y1, x2, y2.
      const auto side = [&](int64_t entry) {
        const PrimRef place = m.Cast(te.At(te.Input(1), {at[0], m.Int(entry)}), real);
        return NearestPixel(s, m, s.Let("place", m.Mul(place, m.Const(scale, real))));
      };
      const auto cell = [&](size_t axis) {
        const int64_t first = axis == 0 ? 2 : 1;
        const PrimRef begin = side(first), last = side(first + 2);
        return CellOf(s, m, begin, last, at[axis + 2], pooled[axis], from[axis + 2]);
      };
      const CellPart rows = cell(0), columns = cell(1);
      const PrimRef image =
          s.Let("image", m.Cast(te.At(te.Input(1), {at[0], m.Int(0)}), DType::Int(64)));
      const PrimRef some = m.And(m.Lt(m.Int(0), rows.count), m.Lt(m.Int(0), columns.count));
      s.Store(out, at, m.Select(some, m.Lowest(dtype), m.Const(0, dtype)));
      s.For("row", rows.count, [&](PrimRef row) {
        s.For("column", columns.count, [&](PrimRef column) {
          const PrimRef pixel = te.At(
              te.Input(0), {image, at[1], m.Add(rows.begin, row), m.Add(columns.begin, column)});
          s.Store(out, at, m.Max(te.At(out, at), pixel));
        });
      });
    });
    return out;
  });
}

}  // namespace lathe::onnx

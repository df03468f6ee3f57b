// Imports RoiAlign, which averages samples of an image in the cells of regions.
#include <array>
#include <utility>

#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

struct RoiAlign {
  int64_t cells[2];
  int64_t ratio;  // samples per side of a cell; 0: as many as it has pixels, rounded up
  bool half_pixel, maximum;
  double scale;
  DType real;
};

// The samples of a cell along one axis.
struct Samples {
  PrimRef start, cell, count;  // of the region, in pixels; the number of samples
  PrimRef skipped, visited;    // those before the image; those that are read
};

// Only samples in the image and one at each side of it are visited, so that a region of any size
// ends: neighbors are more than half a pixel apart.
Samples SamplesOf(ops::Statements& s, Te& te, const RoiAlign& roi, const Indices& at, size_t axis,
                  PrimRef size) {
  ScalarMath& m = te.math();
  const auto c = [&](double v) { return m.Const(v, roi.real); };
  const auto edge = [&](int64_t entry) {
    const PrimRef place = m.Cast(te.At(te.Input(1), {at[0], m.Int(entry)}), roi.real);
    return s.Let("edge", m.Sub(m.Mul(place, c(roi.scale)), c(roi.half_pixel ? 0.5 : 0)));
  };
  Samples samples;
  const auto first = static_cast<int64_t>(1 - axis);
  samples.start = edge(first);
  PrimRef length = m.Sub(edge(first + 2), samples.start);
  if (!roi.half_pixel) length = m.Max(length, c(1));
  samples.cell = s.Let("cell", m.Div(length, c(static_cast<double>(roi.cells[axis]))));
  if (roi.ratio > 0) {
    samples.count = c(static_cast<double>(roi.ratio));
    samples.skipped = m.Int(0);
    samples.visited = m.Int(roi.ratio);
    return samples;
  }
  constexpr double kMost = 1 << 24;
  samples.count = s.Let("count", m.Call("ceil", {samples.cell}));
  const PrimRef some = s.Let("some", m.Max(m.Min(samples.count, c(kMost)), c(0)));
  const PrimRef corner = m.Add(samples.start, m.Mul(samples.cell, m.Cast(at[axis + 2], roi.real)));
  const PrimRef apart = m.Div(samples.cell, m.Max(samples.count, c(1)));
  const PrimRef before = m.Sub(m.Call("floor", {m.Div(m.Sub(c(-1), corner), apart)}), c(2));
  const PrimRef skipped = s.Let("skipped", m.Max(m.Min(before, some), c(0)));
  samples.skipped = s.Let("first", m.Cast(skipped, DType::Int(64)));
  const PrimRef rest = m.Cast(m.Sub(some, skipped), DType::Int(64));
  samples.visited = s.Let("visited", m.Min(rest, m.Add(m.Mul(size, m.Int(2)), m.Int(10))));
  return samples;
}

// A sample between two pixels along one axis.
struct Between {
  PrimRef inside;
  std::array<PrimRef, 2> pixels, weights;
};

Between BetweenPixels(ops::Statements& s, Te& te, const RoiAlign& roi, const Samples& samples,
                      PrimRef cell, PrimRef k, PrimRef size) {
  ScalarMath& m = te.math();
  const auto c = [&](double v) { return m.Const(v, roi.real); };
  const PrimRef sample = m.Cast(m.Add(samples.skipped, k), roi.real);
  const PrimRef step = m.Div(m.Add(sample, c(0.5)), samples.count);
  const PrimRef offset = m.Mul(samples.cell, m.Add(m.Cast(cell, roi.real), step));
  const PrimRef place = s.Let("place", m.Add(samples.start, offset));
  const PrimRef end = m.Cast(size, roi.real);
  const PrimRef inside = s.Let("inside", m.And(m.Le(c(-1), place), m.Le(place, end)));
  const PrimRef held = s.Let("held", m.Max(c(0), m.Min(place, m.Sub(end, c(1)))));
  const PrimRef low = s.Let("low", m.Call("floor", {held}));
  const PrimRef share = s.Let("share", m.Sub(held, low));
  const auto pixel = [&](int64_t more) {
    const PrimRef index = m.Add(m.Cast(low, DType::Int(64)), m.Int(more));
    return s.Let("pixel", m.Max(m.Int(0), m.Min(index, m.Sub(size, m.Int(1)))));
  };
  return {inside, {pixel(0), pixel(1)}, {m.Sub(c(1), share), share}};
}

// The sum of the four weighted pixels, or the largest of them, as ONNX defines its maximum.
PrimRef ValueOf(Te& te, const RoiAlign& roi, const Between& y, const Between& x,
                const Indices& image) {
  ScalarMath& m = te.math();
  PrimRef value = nullptr;
  for (size_t corner = 0; corner < 4; ++corner) {
    const size_t row = corner & 1, column = corner >> 1;
    Indices place = image;
    place.push_back(y.pixels[row]);
    place.push_back(x.pixels[column]);
    const PrimRef weight = m.Mul(y.weights[row], x.weights[column]);
    const PrimRef part = m.Mul(weight, m.Cast(te.At(te.Input(0), place), roi.real));
    if (value == nullptr) {
      value = part;
    } else {
      value = roi.maximum ? m.Max(value, part) : m.Add(value, part);
    }
  }
  return m.Select(m.And(y.inside, x.inside), value, m.Const(0, roi.real));
}

absl::StatusOr<RoiAlign> RoiAlignOf(NodeCall& n, DType dtype) {
  RoiAlign roi;
  roi.cells[0] = n.Int("output_height", 1);
  roi.cells[1] = n.Int("output_width", 1);
  roi.ratio = n.Int("sampling_ratio", 0);
  if (roi.cells[0] < 1 || roi.cells[1] < 1 || roi.ratio < 0 || roi.ratio > 1024)
    return n.Error() << "'output_height', 'output_width' or 'sampling_ratio' is out of range";
  // Regions are moved by half a pixel since version 16.
  roi.half_pixel =
      n.opset() >= 16 && n.String("coordinate_transformation_mode", "half_pixel") == "half_pixel";
  roi.maximum = n.String("mode", "avg") == "max";
  roi.scale = n.Float("spatial_scale", 1.0);
  roi.real = dtype.bits < 32 ? DType::Float(32) : dtype;
  return roi;
}

}  // namespace

absl::StatusOr<Results> ImportRoiAlign(NodeCall& n) {
  const Operand x = n.In(0), rois = n.In(1), batches = n.In(2);
  const Dims from = n.DimsOf(x), by = n.DimsOf(rois);
  if (from.size() != 4 || by.size() != 2)
    return n.Error() << "the input must have rank 4 and the regions rank 2";
  const DType dtype = n.TypeOf(x);
  LATHE_ASSIGN_OR_RETURN(const RoiAlign roi, RoiAlignOf(n, dtype));
  if (n.Rank(batches) != 1) return n.Error() << "'batch_indices' must have rank 1";
  const Dims dims = {by[0], from[1], n.ir().Int(roi.cells[0]), n.ir().Int(roi.cells[1])};
  const Operand y = n.Kernel("roi_align", {x, rois, batches}, [&](Te& te) {
    ScalarMath& m = te.math();
    NeedSame(n, te, n.DimsOf(batches)[0], by[0], "an image for each box");
    NeedSame(n, te, by[1], m.Int(4), "the sides of a box");
    for (size_t axis : {2, 3}) te.Need(m.Lt(m.Int(0), from[axis]), "an image is empty");
    ir::BufferRef out = te.Allocate("out", dims, roi.real);
    te.Run("sample", dims, [&](ops::Statements& s, const Indices& at) {
      const Samples rows = SamplesOf(s, te, roi, at, 0, from[2]);
      const Samples columns = SamplesOf(s, te, roi, at, 1, from[3]);
      const PrimRef image = s.Let("image", m.Cast(te.At(te.Input(2), {at[0]}), DType::Int(64)));
      const PrimRef some = m.And(m.Lt(m.Int(0), rows.visited), m.Lt(m.Int(0), columns.visited));
      const PrimRef zero = m.Const(0, roi.real);
      s.Store(out, at, roi.maximum ? m.Select(some, m.Lowest(roi.real), zero) : zero);
      s.For("row", rows.visited, [&](PrimRef row) {
        const Between high = BetweenPixels(s, te, roi, rows, at[2], row, from[2]);
        s.For("column", columns.visited, [&](PrimRef column) {
          const Between wide = BetweenPixels(s, te, roi, columns, at[3], column, from[3]);
          const PrimRef value = ValueOf(te, roi, high, wide, {image, at[1]});
          const PrimRef so_far = te.At(out, at);
          s.Store(out, at, roi.maximum ? m.Max(so_far, value) : m.Add(so_far, value));
        });
      });
      if (roi.maximum) return;
      const PrimRef count = m.Max(m.Mul(rows.count, columns.count), m.Const(1, roi.real));
      s.Store(out, at, m.Div(te.At(out, at), count));
    });
    return out;
  });
  return n.Cast(y, dtype);
}

}  // namespace lathe::onnx

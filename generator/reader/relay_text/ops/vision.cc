// Imports operators of object detection.
#include <cmath>

#include "generator/reader/relay_text/ops/call_parts.h"
#include "generator/support/status.h"

namespace lathe::relay {
namespace {

absl::StatusOr<double> ConstantScalar(OpCall& c, int i, absl::string_view what) {
  const auto known = c.ConstantNumbers(i);
  if (known && known->size() == 1) return (*known)[0];
  if (!c.status().ok()) return c.status();
  return c.Unsupported() << what << " that is not a constant";
}

}  // namespace

absl::StatusOr<Operand> ImportValidCounts(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const double threshold, ConstantScalar(c, 1, "a score threshold"));
  return c.Op("relax.vision.get_valid_counts", {c.Arg(0)},
              {{"score_threshold", threshold},
               {"id_index", c.Int("id_index")},
               {"score_index", c.Int("score_index")}});
}

absl::StatusOr<Operand> ImportNonMaxSuppression(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const double most, ConstantScalar(c, 3, "a number of boxes"));
  LATHE_ASSIGN_OR_RETURN(const double overlap, ConstantScalar(c, 4, "an IoU threshold"));
  return c.Op("relax.vision.non_max_suppression", {c.Arg(0), c.Arg(1), c.Arg(2)},
              {{"max_output_size", static_cast<int64_t>(most)},
               {"iou_threshold", overlap},
               {"force_suppress", c.Bool("force_suppress")},
               {"top_k", c.Int("top_k")},
               {"coord_start", c.Int("coord_start")},
               {"score_index", c.Int("score_index")},
               {"id_index", c.Int("id_index")},
               {"return_indices", c.Bool("return_indices")},
               {"invalid_to_bottom", c.Bool("invalid_to_bottom")}});
}

absl::StatusOr<Operand> ImportAllClassSuppression(OpCall& c) {
  LATHE_RETURN_IF_ERROR(RequireOneOf(c, "output_format", {"onnx", "tensorflow"}));
  Operands args = c.AllArgs();
  // Relay has scalars where R has tensors of one element.
  for (size_t i = 2; i < args.size(); ++i) args[i] = c.Reshape(args[i], {c.ir().Int(1)});
  return c.Op("relax.vision.all_class_non_max_suppression", args,
              {{"output_format", c.Str("output_format")}});
}

absl::StatusOr<Operand> ImportRegions(OpCall& c) {
  ir::AttrMap attrs = {{"pooled_size", ListOf(c.Ints("pooled_size"))},
                       {"spatial_scale", c.Float("spatial_scale")},
                       {"layout", c.Str("layout")}};
  if (c.op() == "vision.roi_pool") {
    return c.Op("relax.vision.roi_pool", {c.Arg(0), c.Arg(1)}, std::move(attrs));
  }
  attrs["sample_ratio"] = c.Int("sample_ratio");
  attrs["mode"] = c.Str("mode");
  attrs["aligned"] = false;
  return c.Op("relax.vision.roi_align", {c.Arg(0), c.Arg(1)}, std::move(attrs));
}

// Boxes of all sizes at the first ratio and of the first size at the other ratios, centred at each
// element of the image.
absl::StatusOr<Operand> ImportMultiboxPrior(OpCall& c) {
  const Operand x = c.Arg(0);
  LATHE_RETURN_IF_ERROR(RequireRank(c, x, 4, "the data"));
  const std::vector<double> sizes = c.Floats("sizes"), ratios = c.Floats("ratios");
  const std::vector<double> steps = c.Floats("steps"), offsets = c.Floats("offsets");
  if (sizes.empty() || ratios.empty() || steps.size() != 2 || offsets.size() != 2) {
    return c.Error() << "sizes, ratios, steps or offsets of a wrong length";
  }
  const Dims dims = c.DimsOf(x);
  const auto boxes = static_cast<int64_t>(sizes.size() + ratios.size() - 1);
  std::vector<double> factors;  // half of width and height of each box
  for (int64_t k = 0; k < boxes; ++k) {
    const auto at = static_cast<size_t>(k);
    const bool first = at < sizes.size();
    const double size = first ? sizes[at] : sizes[0];
    const double root = first ? 1 : std::sqrt(ratios[at - sizes.size() + 1]);
    factors.push_back(size * root / 2);
    factors.push_back(size / root / 2);
  }
  const Operand table = c.builder().Constant(DType::Float(32), {boxes, 2}, factors);
  ScalarMath& scalar = c.math();
  const PrimRef count = c.Simplify(scalar.Mul(scalar.Mul(dims[2], dims[3]), scalar.Int(boxes)));
  const DType real = DType::Float(32);
  const bool clip = c.Bool("clip");
  return c.Kernel("multibox_prior", {table}, [&](Te& te) {
    ScalarMath& m = te.math();
    const PrimRef height = m.Cast(dims[2], real), width = m.Cast(dims[3], real);
    return te.Compute("out", {m.Int(1), count, m.Int(4)}, real, [&](const Indices& at) {
      const PrimRef box = m.FloorMod(at[1], m.Int(boxes)), cell = m.FloorDiv(at[1], m.Int(boxes));
      const auto centre = [&](size_t axis, PrimRef index, PrimRef size) {
        const PrimRef step =
            steps[axis] > 0 ? m.Const(steps[axis], real) : m.Div(m.Const(1, real), size);
        return m.Mul(m.Add(m.Cast(index, real), m.Const(offsets[axis], real)), step);
      };
      const PrimRef row = centre(0, m.FloorDiv(cell, dims[3]), height);
      const PrimRef column = centre(1, m.FloorMod(cell, dims[3]), width);
      const PrimRef half_width = m.Div(m.Mul(te.At(te.Input(0), {box, m.Int(0)}), height), width);
      const PrimRef half_height = te.At(te.Input(0), {box, m.Int(1)});
      const PrimRef horizontal = m.Eq(m.FloorMod(at[2], m.Int(2)), m.Int(0));
      const PrimRef middle = m.Select(horizontal, column, row);
      const PrimRef half = m.Select(horizontal, half_width, half_height);
      const PrimRef corner =
          m.Select(m.Lt(at[2], m.Int(2)), m.Sub(middle, half), m.Add(middle, half));
      if (!clip) return corner;
      return m.Max(m.Min(corner, m.Const(1, real)), m.Const(0, real));
    });
  });
}

namespace {

absl::Status CheckMultibox(OpCall& c, const Operands& args) {
  LATHE_RETURN_IF_ERROR(RequireOneDType(c, args));
  LATHE_RETURN_IF_ERROR(RequireRank(c, args[0], 3, "the class scores"));
  LATHE_RETURN_IF_ERROR(RequireRank(c, args[1], 2, "the locations"));
  LATHE_RETURN_IF_ERROR(RequireRank(c, args[2], 3, "the anchors"));
  const size_t variances = c.Floats("variances").size();
  if (variances != 4) return c.Error() << "variances has " << variances << " values";
  const PrimRef anchors = c.DimsOf(args[0])[2];
  LATHE_RETURN_IF_ERROR(RequireSize(c, c.DimsOf(args[2])[1], anchors, "the anchors"));
  LATHE_RETURN_IF_ERROR(RequireSize(c, c.DimsOf(args[2])[2], c.ir().Int(4), "an anchor"));
  const PrimRef places = c.Simplify(c.math().Mul(anchors, c.ir().Int(4)));
  return RequireSize(c, c.DimsOf(args[1])[1], places, "the locations");
}

}  // namespace

// (class, score, box) of the anchors whose best class is no background, and their number.
absl::StatusOr<Operand> ImportMultiboxTransformLoc(OpCall& c) {
  const Operands args = {c.Arg(0), c.Arg(1), c.Arg(2)};
  LATHE_RETURN_IF_ERROR(CheckMultibox(c, args));
  const std::vector<double> variances = c.Floats("variances");
  const Dims scores = c.DimsOf(args[0]);
  const PrimRef anchors = scores[2], batch = scores[0];
  const bool keep = c.Bool("keep_background"), clip = c.Bool("clip");
  const DType dtype = c.TypeOf(args[0]), index = DType::Int(32);
  const double threshold = c.Float("threshold");
  return TupleOf(c.Kernels("multibox_transform_loc", args, [&](Te& te) {
    ScalarMath& m = te.math();
    const Dims all = {batch, anchors};
    const int64_t first = keep ? 0 : 1;
    // The best score and its class; class 0 without one.
    const ops::Reducer best = {
        {m.Const(-1, dtype), m.Int(0)}, [&](const Indices& acc, const Indices& v) {
          const PrimRef more = m.Lt(acc[0], v[0]);
          return std::vector<PrimRef>{m.Select(more, v[0], acc[0]), m.Select(more, v[1], acc[1])};
        }};
    const std::vector<ir::BufferRef> found = te.ReduceSeveral(
        {"score", "class"}, all, {m.Sub(scores[1], m.Int(first))}, best,
        [&](const Indices& at, const Indices& r) {
          const PrimRef which = m.Add(r[0], m.Int(first));
          return std::vector<PrimRef>{te.At(te.Input(0), {at[0], which, at[1]}), which};
        });
    const auto class_of = [&](const Indices& at) {
      const PrimRef low = m.Lt(te.At(found[0], at), m.Const(threshold, dtype));
      return m.Select(low, m.Int(0), te.At(found[1], at));
    };
    ir::BufferRef out = te.Compute("out", {batch, anchors, m.Int(6)}, dtype,
                                   [&](const Indices&) { return m.Const(0, dtype); });
    ir::BufferRef count =
        te.Compute("count", {batch}, index, [&](const Indices&) { return m.Const(0, index); });
    te.Run("collect", {batch}, [&](ops::Statements& s, const Indices& row) {
      s.For("anchor", anchors, [&](PrimRef anchor) {
        const Indices here = {row[0], anchor};
        const PrimRef kept = keep ? m.ir().Bool(true) : m.Lt(m.Int(0), class_of(here));
        s.If(kept, [&] {
          const PrimRef place = s.Let("place", m.Cast(te.At(count, {row[0]}), DType::Int(64)));
          const auto store = [&](int64_t field, PrimRef value) {
            s.Store(out, {row[0], place, m.Int(field)}, value);
          };
          const PrimRef id = s.Let("id", class_of(here));
          store(0, m.Cast(keep ? id : m.Sub(id, m.Int(1)), dtype));
          store(1, te.At(found[0], here));
          const auto edge = [&](int64_t k) {
            return te.At(te.Input(2), {m.Int(0), anchor, m.Int(k)});
          };
          const PrimRef two = m.Const(2, dtype);
          for (int64_t axis = 0; axis < 2; ++axis) {
            const auto moved = [&](int64_t k) {
              const PrimRef at = m.Add(m.Mul(anchor, m.Int(4)), m.Int(k));
              const PrimRef variance = m.Const(variances[static_cast<size_t>(k)], dtype);
              return m.Mul(te.At(te.Input(1), {row[0], at}), variance);
            };
            const PrimRef size = m.Sub(edge(axis + 2), edge(axis));
            const PrimRef centre = m.Div(m.Add(edge(axis), edge(axis + 2)), two);
            const PrimRef middle = m.Add(m.Mul(moved(axis), size), centre);
            const PrimRef half = m.Div(m.Mul(m.Call("exp", {moved(axis + 2)}), size), two);
            const auto clipped = [&](PrimRef v) {
              if (!clip) return v;
              return m.Max(m.Const(0, dtype), m.Min(m.Const(1, dtype), v));
            };
            store(2 + axis, clipped(m.Sub(middle, half)));
            store(4 + axis, clipped(m.Add(middle, half)));
          }
          s.Store(count, {row[0]}, m.Cast(m.Add(place, m.Int(1)), index));
        });
      });
    });
    return std::vector<ir::BufferRef>{out, count};
  }));
}

// Darknet's reorganization: the elements of each image in another order, with stride^2 times the
// channels.
absl::StatusOr<Operand> ImportYoloReorg(OpCall& c) {
  const Operand x = c.Arg(0);
  LATHE_RETURN_IF_ERROR(RequireRank(c, x, 4, "the data"));
  const auto sizes = c.Sizes(x);
  if (!sizes) return c.Unsupported() << "sizes that are not constants";
  const int64_t stride = c.Int("stride"), channels = (*sizes)[1];
  constexpr int64_t kMostStride = 1 << 15;
  if (stride < 1 || stride > kMostStride || channels % (stride * stride) != 0 ||
      (*sizes)[2] % stride != 0 || (*sizes)[3] % stride != 0) {
    return c.Error() << "a stride of " << stride << " does not divide the data";
  }
  const Dims dims = c.DimsOf(x);
  const int64_t fewer = channels / (stride * stride);
  const Operand flat = c.Reshape(x, {dims[0], c.Product(dims, 1, 4)});
  const Operand moved = c.Kernel("yolo_reorg", {flat}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", dims, c.TypeOf(x), [&](const Indices& at) {
      const PrimRef block = m.FloorDiv(at[1], m.Int(fewer)), s = m.Int(stride);
      const PrimRef channel = m.Mul(m.FloorMod(at[1], m.Int(fewer)), m.Int(stride * stride));
      const PrimRef row = m.Mul(m.Add(m.Mul(at[2], s), m.FloorDiv(block, s)), s);
      const PrimRef column = m.Add(m.Mul(at[3], s), m.FloorMod(block, s));
      const PrimRef place = m.Add(m.Mul(m.Add(m.Mul(channel, dims[2]), row), dims[3]), column);
      return te.At(te.Input(0), {at[0], place});
    });
  });
  return c.Reshape(moved, c.DimsFrom({(*sizes)[0], channels * stride * stride, (*sizes)[2] / stride,
                                      (*sizes)[3] / stride}));
}

}  // namespace lathe::relay

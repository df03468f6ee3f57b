// Imports CIRCULAR_BUFFER and TFLite_Detection_PostProcess.
#include <cmath>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/custom_options.h"
#include "generator/reader/tflite/ops/graph_import.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/reader/tflite/ops/variables.h"
#include "generator/support/status.h"

namespace lathe::tflite {

// Keeps the last slots: the result moves by one and gets the input as its last slot.
absl::StatusOr<Results> ImportCircularBuffer(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const CustomOptions options, CustomOptionsOf(c));
  const std::vector<int64_t>&in = c.In(0).shape, &out = c.Out().shape;
  if (in.size() != 4 || out.size() != 4 || in[0] != 1 || in[1] != 1 || out[0] != 1 ||
      in[2] != out[2] || in[3] != out[3] || c.In(0).type != c.Out().type) {
    return c.Error() << "data of [1, 1, a, b] become [1, n, a, b] of one type";
  }
  int64_t cycles = options.Int("cycles_max");
  // TFLM guesses from the number of slots.
  if (cycles <= 0) cycles = out[1] == 5 || out[1] == 13 || out[1] == 25 ? 1 : 2;
  if (cycles > 1) {
    return c.Unsupported() << "CIRCULAR_BUFFER that ends runs early (every " << cycles
                           << " runs continue); one that never does is supported";
  }
  const std::string key = c.Out().is_variable ? TensorKey(c.graph().index(), c.node().outputs[0])
                                              : c.graph().OperatorKey(c.node());
  Operand& state = c.graph().model().variables[key];
  const int64_t slots = out[1];
  const Operand made = c.Kernel("append_slot", {state, c.Arg(0)}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", c.DimsFrom(out), c.TypeOf(c.Arg(0)), [&](const Indices& at) {
      const PrimRef next = m.Min(m.Add(at[1], m.Int(1)), m.Int(slots - 1));
      return m.Select(m.Lt(at[1], m.Int(slots - 1)),
                      te.At(te.Input(0), {at[0], next, at[2], at[3]}),
                      te.At(te.Input(1), {at[0], m.Int(0), at[2], at[3]}));
    });
  });
  state = made;
  return made;
}

namespace {

struct DetectionForm {
  int64_t boxes = 0, classes = 0, offset = 0, most = 0, per_class = 0;
  float score = 0, iou = 0;
};

// An input as real numbers.
absl::StatusOr<Operand> RealInput(OpCall& c, int i) {
  if (c.TypeOf(c.Arg(i)) == kReal) return c.Arg(i);
  if (!IsSmallInteger(c.TypeOf(c.Arg(i))) || !c.IsQuantized(i)) {
    return c.Unsupported() << c.op() << " of " << TypeName(c.In(i).type)
                           << "; float32 and quantized integers are supported";
  }
  const Affine affine = c.InAffine(i);
  return c.Elementwise(
      "dequantize", {c.Arg(i)},
      [&](ScalarMath& m, const Scalars& v) {
        return m.Mul(m.Cast(Shifted(m, v[0], affine.zero), kReal), m.Const(affine.scale, kReal));
      },
      kReal);
}

// The corners of each box, from its distance to an anchor. Computed in double, as TFLM does.
Operand DecodedBoxes(OpCall& c, const CustomOptions& options, const Operand& codes,
                     const Operand& anchors, int64_t boxes) {
  const DType exact = DType::Float(64);
  const auto scale = [&](const char* name) {
    return double{static_cast<float>(options.Float(name))};
  };
  return c.Kernel("decode_boxes", {codes, anchors}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("boxes", c.DimsFrom({boxes, 4}), kReal, [&](const Indices& at) {
      const auto code = [&](int64_t k) {
        return m.Cast(te.At(te.Input(0), {m.Int(0), at[0], m.Int(k)}), exact);
      };
      const auto anchor = [&](int64_t k) {
        return m.Cast(te.At(te.Input(1), {at[0], m.Int(k)}), exact);
      };
      const auto corner = [&](int64_t axis, const char* place, const char* size, double sign) {
        const PrimRef centre = m.Add(
            m.Mul(m.Div(code(axis), m.Const(scale(place), exact)), anchor(axis + 2)), anchor(axis));
        const PrimRef growth = m.Call("exp", {m.Div(code(axis + 2), m.Const(scale(size), exact))});
        const PrimRef half = m.Mul(m.Mul(m.Const(0.5, exact), growth), anchor(axis + 2));
        return m.Cast(sign < 0 ? m.Sub(centre, half) : m.Add(centre, half), kReal);
      };
      const PrimRef low = m.Select(m.Eq(at[1], m.Int(0)), corner(0, "y_scale", "h_scale", -1),
                                   corner(1, "x_scale", "w_scale", -1));
      const PrimRef high = m.Select(m.Eq(at[1], m.Int(2)), corner(0, "y_scale", "h_scale", 1),
                                    corner(1, "x_scale", "w_scale", 1));
      return m.Select(m.Lt(at[1], m.Int(2)), low, high);
    });
  });
}

// The class with the highest score of each box, and that score.
Operands BestClasses(OpCall& c, const DetectionForm& f, const Operand& scores) {
  const ops::Dims boxes = c.DimsFrom({f.boxes});
  return c.Kernels("best_class", {scores}, [&](Te& te) {
    ScalarMath& m = te.math();
    const BufferRef score = te.Allocate("score", boxes, kReal);
    const BufferRef best = te.Allocate("class", boxes, kReal);
    te.Run("boxes", boxes, [&](ops::Statements& s, const Indices& at) {
      const auto of = [&](PrimRef k) {
        return te.At(te.Input(0), {m.Int(0), at[0], m.Add(k, m.Int(f.offset))});
      };
      s.Store(score, at, of(m.Int(0)));
      s.Store(best, at, m.Const(0, kReal));
      s.For("k", m.Int(f.classes), [&](PrimRef k) {
        s.If(m.Lt(te.At(score, at), of(k)), [&] {
          s.Store(score, at, of(k));
          s.Store(best, at, m.Cast(k, kReal));
        });
      });
    });
    return std::vector<BufferRef>{score, best};
  });
}

// Takes boxes in the order of their scores, unless they overlap a box that was taken.
std::vector<BufferRef> Suppress(OpCall& c, Te& te, const DetectionForm& f) {
  ScalarMath& m = te.math();
  const ops::Dims most = c.DimsFrom({f.most});
  const BufferRef boxes = te.Allocate("boxes", c.DimsFrom({f.most, 4}), kReal);
  const BufferRef classes = te.Allocate("classes", most, kReal);
  const BufferRef scores = te.Allocate("scores", most, kReal);
  const BufferRef count = te.Allocate("count", c.DimsFrom({1}), kReal);
  const BufferRef open = te.Allocate("open", c.DimsFrom({f.boxes}), DType::Bool());
  const BufferRef best = te.Allocate("best", {}, kWide), taken = te.Allocate("taken", {}, kWide);
  const auto value = [&](BufferRef b) { return te.At(b, {}); };
  const auto box = [&](PrimRef i, int64_t k) { return te.At(te.Input(0), {i, m.Int(k)}); };
  const auto area = [&](PrimRef i) {
    return m.Mul(m.Sub(box(i, 2), box(i, 0)), m.Sub(box(i, 3), box(i, 1)));
  };
  const auto overlap = [&](PrimRef i, PrimRef j) {
    const auto side = [&](int64_t k) {
      return m.Max(m.Sub(m.Min(box(i, k + 2), box(j, k + 2)), m.Max(box(i, k), box(j, k))),
                   m.Const(0, kReal));
    };
    const PrimRef shared = m.Mul(side(0), side(1));
    const PrimRef whole = m.Sub(m.Add(area(i), area(j)), shared);
    const PrimRef zero = m.Const(0, kReal);
    const PrimRef empty = m.Or(m.Le(area(i), zero), m.Le(area(j), zero));
    return m.Select(empty, zero, m.Div(shared, whole));
  };
  te.Run("select", {}, [&](ops::Statements& s, const Indices&) {
    s.For("i", m.Int(f.boxes), [&](PrimRef i) {
      s.Store(open, {i}, m.Le(m.Const(f.score, kReal), te.At(te.Input(1), {i})));
    });
    s.Store(taken, {}, m.Int(0));
    s.For("k", m.Int(f.most), [&](PrimRef k) {
      s.Store(scores, {k}, m.Const(0, kReal));
      s.Store(classes, {k}, m.Const(0, kReal));
      for (int64_t e = 0; e < 4; ++e) s.Store(boxes, {k, m.Int(e)}, m.Const(0, kReal));
      s.Store(best, {}, m.Int(-1));
      s.For("i", m.Int(f.boxes), [&](PrimRef i) {
        const PrimRef safe = m.Max(value(best), m.Int(0));
        const PrimRef higher = m.Or(m.Lt(value(best), m.Int(0)),
                                    m.Lt(te.At(te.Input(1), {safe}), te.At(te.Input(1), {i})));
        s.If(m.And(te.At(open, {i}), higher), [&] { s.Store(best, {}, i); });
      });
      s.If(m.Le(m.Int(0), value(best)), [&] {
        const PrimRef chosen =
            s.Let("chosen", m.Min(m.Max(value(best), m.Int(0)), m.Int(f.boxes - 1)));
        s.Store(scores, {k}, te.At(te.Input(1), {chosen}));
        s.Store(classes, {k}, te.At(te.Input(2), {chosen}));
        for (int64_t e = 0; e < 4; ++e) s.Store(boxes, {k, m.Int(e)}, box(chosen, e));
        s.Store(taken, {}, m.Add(value(taken), m.Int(1)));
        s.For("i", m.Int(f.boxes), [&](PrimRef i) {
          const PrimRef gone =
              m.Or(m.Eq(i, chosen), m.Lt(m.Const(f.iou, kReal), overlap(chosen, i)));
          s.If(gone, [&] { s.Store(open, {i}, m.Const(0, DType::Bool())); });
        });
      });
    });
    s.Store(count, {m.Int(0)}, m.Cast(value(taken), kReal));
  });
  return {boxes, classes, scores, count};
}

}  // namespace

absl::StatusOr<Results> ImportDetections(OpCall& c) {
  LATHE_ASSIGN_OR_RETURN(const CustomOptions options, CustomOptionsOf(c));
  LATHE_ASSIGN_OR_RETURN(const Operand codes, RealInput(c, 0));
  LATHE_ASSIGN_OR_RETURN(const Operand class_scores, RealInput(c, 1));
  LATHE_ASSIGN_OR_RETURN(const Operand anchors, RealInput(c, 2));
  const std::vector<int64_t>&boxes = c.In(0).shape, &scores = c.In(1).shape;
  DetectionForm f;
  f.classes = options.Int("num_classes");
  f.most = options.Int("max_detections");
  f.score = static_cast<float>(options.Float("nms_score_threshold"));
  f.iou = static_cast<float>(options.Float("nms_iou_threshold"));
  if (boxes.size() != 3 || scores.size() != 3 || boxes[0] != 1 || scores[0] != 1 || boxes[2] < 4 ||
      scores[1] != boxes[1] || c.In(2).shape != std::vector<int64_t>{boxes[1], 4}) {
    return c.Error() << "boxes, scores and anchors do not have the shapes [1, n, 4], [1, n, c] and "
                        "[n, 4]";
  }
  f.boxes = boxes[1];
  f.offset = scores[2] - f.classes;
  if (f.boxes == 0 || f.classes <= 0 || f.most <= 0 || f.offset < 0 || f.offset > 1) {
    return c.Error() << "it has " << f.classes << " classes and " << scores[2] << " scores per box";
  }
  if (options.Int("use_regular_nms") != 0 || options.Int("max_classes_per_detection", 1) > 1) {
    return c.Unsupported() << "a suppression per class, or several classes per box; supported is "
                              "the fast one with one class per box";
  }
  const Operand corners = DecodedBoxes(c, options, codes, anchors, f.boxes);
  const Operands best = BestClasses(c, f, class_scores);
  const Operands made = c.Kernels("suppress", {corners, best[0], best[1]},
                                  [&](Te& te) { return Suppress(c, te, f); });
  return made;
}

}  // namespace lathe::tflite

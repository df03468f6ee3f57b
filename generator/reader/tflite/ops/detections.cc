// Imports TFLite_Detection_PostProcess: boxes from their distances to anchors, without those that
// overlap better ones.
#include <algorithm>
#include <cmath>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/custom_options.h"
#include "generator/reader/tflite/ops/graph_import.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/support/status.h"

namespace lathe::tflite {

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
  return Dequantized(c, i);
}

// The corners of each box, from its distance to an anchor. Centre and size are computed in double,
// as TFLM does, and the corners in float.
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
        const PrimRef from = m.Cast(centre, kReal), by = m.Cast(half, kReal);
        return sign < 0 ? m.Sub(from, by) : m.Add(from, by);
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

// The part of two boxes of input 0 that they share.
PrimRef Overlap(Te& te, PrimRef i, PrimRef j) {
  ScalarMath& m = te.math();
  const PrimRef zero = m.Const(0, kReal);
  const auto box = [&](PrimRef b, int64_t k) { return te.At(te.Input(0), {b, m.Int(k)}); };
  const auto area = [&](PrimRef b) {
    return m.Mul(m.Sub(box(b, 2), box(b, 0)), m.Sub(box(b, 3), box(b, 1)));
  };
  const auto side = [&](int64_t k) {
    return m.Max(m.Sub(m.Min(box(i, k + 2), box(j, k + 2)), m.Max(box(i, k), box(j, k))), zero);
  };
  const PrimRef shared = m.Mul(side(0), side(1));
  const PrimRef whole = m.Sub(m.Add(area(i), area(j)), shared);
  const PrimRef empty = m.Or(m.Le(area(i), zero), m.Le(area(j), zero));
  return m.Select(empty, zero, m.Div(shared, whole));
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
              m.Or(m.Eq(i, chosen), m.Lt(m.Const(f.iou, kReal), Overlap(te, chosen, i)));
          s.If(gone, [&] { s.Store(open, {i}, m.Const(0, DType::Bool())); });
        });
      });
    });
    s.Store(count, {m.Int(0)}, m.Cast(value(taken), kReal));
  });
  return {boxes, classes, scores, count};
}

// The same for each class of its own, with the scores of all classes in input 1. The best boxes of
// all classes are the results; of equal scores, the lower class is first.
class SuppressionPerClass {
 public:
  SuppressionPerClass(OpCall& c, Te& te, const DetectionForm& f)
      : c_(c), te_(te), m_(te.math()), f_(f) {}

  std::vector<BufferRef> Write() {
    const ops::Dims most = c_.DimsFrom({f_.most});
    boxes_ = te_.Allocate("boxes", c_.DimsFrom({f_.most, 4}), kReal);
    classes_ = te_.Allocate("classes", most, kReal);
    scores_ = te_.Allocate("scores", most, kReal);
    const BufferRef count = te_.Allocate("count", c_.DimsFrom({1}), kReal);
    open_ = te_.Allocate("open", c_.DimsFrom({f_.boxes}), DType::Bool());
    best_ = te_.Allocate("best", {}, kWide);
    taken_ = te_.Allocate("taken", {}, kWide);
    place_ = te_.Allocate("place", {}, kWide);
    te_.Run("select", {}, [&](ops::Statements& s, const Indices&) {
      s.Store(taken_, {}, m_.Int(0));
      s.For("k", m_.Int(f_.most), [&](PrimRef k) { StoreAt(s, k, Zeros()); });
      s.For("class", m_.Int(f_.classes), [&](PrimRef k) { Select(s, k); });
      s.Store(count, {m_.Int(0)}, m_.Cast(Value(taken_), kReal));
    });
    return {boxes_, classes_, scores_, count};
  }

 private:
  struct Detection {
    PrimRef score, number;
    std::vector<PrimRef> corners;
  };
  PrimRef Value(BufferRef b) { return te_.At(b, {}); }
  PrimRef Score(PrimRef k, PrimRef i) {
    return te_.At(te_.Input(1), {m_.Int(0), i, m_.Add(k, m_.Int(f_.offset))});
  }
  Detection Zeros() {
    const PrimRef zero = m_.Const(0, kReal);
    return {zero, zero, {zero, zero, zero, zero}};
  }
  void StoreAt(ops::Statements& s, PrimRef place, const Detection& d) {
    s.Store(scores_, {place}, d.score);
    s.Store(classes_, {place}, d.number);
    for (int64_t e = 0; e < 4; ++e) {
      s.Store(boxes_, {place, m_.Int(e)}, d.corners[static_cast<size_t>(e)]);
    }
  }
  Detection At(PrimRef place) {
    Detection d{te_.At(scores_, {place}), te_.At(classes_, {place}), {}};
    for (int64_t e = 0; e < 4; ++e) d.corners.push_back(te_.At(boxes_, {place, m_.Int(e)}));
    return d;
  }

  // Takes boxes of one class.
  void Select(ops::Statements& s, PrimRef k) {
    s.For("i", m_.Int(f_.boxes),
          [&](PrimRef i) { s.Store(open_, {i}, m_.Le(m_.Const(f_.score, kReal), Score(k, i))); });
    s.For("t", m_.Int(std::min(f_.per_class, f_.boxes)), [&](PrimRef) {
      s.Store(best_, {}, m_.Int(-1));
      s.For("i", m_.Int(f_.boxes), [&](PrimRef i) {
        const PrimRef safe = m_.Max(Value(best_), m_.Int(0));
        const PrimRef higher =
            m_.Or(m_.Lt(Value(best_), m_.Int(0)), m_.Lt(Score(k, safe), Score(k, i)));
        s.If(m_.And(te_.At(open_, {i}), higher), [&] { s.Store(best_, {}, i); });
      });
      s.If(m_.Le(m_.Int(0), Value(best_)), [&] {
        const PrimRef chosen =
            s.Let("chosen", m_.Min(m_.Max(Value(best_), m_.Int(0)), m_.Int(f_.boxes - 1)));
        Insert(s, k, chosen);
        s.For("i", m_.Int(f_.boxes), [&](PrimRef i) {
          const PrimRef gone =
              m_.Or(m_.Eq(i, chosen), m_.Lt(m_.Const(f_.iou, kReal), Overlap(te_, chosen, i)));
          s.If(gone, [&] { s.Store(open_, {i}, m_.Const(0, DType::Bool())); });
        });
      });
    });
  }

  // Puts a box behind all with its score or a higher one.
  void Insert(ops::Statements& s, PrimRef k, PrimRef chosen) {
    const PrimRef score = s.Let("score", Score(k, chosen));
    s.Store(place_, {}, m_.Int(0));
    s.For("p", m_.Int(f_.most), [&](PrimRef p) {
      const PrimRef before = m_.And(m_.Lt(p, Value(taken_)), m_.Le(score, te_.At(scores_, {p})));
      s.If(before, [&] { s.Store(place_, {}, m_.Add(p, m_.Int(1))); });
    });
    s.If(m_.Lt(Value(place_), m_.Int(f_.most)), [&] {
      const PrimRef place =
          s.Let("at", m_.Min(m_.Max(Value(place_), m_.Int(0)), m_.Int(f_.most - 1)));
      if (f_.most > 1)
        s.For("p", m_.Int(f_.most - 1), [&](PrimRef p) {
          const PrimRef to = m_.Sub(m_.Int(f_.most - 1), p), from = m_.Sub(to, m_.Int(1));
          s.If(m_.Lt(place, to), [&] { StoreAt(s, to, At(from)); });
        });
      Detection found{score, m_.Cast(k, kReal), {}};
      for (int64_t e = 0; e < 4; ++e) {
        found.corners.push_back(te_.At(te_.Input(0), {chosen, m_.Int(e)}));
      }
      StoreAt(s, place, found);
      s.Store(taken_, {}, m_.Min(m_.Add(Value(taken_), m_.Int(1)), m_.Int(f_.most)));
    });
  }

  OpCall& c_;
  Te& te_;
  ScalarMath& m_;
  const DetectionForm& f_;
  BufferRef boxes_ = nullptr, classes_ = nullptr, scores_ = nullptr, open_ = nullptr;
  BufferRef best_ = nullptr, taken_ = nullptr, place_ = nullptr;
};

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
  const Operand corners = DecodedBoxes(c, options, codes, anchors, f.boxes);
  if (options.Int("use_regular_nms") != 0) {
    f.per_class = options.Int("detections_per_class", 100);
    if (f.per_class <= 0) return c.Error() << "it takes " << f.per_class << " boxes of each class";
    const Operands found = c.Kernels("suppress", {corners, class_scores},
                                     [&](Te& te) { return SuppressionPerClass(c, te, f).Write(); });
    return found;
  }
  if (options.Int("max_classes_per_detection", 1) > 1) {
    return c.Unsupported() << "several classes per box; supported are one class per box, and a "
                              "suppression per class";
  }
  const Operands best = BestClasses(c, f, class_scores);
  const Operands made = c.Kernels("suppress", {corners, best[0], best[1]},
                                  [&](Te& te) { return Suppress(c, te, f); });
  return made;
}

}  // namespace lathe::tflite

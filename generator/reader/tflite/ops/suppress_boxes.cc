// Imports NON_MAX_SUPPRESSION_V4 and V5.
#include <utility>

#include "generator/ops/choose_boxes.h"
#include "generator/ops/te/ranks.h"
#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

enum Input { kBoxes, kScores, kLimit, kOverlap, kScore, kSigma };

ops::BoxChoice ChoiceOf(OpCall& c, Te& te, double sigma) {
  ScalarMath& m = te.math();
  const BufferRef boxes = te.Input(kBoxes), scores = te.Input(kScores);
  ops::BoxChoice choice;
  choice.rows = {m.Int(1)};
  choice.all = scores->shape;
  choice.items = ops::SortByRank(te, ops::Ranks(te, scores, 1, true));
  choice.scores = te.Compute("sorted", choice.all, kReal, [&](const Indices& at) {
    return te.At(scores, {at[0], te.At(choice.items, at)});
  });
  choice.score_threshold = te.At(te.Input(kScore), {});
  choice.open = te.Compute("open", choice.all, DType::Bool(), [&](const Indices& at) {
    return m.Lt(choice.score_threshold, te.At(choice.scores, at));
  });
  // The result has room for as many boxes as its declared shape says.
  const PrimRef room = m.Int(c.Out().shape[0]);
  choice.limit = m.Max(m.Int(0), m.Min(room, m.Cast(te.At(te.Input(kLimit), {}), kWide)));
  choice.overlap_threshold = te.At(te.Input(kOverlap), {});
  choice.overlap = [&te, boxes](ops::Statements& s, const Indices&, PrimRef a, PrimRef b) {
    const auto corner = [&](PrimRef box) {
      return [&te, boxes, box](int i) { return te.At(boxes, {box, te.math().Int(i)}); };
    };
    return ops::Overlap(s, te.math(), corner(a), corner(b));
  };
  if (sigma > 0) choice.decay = -0.5 / sigma;
  return choice;
}

// The indices of the chosen boxes, their scores, and their number. What remains is 0.
absl::StatusOr<Results> Suppression(OpCall& c, bool with_scores) {
  const std::vector<int64_t>&boxes = c.In(0).shape, &scores = c.In(1).shape;
  if (boxes.size() != 2 || boxes[1] != 4 || scores != std::vector<int64_t>{boxes[0]} ||
      c.Out().shape.size() != 1 || c.TypeOf(c.Arg(0)) != kReal || c.TypeOf(c.Arg(1)) != kReal) {
    return c.Error() << "boxes must be [N, 4] and scores [N], of float32";
  }
  double sigma = 0;
  if (with_scores) {
    const auto written = c.ConstantNumbers(kSigma);
    if (!written || written->size() != 1) {
      return c.Unsupported() << c.op() << " with a sigma that is not known at compile time";
    }
    sigma = (*written)[0];
  }
  Operands args = {c.Arg(0), c.Reshape(c.Arg(1), c.DimsFrom({1, boxes[0]}))};
  for (const int i : {kLimit, kOverlap, kScore}) args.push_back(c.Reshape(c.Arg(i), {}));
  return c.Kernels("suppress_boxes", args, [&](Te& te) {
    ScalarMath& m = te.math();
    const ops::BoxChoice choice = ChoiceOf(c, te, sigma);
    const BufferRef count = ops::ChooseBoxes(te, choice);
    // Of a place without a box, the last element is read and not used.
    const auto chosen = [&](BufferRef from, const Indices& at, DType dtype) {
      const PrimRef here = m.Lt(at[0], te.At(count, {m.Int(0)}));
      const PrimRef place = m.Min(at[0], m.Int(boxes[0] - 1));
      return m.IfThenElse(here, m.Cast(te.At(from, {m.Int(0), place}), dtype), m.Const(0, dtype));
    };
    std::vector<BufferRef> made;
    made.push_back(te.Compute("chosen", c.OutDims(), kWhole,
                              [&](const Indices& at) { return chosen(choice.items, at, kWhole); }));
    if (with_scores) {
      made.push_back(te.Compute("scores", c.OutDims(), kReal, [&](const Indices& at) {
        return chosen(choice.scores, at, kReal);
      }));
    }
    made.push_back(te.Compute("number", {}, kWhole, [&](const Indices&) {
      return m.Cast(te.At(count, {m.Int(0)}), kWhole);
    }));
    return made;
  });
}

}  // namespace

absl::StatusOr<Results> ImportNonMaxSuppressionV4(OpCall& c) { return Suppression(c, false); }
absl::StatusOr<Results> ImportNonMaxSuppressionV5(OpCall& c) { return Suppression(c, true); }

}  // namespace lathe::tflite

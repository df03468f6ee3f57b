// Computes the boxes of object detectors as loop nests: multibox_transform_loc, get_valid_counts.
#include <vector>

#include "generator/ops/args/attributes.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/te/te.h"
#include "generator/support/status.h"

namespace lathe::ops {

// Boxes as (top, left, bottom, right), each moved and scaled from its anchor as predicted. Class
// probabilities by softmax; those below the threshold become 0.
absl::StatusOr<ir::PrimFunc> ComputeMultiboxTransformLoc(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  ir::BufferRef classes = te.Input(0), places = te.Input(1), anchors = te.Input(2);
  const DType dtype = classes->dtype;
  const auto number = [&](double value) { return m.Const(value, dtype); };
  const std::vector<double> variances = FloatsAttr(call, "variances");
  const bool clip = FindBool(call, "clip");
  // Axis 0 is across, 1 is down; `end` is right or bottom.
  const auto edge = [&](const Indices& at, int axis, bool end) {
    const PrimRef first = te.At(anchors, {m.Int(0), at[1], m.Int(axis)});
    const PrimRef last = te.At(anchors, {m.Int(0), at[1], m.Int(axis + 2)});
    const auto predicted = [&](int i) {
      return te.At(places, {at[0], m.Add(m.Mul(at[1], m.Int(4)), m.Int(i))});
    };
    const PrimRef length = m.Sub(last, first);
    const PrimRef middle = m.Mul(m.Add(first, last), number(0.5));
    const PrimRef moved =
        m.Add(m.Mul(m.Mul(predicted(axis), number(variances[axis])), length), middle);
    const PrimRef stretch =
        m.Call("exp", {m.Mul(predicted(axis + 2), number(variances[axis + 2]))});
    const PrimRef half = m.Mul(m.Mul(number(0.5), stretch), length);
    const PrimRef place = end ? m.Add(moved, half) : m.Sub(moved, half);
    return clip ? m.Max(number(0), m.Min(number(1), place)) : place;
  };
  ir::BufferRef boxes = te.Compute("boxes", te.result_dims(0), dtype, [&](const Indices& at) {
    const auto is = [&](int i) { return m.Eq(at[2], m.Int(i)); };
    return m.Select(
        is(0), edge(at, 1, false),
        m.Select(is(1), edge(at, 0, false), m.Select(is(2), edge(at, 1, true), edge(at, 0, true))));
  });
  // Since 0.27 scores may be given; without the attribute they are made of the classes.
  const bool* softmax = ir::FindAttr<bool>(call.attrs, "apply_softmax");
  const PrimRef threshold = number(FloatAttr(call, "threshold"));
  const bool background = FindBool(call, "keep_background");
  const auto kept = [&](const Indices& at, PrimRef score) {
    PrimRef keeps = m.Le(threshold, score);
    if (!background) keeps = m.And(keeps, m.Ne(at[1], m.Int(0)));
    return m.Select(keeps, score, number(0));
  };
  if (softmax != nullptr && !*softmax) {
    ir::BufferRef given = te.Compute("scores", classes->shape, dtype, [&](const Indices& at) {
      return kept(at, te.At(classes, at));
    });
    return te.Finish({boxes, given});
  }
  const Dims each = {classes->shape[0], classes->shape[2]};
  ir::BufferRef largest = te.Reduce("largest", each, {classes->shape[1]}, te.Max(dtype),
                                    [&](const Indices& at, const Indices& r) {
                                      return te.At(classes, {at[0], r[0], at[1]});
                                    });
  const auto power = [&](const Indices& at) {
    return m.Call("exp", {m.Sub(te.At(classes, at), te.At(largest, {at[0], at[2]}))});
  };
  ir::BufferRef sum = te.Reduce("sum", each, {classes->shape[1]}, te.Sum(dtype),
                                [&](const Indices& at, const Indices& r) {
                                  return power({at[0], r[0], at[1]});
                                });
  ir::BufferRef scores = te.Compute("scores", classes->shape, dtype, [&](const Indices& at) {
    return kept(at, m.Div(power(at), te.At(sum, {at[0], at[2]})));
  });
  return te.Finish({boxes, scores});
}

// Moves the boxes above the threshold to the front, in order, and fills the rest with -1.
absl::StatusOr<ir::PrimFunc> ComputeValidCounts(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  ir::BufferRef data = te.Input(0);
  const int64_t id = IntAttr(call, "id_index"), score = IntAttr(call, "score_index");
  const PrimRef threshold = m.Const(FloatAttr(call, "score_threshold"), data->dtype);
  const Dims each = {data->shape[0], data->shape[1]};
  const auto valid = [&](PrimRef batch, PrimRef box) {
    const auto column = [&](int64_t i) { return te.At(data, {batch, box, m.Int(i)}); };
    const PrimRef passes = m.Lt(threshold, column(score));
    return id < 0 ? passes : m.And(passes, m.Le(m.Const(0, data->dtype), column(id)));
  };
  const DType count_dtype = te.result_dtype(0), index_dtype = te.result_dtype(2);
  ir::BufferRef count = te.Reduce(
      "count", {each[0]}, {each[1]}, te.Sum(count_dtype),
      [&](const Indices& at, const Indices& r) { return m.Cast(valid(at[0], r[0]), count_dtype); });
  // The number of valid boxes up to and including each box.
  ir::BufferRef so_far = te.Scan("so_far", each, 1, te.Sum(DType::Int(64)), [&](const Indices& at) {
    return m.Cast(valid(at[0], at[1]), DType::Int(64));
  });
  // The box that moves to a position: the first one with that many valid boxes up to and including
  // it.
  ir::BufferRef from = te.Reduce(
      "from", each, {each[1]}, te.Sum(DType::Int(64)), [&](const Indices& at, const Indices& r) {
        return m.Cast(m.Le(te.At(so_far, {at[0], r[0]}), at[1]), DType::Int(64));
      });
  const auto filled = [&](const Indices& at) {
    return m.Lt(at[1], m.Cast(te.At(count, {at[0]}), DType::Int(64)));
  };
  const auto box = [&](const Indices& at) {
    return m.Min(te.At(from, {at[0], at[1]}), m.Sub(each[1], m.Int(1)));
  };
  ir::BufferRef boxes = te.Compute("boxes", data->shape, data->dtype, [&](const Indices& at) {
    return m.Select(filled(at), te.At(data, {at[0], box(at), at[2]}), m.Const(-1, data->dtype));
  });
  ir::BufferRef indices = te.Compute("indices", each, index_dtype, [&](const Indices& at) {
    return m.Select(filled(at), m.Cast(box(at), index_dtype), m.Const(-1, index_dtype));
  });
  return te.Finish({count, boxes, indices});
}

}  // namespace lathe::ops

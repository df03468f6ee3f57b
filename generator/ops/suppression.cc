// Implements non_max_suppression and all_class_non_max_suppression as loop nests.
#include <utility>
#include <vector>

#include "generator/ops/args/attributes.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/choose_boxes.h"
#include "generator/ops/te/ranks.h"
#include "generator/ops/te/te.h"
#include "generator/support/status.h"

namespace lathe::ops {

namespace {

// The columns of the corners of a box.
auto OverlapAt(Te& te, BufferRef boxes, int64_t corners) {
  return [&te, boxes, corners](Statements& s, const Indices& row, PrimRef a, PrimRef b) {
    const auto box = [&](PrimRef i) {
      return [&te, boxes, corners, batch = row[0], i](int k) {
        return te.At(boxes, {batch, i, te.math().Int(corners + k)});
      };
    };
    return Overlap(s, te.math(), box(a), box(b));
  };
}

// The number in a tensor of rank 0 or of one element.
PrimRef Only(Te& te, int arg) {
  BufferRef x = te.Input(arg);
  return te.At(x, Indices(x->shape.size(), te.math().Int(0)));
}

}  // namespace

// Of each batch, the first valid_count boxes, at most top_k of them, with a score above the
// threshold take part. The threshold is 0 except for soft suppression, where overlapping boxes lose
// score.
absl::StatusOr<ir::PrimFunc> ComputeNonMaxSuppression(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  BufferRef data = te.Input(0), valid = te.Input(1), indices = te.Input(2);
  const DType dtype = data->dtype, i64 = DType::Int(64);
  const Dims all = {data->shape[0], data->shape[1]};
  const PrimRef score_column = m.Int(FindInt(call, "score_index").value_or(1));
  const double sigma = FindFloat(call, "soft_nms_sigma").value_or(0);
  const bool soft = sigma > 0;
  BufferRef keys = te.Compute("key", all, dtype, [&](const Indices& at) {
    const PrimRef score = te.At(data, {at[0], at[1], score_column});
    const PrimRef takes_part = m.Lt(at[1], m.Cast(te.At(valid, {at[0]}), i64));
    return m.Select(m.And(takes_part, m.Eq(score, score)), score, m.Lowest(dtype));
  });
  BufferRef ranks = Ranks(te, keys, 1, true);
  BoxChoice choice;
  choice.rows = {all[0]};
  choice.all = all;
  choice.items = SortByRank(te, ranks);
  choice.scores = te.Compute("scores", all, dtype, [&](const Indices& at) {
    return te.At(data, {at[0], te.At(choice.items, at), score_column});
  });
  choice.score_threshold =
      m.Const(soft ? FindFloat(call, "score_threshold").value_or(0) : 0, dtype);
  const int64_t top = FindInt(call, "top_k").value_or(-1);
  choice.open = te.Compute("open", all, DType::Bool(), [&](const Indices& at) {
    PrimRef most = m.Cast(te.At(valid, {at[0]}), i64);
    if (top > 0) most = m.Min(most, m.Int(top));
    return m.And(m.Lt(at[1], most), m.Lt(choice.score_threshold, te.At(choice.scores, at)));
  });
  const int64_t limit = FindInt(call, "max_output_size").value_or(-1);
  if (limit > 0) choice.limit = m.Int(limit);
  choice.overlap = OverlapAt(te, data, FindInt(call, "coord_start").value_or(2));
  choice.overlap_threshold = m.Const(FindFloat(call, "iou_threshold").value_or(0.5), dtype);
  const int64_t id = FindInt(call, "id_index").value_or(0);
  if (id >= 0 && !FindBool(call, "force_suppress")) {
    choice.rivals = [&](const Indices& row, PrimRef a, PrimRef b) {
      return m.Eq(te.At(data, {row[0], a, m.Int(id)}), te.At(data, {row[0], b, m.Int(id)}));
    };
  }
  if (soft) choice.decay = -0.5 / sigma;
  BufferRef count = ChooseBoxes(te, choice);
  const auto chosen = [&](const Indices& at) { return m.Lt(at[1], te.At(count, {at[0]})); };
  const auto number = [&](const Indices& at) {
    const PrimRef item = te.At(choice.items, {at[0], at[1]});
    const PrimRef value = te.At(data, {at[0], item, at[2]});
    const PrimRef now =
        soft ? m.Select(m.Eq(at[2], score_column), te.At(choice.scores, {at[0], at[1]}), value)
             : value;
    return m.Select(chosen(at), now, m.Const(-1, dtype));
  };
  std::vector<BufferRef> outputs;
  const bool positions = FindBool(call, "return_indices");
  if (!positions && !soft && !FindBool(call, "invalid_to_bottom")) {
    // Boxes keep the order of scores.
    outputs.push_back(te.Allocate("boxes", data->shape, dtype));
    te.Assign("boxes", outputs[0], data->shape, [&](const Indices& at) {
      const PrimRef item = te.At(choice.items, {at[0], at[1]});
      return Te::Store{{at[0], te.At(ranks, {at[0], item}), at[2]}, number(at)};
    });
  } else if (!positions || soft) {
    outputs.push_back(te.Compute("boxes", data->shape, dtype, number));
  }
  if (positions) {
    outputs.push_back(te.Compute("kept", all, indices->dtype, [&](const Indices& at) {
      const PrimRef item = te.At(choice.items, at);
      return m.Select(chosen(at), te.At(indices, {at[0], item}), m.Const(-1, indices->dtype));
    }));
    outputs.push_back(te.Compute("counts", {all[0], m.Int(1)}, DType::Int(32),
                                 [&](const Indices& at) { return te.At(count, {at[0]}); }));
  }
  return te.Finish(outputs);
}

// Chooses boxes for each class of each batch. Rows of the result after the chosen ones are 0. As in
// TVM, boxes that overlap exactly as much as the threshold are suppressed, and a threshold of 0
// chooses none. Unlike in TVM, negative scores are valid.
absl::StatusOr<ir::PrimFunc> ComputeAllClassSuppression(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  BufferRef boxes = te.Input(0), scores = te.Input(1);
  const DType dtype = scores->dtype, i64 = DType::Int(64);
  BoxChoice choice;
  choice.rows = {scores->shape[0], scores->shape[1]};
  choice.all = scores->shape;
  choice.items = SortByRank(te, Ranks(te, scores, 2, true));
  choice.scores = te.Compute("sorted", choice.all, dtype, [&](const Indices& at) {
    return te.At(scores, {at[0], at[1], te.At(choice.items, at)});
  });
  choice.score_threshold = m.Cast(Only(te, 4), dtype);
  choice.overlap = OverlapAt(te, boxes, 0);
  choice.overlap_threshold = m.Cast(Only(te, 3), boxes->dtype);
  choice.limit = m.Cast(Only(te, 2), i64);
  choice.open = te.Compute("open", choice.all, DType::Bool(), [&](const Indices& at) {
    const PrimRef any = m.Lt(m.Const(0, boxes->dtype), choice.overlap_threshold);
    return m.And(any, m.Lt(choice.score_threshold, te.At(choice.scores, at)));
  });
  BufferRef count = ChooseBoxes(te, choice);
  const auto zeros = [&](int result) {
    return te.Compute("out", te.result_dims(result), te.result_dtype(result),
                      [&](const Indices&) { return m.Const(0, te.result_dtype(result)); });
  };
  // Calls `store` for each chosen box with its class, its index in the class, and the number of
  // boxes before the class.
  const auto collect = [&](const auto& before, const auto& store) {
    te.Run("collect", choice.rows, [&](Statements& s, const Indices& row) {
      s.For("k", te.At(count, row), [&](PrimRef k) { store(s, row, k, m.Add(before(row), k)); });
    });
  };
  const auto item = [&](const Indices& row, PrimRef k) {
    return te.At(choice.items, {row[0], row[1], k});
  };
  if (FindString(call, "output_format") == "onnx") {
    const PrimRef rows = m.Mul(choice.rows[0], choice.rows[1]);
    BufferRef ends = te.Scan("ends", {rows}, 0, te.Sum(i64), [&](const Indices& at) {
      return te.At(count, m.Unflatten(at[0], choice.rows));
    });
    BufferRef selected = zeros(0);
    collect(
        [&](const Indices& row) {
          return m.Sub(te.At(ends, {m.Flatten(row, choice.rows)}), te.At(count, row));
        },
        [&](Statements& s, const Indices& row, PrimRef k, PrimRef place) {
          const PrimRef columns[] = {row[0], row[1], item(row, k)};
          for (int i = 0; i < 3; ++i) s.Store(selected, {place, m.Int(i)}, columns[i]);
        });
    BufferRef total = te.Reduce("total", te.result_dims(1), choice.rows, te.Sum(i64),
                                [&](const Indices&, const Indices& r) { return te.At(count, r); });
    return te.Finish({selected, total});
  }
  BufferRef ends = te.Scan("ends", choice.rows, 1, te.Sum(i64),
                           [&](const Indices& at) { return te.At(count, at); });
  BufferRef selected = zeros(0), kept = zeros(1);
  collect([&](const Indices& row) { return m.Sub(te.At(ends, row), te.At(count, row)); },
          [&](Statements& s, const Indices& row, PrimRef k, PrimRef place) {
            s.Store(selected, {row[0], place, m.Int(0)}, row[1]);
            s.Store(selected, {row[0], place, m.Int(1)}, item(row, k));
            s.Store(kept, {row[0], place}, te.At(choice.scores, {row[0], row[1], k}));
          });
  BufferRef total = te.Reduce("total", te.result_dims(2), {choice.rows[1]}, te.Sum(i64),
                              [&](const Indices& at, const Indices& r) {
                                return te.At(count, {at[0], r[0]});
                              });
  return te.Finish({selected, kept, total});
}

}  // namespace lathe::ops

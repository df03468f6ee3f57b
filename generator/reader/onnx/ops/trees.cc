// Imports ensembles of decision trees. The trees are tables, and one loop walks all of them, so
// that code size does not depend on the number of trees.
#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

#include "generator/reader/onnx/class_labels.h"
#include "generator/reader/onnx/lookup_tables.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/score_transforms.h"
#include "generator/reader/onnx/tree_tables.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

// How the weights of all trees are combined, numbered as in TreeEnsemble.
enum class Aggregate { kAverage = 0, kSum, kMin, kMax };

struct WalkResult {
  Operand scores;   // (rows, targets)
  Operand reached;  // bool (rows, targets): whether some tree has a weight for the target
};

class ForestWalk {
 public:
  ForestWalk(NodeCall& n, const TreeTables& trees, const Operand& x, DType real)
      : n_(n), trees_(trees), x_(x), real_(real), rows_(n.DimsOf(x)[0]) {}

  WalkResult Run(Aggregate aggregate, bool wants_reached) {
    const bool extreme = aggregate == Aggregate::kMin || aggregate == Aggregate::kMax;
    const bool tracks = wants_reached || extreme;
    const Operands args = Tables();
    const Operands made = n_.Kernels("trees", args, [&](Te& te) -> std::vector<ir::BufferRef> {
      ScalarMath& m = te.math();
      const Dims dims = {rows_, m.Int(trees_.targets)};
      ir::BufferRef out =
          te.Compute("out", dims, real_, [&](const Indices&) { return m.Const(0, real_); });
      ir::BufferRef reached;
      if (tracks) {
        reached = te.Compute("reached", dims, DType::Bool(),
                             [&](const Indices&) { return m.ir().Bool(false); });
      }
      ir::BufferRef here = te.Allocate("here", {rows_}, DType::Int(64));
      ir::BufferRef member;
      if (has_sets_) member = te.Allocate("member", {rows_}, DType::Bool());
      te.Run("walk", {rows_}, [&](ops::Statements& s, const Indices& row) {
        s.For("tree", m.Int(std::ssize(trees_.roots)), [&](PrimRef tree) {
          s.Store(here, row, Entry(te, kRoots, tree));
          s.While(m.Le(m.Int(0), te.At(here, row)), [&] { Step(te, s, row, here, member); });
          const PrimRef leaf = s.Let("leaf", m.Sub(m.Int(-1), te.At(here, row)));
          AddLeaf(te, s, leaf, [&](PrimRef target, PrimRef weight) {
            const Indices to = {row[0], target};
            const PrimRef old = te.At(out, to);
            PrimRef value = m.Add(old, weight);
            if (extreme) {
              const PrimRef better =
                  aggregate == Aggregate::kMin ? m.Lt(weight, old) : m.Lt(old, weight);
              value = m.Select(m.Or(m.Not(te.At(reached, to)), better), weight, old);
            }
            s.Store(out, to, value);
            if (tracks) s.Store(reached, to, m.ir().Bool(true));
          });
        });
      });
      if (tracks) return {out, reached};
      return {out};
    });
    return {made[0], made.back()};
  }

 private:
  // What the kernel may read.
  enum Input : int {
    kX,
    kRoots,
    kFeatures,
    kModes,
    kSplits,
    kYes,
    kNo,
    kMissing,
    kSetBegins,
    kSetEnds,
    kMembers,
    kLeafBegins,
    kTargets,
    kWeights,
    kInputs,
  };

  // Passes the tables that the walk reads: those that are the same for all nodes are omitted.
  Operands Tables() {
    const auto same = [](const std::vector<int64_t>& list) {
      return std::all_of(list.begin(), list.end(), [&](int64_t v) { return v == list[0]; });
    };
    has_sets_ = std::find(trees_.modes.begin(), trees_.modes.end(),
                          static_cast<int64_t>(Branch::kMember)) != trees_.modes.end();
    one_mode_ = same(trees_.modes);
    has_missing_ = std::find(trees_.missing_yes.begin(), trees_.missing_yes.end(), 1) !=
                   trees_.missing_yes.end();
    dense_ = trees_.has_dense_leaves();
    single_ = !dense_ && trees_.has_single_weights();
    Operands args;
    const auto pass = [&](Input input, Operand table) {
      places_[input] = static_cast<int>(args.size());
      args.push_back(std::move(table));
    };
    const auto ints = [&](Input input, const std::vector<int64_t>& list) {
      pass(input, SmallIntTable(n_, list.empty() ? std::vector<int64_t>{0} : list));
    };
    const auto reals = [&](Input input, const std::vector<double>& list) {
      pass(input, NumberTable(n_, list.empty() ? std::vector<double>{0} : list, real_));
    };
    pass(kX, x_);
    ints(kRoots, trees_.roots);
    ints(kFeatures, trees_.features);
    reals(kSplits, trees_.splits);
    ints(kYes, trees_.yes);
    ints(kNo, trees_.no);
    reals(kWeights, trees_.weights);
    if (!one_mode_) ints(kModes, trees_.modes);
    if (has_missing_) ints(kMissing, trees_.missing_yes);
    if (has_sets_) {
      ints(kSetBegins, trees_.set_begins);
      ints(kSetEnds, trees_.set_ends);
      reals(kMembers, trees_.members);
    }
    if (!dense_ && !single_) ints(kLeafBegins, trees_.leaf_begins);
    if (!dense_) ints(kTargets, trees_.weight_targets);
    return args;
  }

  PrimRef Entry(Te& te, Input input, PrimRef at) { return TableEntry(te, places_[input], at); }

  // Goes from the node in `here` to one of its children.
  void Step(Te& te, ops::Statements& s, const Indices& row, ir::BufferRef here,
            ir::BufferRef member) {
    ScalarMath& m = te.math();
    const PrimRef node = s.Let("node", te.At(here, row));
    const PrimRef feature = s.Let("feature", Entry(te, kFeatures, node));
    const PrimRef value = s.Let("value", te.At(te.Input(places_[kX]), {row[0], feature}));
    const PrimRef split = s.Let("split", te.At(te.Input(places_[kSplits]), {node}));
    if (has_sets_) {
      const PrimRef first = s.Let("first", Entry(te, kSetBegins, node));
      s.Store(member, row, m.ir().Bool(false));
      s.For("i", m.Sub(Entry(te, kSetEnds, node), first), [&](PrimRef i) {
        s.If(m.Eq(te.At(te.Input(places_[kMembers]), {m.Add(first, i)}), value),
             [&] { s.Store(member, row, m.ir().Bool(true)); });
      });
    }
    const auto holds = [&](Branch branch) {
      switch (branch) {
        case Branch::kLessEqual:
          return m.Le(value, split);
        case Branch::kLess:
          return m.Lt(value, split);
        case Branch::kGreaterEqual:
          return m.Le(split, value);
        case Branch::kGreater:
          return m.Lt(split, value);
        case Branch::kEqual:
          return m.Eq(value, split);
        case Branch::kNotEqual:
          return m.Ne(value, split);
        case Branch::kMember:
          break;
      }
      return te.At(member, row);
    };
    PrimRef goes = m.ir().Bool(false);
    if (one_mode_ && !trees_.modes.empty()) {
      goes = holds(static_cast<Branch>(trees_.modes[0]));
    } else if (!trees_.modes.empty()) {
      const PrimRef mode = s.Let("mode", Entry(te, kModes, node));
      for (const int64_t one : std::set<int64_t>(trees_.modes.begin(), trees_.modes.end())) {
        goes = m.Or(goes, m.And(m.Eq(mode, m.Int(one)), holds(static_cast<Branch>(one))));
      }
    }
    if (has_missing_) {
      const PrimRef tracks = m.Ne(Entry(te, kMissing, node), m.Int(0));
      goes = m.Or(goes, m.And(tracks, m.Ne(value, value)));
    }
    goes = s.Let("goes", goes);
    s.Store(here, row, m.Select(goes, Entry(te, kYes, node), Entry(te, kNo, node)));
  }

  // Calls `add` for each weight of the leaf.
  void AddLeaf(Te& te, ops::Statements& s, PrimRef leaf,
               const std::function<void(PrimRef, PrimRef)>& add) {
    ScalarMath& m = te.math();
    const auto weight = [&](PrimRef at) { return te.At(te.Input(places_[kWeights]), {at}); };
    if (dense_ && trees_.targets == 1) return add(m.Int(0), weight(leaf));
    if (dense_) {
      s.For("target", m.Int(trees_.targets), [&](PrimRef target) {
        add(target, weight(m.Add(m.Mul(leaf, m.Int(trees_.targets)), target)));
      });
      return;
    }
    if (single_) return add(s.Let("target", Entry(te, kTargets, leaf)), weight(leaf));
    const PrimRef first = s.Let("first_weight", Entry(te, kLeafBegins, leaf));
    const PrimRef end = Entry(te, kLeafBegins, m.Add(leaf, m.Int(1)));
    s.For("w", m.Sub(end, first), [&](PrimRef w) {
      const PrimRef at = s.Let("at", m.Add(first, w));
      add(s.Let("target", Entry(te, kTargets, at)), weight(at));
    });
  }

  NodeCall& n_;
  const TreeTables& trees_;
  const Operand x_;
  const DType real_;
  const PrimRef rows_;
  std::array<int, kInputs> places_ = {};  // of each Input among the inputs of the kernel
  bool has_sets_ = false, one_mode_ = false, has_missing_ = false, dense_ = false, single_ = false;
};

// Adds the base value of each target, or one for all.
Operand AddBase(NodeCall& n, const Operand& scores, const std::vector<double>& base) {
  if (base.empty()) return scores;
  return n.Op("relax.add", {scores, NumberTable(n, base, n.TypeOf(scores))});
}

absl::StatusOr<std::vector<double>> BaseValues(NodeCall& n, int64_t targets) {
  LATHE_ASSIGN_OR_RETURN(std::vector<double> base, FloatsOrTensor(n, "base_values"));
  LATHE_RETURN_IF_ERROR(NeedNumbers(n, "base_values", base));
  if (base.size() > 1 && std::ssize(base) != targets) {
    return n.Error() << "has " << base.size() << " base values for " << targets
                     << " targets; it needs one, or one for each";
  }
  return base;
}

// The number of features, or -1 if it is known only at run time.
int64_t FeatureCount(NodeCall& n, const Operand& rows) {
  return NodeCall::IntOf(n.DimsOf(rows)[1]).value_or(-1);
}

// Thresholds are compared in double if the features are double.
DType RealOf(NodeCall& n, const Operand& x) {
  return n.TypeOf(x) == DType::Float(64) ? DType::Float(64) : DType::Float(32);
}

Operand Aggregated(NodeCall& n, const TreeTables& trees, const Operand& rows, Aggregate aggregate) {
  Operand scores = ForestWalk(n, trees, rows, n.TypeOf(rows)).Run(aggregate, false).scores;
  if (aggregate != Aggregate::kAverage) return scores;
  const auto count = static_cast<double>(trees.roots.size());
  return n.Op("relax.divide", {scores, n.Number(count, n.TypeOf(scores))});
}

// A two-class model with weights of one class computes one score. A row belongs to the second class
// if its score is above 0.5, or above 0 if some weight is negative.
Results OneScoreClasses(NodeCall& n, const ClassLabels& labels, const Operand& scores,
                        bool negative, ScoreTransform transform) {
  const Operand which = ScoreAbove(n, scores, 0, negative ? 0 : 0.5);
  Term label = LabelsAt(n, labels, which);
  Operand both =
      TwoScores(n, scores,
                negative || transform == ScoreTransform::kLogistic ? OtherScore::kNegative
                                                                   : OtherScore::kComplement);
  // Two scores that depend on each other are already a distribution, so softmax does not apply.
  if (transform == ScoreTransform::kLogistic || transform == ScoreTransform::kProbit) {
    both = TransformScores(n, both, transform);
  }
  return std::vector<Term>{std::move(label), Term(both)};
}

// The largest score of a row among the classes that its leaves have weights for.
Operand LargestReached(NodeCall& n, const Operand& scores, const Operand& reached) {
  return LargestScore(n, n.Kernel("candidates", {scores, reached}, [&](Te& te) {
    ScalarMath& m = te.math();
    const DType t = n.TypeOf(scores);
    return te.Compute("out", n.DimsOf(scores), t, [&](const Indices& at) {
      return m.Select(te.At(te.Input(1), at), te.At(te.Input(0), at), m.Lowest(t));
    });
  }));
}

}  // namespace

absl::StatusOr<Results> ImportTreeEnsemble(NodeCall& n) {
  LATHE_ASSIGN_OR_RETURN(const Operand rows, FeatureRows(n, n.In(0), n.TypeOf(n.In(0))));
  LATHE_ASSIGN_OR_RETURN(const TreeTables trees, ReadTrees(n, FeatureCount(n, rows)));
  LATHE_ASSIGN_OR_RETURN(const ScoreTransform transform, ReadNumberedTransform(n));
  const int64_t aggregate = n.Int("aggregate_function", 1);
  if (aggregate < 0 || aggregate > static_cast<int64_t>(Aggregate::kMax)) {
    return n.Error() << "'aggregate_function' must be 0 to 3, not " << aggregate;
  }
  return TransformScores(n, Aggregated(n, trees, rows, static_cast<Aggregate>(aggregate)),
                         transform);
}

absl::StatusOr<Results> ImportTreeRegressor(NodeCall& n) {
  LATHE_ASSIGN_OR_RETURN(const Operand rows, FeatureRows(n, n.In(0), RealOf(n, n.In(0))));
  const int64_t targets = n.Int("n_targets", 1);
  if (targets < 1) return n.Error() << "'n_targets' must be at least 1, not " << targets;
  LATHE_ASSIGN_OR_RETURN(const TreeTables trees,
                         ReadNamedTrees(n, "target", targets, FeatureCount(n, rows)));
  LATHE_ASSIGN_OR_RETURN(const ScoreTransform transform, ReadScoreTransform(n));
  LATHE_ASSIGN_OR_RETURN(const std::vector<double> base, BaseValues(n, targets));
  constexpr const char* kNames[] = {"AVERAGE", "SUM", "MIN", "MAX"};
  const std::string name = n.String("aggregate_function", "SUM");
  const auto* found = std::find(std::begin(kNames), std::end(kNames), name);
  if (found == std::end(kNames)) {
    return n.Error() << "unknown aggregate_function '" << name
                     << "'; known: AVERAGE, SUM, MIN, MAX";
  }
  const auto aggregate = static_cast<Aggregate>(found - std::begin(kNames));
  const Operand scores = AddBase(n, Aggregated(n, trees, rows, aggregate), base);
  return TransformScores(n, n.Cast(scores, DType::Float(32)), transform);
}

absl::StatusOr<Results> ImportTreeClassifier(NodeCall& n) {
  LATHE_ASSIGN_OR_RETURN(const Operand rows, FeatureRows(n, n.In(0), RealOf(n, n.In(0))));
  LATHE_ASSIGN_OR_RETURN(const ClassLabels labels, ReadClassLabels(n, "classlabels_int64s"));
  const int64_t classes = labels.count();
  LATHE_ASSIGN_OR_RETURN(const TreeTables trees,
                         ReadNamedTrees(n, "class", classes, FeatureCount(n, rows)));
  LATHE_ASSIGN_OR_RETURN(const ScoreTransform transform, ReadScoreTransform(n));
  LATHE_ASSIGN_OR_RETURN(const std::vector<double> base, BaseValues(n, classes));
  const auto& ids = trees.weight_targets;
  const bool one_class =
      std::all_of(ids.begin(), ids.end(), [&](int64_t id) { return id == ids[0]; });
  const bool negative = std::any_of(trees.weights.begin(), trees.weights.end(),
                                    [](double weight) { return weight < 0; });
  const bool one_score = classes == 2 && one_class && ids[0] == 0;
  // With base values, every class has a score.
  const bool partial = classes > 2 && base.empty() && !trees.reaches_all_targets();
  const WalkResult walk = ForestWalk(n, trees, rows, n.TypeOf(rows)).Run(Aggregate::kSum, partial);
  if (one_score) {
    const std::vector<double> first(base.begin(), base.begin() + (base.empty() ? 0 : 1));
    const Operand scores = n.Cast(AddBase(n, walk.scores, first), DType::Float(32));
    return OneScoreClasses(n, labels, scores, negative, transform);
  }
  const Operand scores = n.Cast(AddBase(n, walk.scores, base), DType::Float(32));
  Operand which = partial ? LargestReached(n, scores, walk.reached) : LargestScore(n, scores);
  if (classes == 2 && one_class) which = ScoreAbove(n, scores, 1, negative ? 0 : 0.5);
  if (classes == 1) which = ScoreAbove(n, scores, 0, 0);
  Term label = LabelsAt(n, classes == 1 ? LabelsOfOneScore(labels) : labels, which);
  return std::vector<Term>{std::move(label), Term(TransformScores(n, scores, transform))};
}

}  // namespace lathe::onnx

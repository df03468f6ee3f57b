// Imports operators that use lookup tables: those of ai.onnx.ml that work on tensors (labels,
// trees), n-grams, and mel filter weights.
#include <algorithm>
#include <cmath>
#include <utility>

#include "generator/interp/data/tensor.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_values.h"
#include "generator/reader/onnx/string_ops.h"
#include "generator/reader/onnx/tensor_data.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

Operand IntTable(NodeCall& n, const std::vector<int64_t>& values, Dims dims = {}) {
  std::vector<int64_t> shape;
  for (PrimRef dim : dims) shape.push_back(NodeCall::IntOf(dim).value_or(0));
  if (shape.empty()) shape = {std::ssize(values)};
  return n.builder().Constant(DType::Int(64), shape,
                              std::vector<double>(values.begin(), values.end()));
}

// Returns the elements of a tensor attribute.
std::vector<double> Numbers(NodeCall& n, const std::string& name) {
  const Attribute* a = n.Find(name);
  if (a == nullptr || a->tensor == nullptr) return {};
  absl::StatusOr<ir::Constant> constant = ReadTensor(*a->tensor, n.import().folder);
  if (!constant.ok()) return {};
  Term term(n.builder().Constant(*std::move(constant)));
  const auto known = ConstantOf(n.import(), term);
  std::vector<double> values;
  for (uint64_t i = 0; i < interp::CountElements(known->shape).value_or(0); ++i) {
    values.push_back(
        interp::ToDouble(known->dtype, interp::ReadElement(known->bytes->data(), known->dtype, i)));
  }
  return values;
}

}  // namespace

absl::StatusOr<Results> ImportBinarizer(NodeCall& n) {
  const double threshold = n.Float("threshold", 0);
  return n.Elementwise("binarizer", {n.In(0)}, [&](ScalarMath& m, const Scalars& x) {
    const DType t = x[0]->dtype();
    return m.Select(m.Lt(m.Const(threshold, t), x[0]), m.Const(1, t), m.Const(0, t));
  });
}

absl::StatusOr<Results> ImportArrayFeatureExtractor(NodeCall& n) {
  const Operand x = n.In(0), which = n.In(1);
  LATHE_RETURN_IF_ERROR(n.NeedRank(x, 1));
  Dims dims = n.DimsOf(x);
  const Dims by = n.DimsOf(which);
  dims.back() = n.Product(by, 0, by.size());
  if (dims.size() == 1) dims.insert(dims.begin(), n.ir().Int(1));
  const bool flat = n.Rank(x) == 1;
  return n.Kernel("features", {x, which}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", dims, n.TypeOf(x), [&](Indices at) {
      const PrimRef index = m.Cast(te.At(te.Input(1), m.Unflatten(at.back(), by)), DType::Int(64));
      at.back() = index;
      if (flat) at.erase(at.begin());
      return te.At(te.Input(0), at);
    });
  });
}

// Maps numbers or strings to numbers.
absl::StatusOr<Results> ImportLabelEncoder(NodeCall& n) {
  std::vector<double> keys = n.Floats("keys_floats"), values = n.Floats("values_floats");
  std::vector<std::string> words = n.StringList("keys_strings");
  double otherwise = n.Float("default_float", -0.0);
  DType dtype = DType::Float(32);
  for (int64_t key : n.Ints("keys_int64s")) keys.push_back(static_cast<double>(key));
  if (n.HasAttribute("values_int64s")) {
    for (int64_t value : n.Ints("values_int64s")) values.push_back(static_cast<double>(value));
    otherwise = static_cast<double>(n.Int("default_int64", -1));
    dtype = DType::Int(64);
  }
  if (const Attribute* a = n.Find("keys_tensor"); a != nullptr && a->tensor != nullptr) {
    words = a->tensor->strings;
    if (words.empty()) keys = Numbers(n, "keys_tensor");
  }
  if (const Attribute* a = n.Find("values_tensor"); a != nullptr && a->tensor != nullptr) {
    values = Numbers(n, "values_tensor");
    dtype = DTypeOf(a->tensor->type).value_or(dtype);
    const std::vector<double> given = Numbers(n, "default_tensor");
    otherwise = given.empty() ? -1 : given[0];
  }
  const size_t known = words.empty() ? keys.size() : words.size();
  if (known == 0 || known != values.size()) {
    return n.Unsupported() << "only numeric labels, one for each key, are supported";
  }
  const int64_t count = std::ssize(values);
  const Operand to = n.builder().Constant(dtype, {count}, values);
  Operand place = to;
  if (!words.empty()) {
    LATHE_ASSIGN_OR_RETURN(place, FindStrings(n, words));
  } else {
    const Operand x = n.In(0);
    const Operand from = n.builder().Constant(n.TypeOf(x), {count}, keys);
    // The last of equal keys wins.
    place = n.Kernel("find_keys", {x, from}, [&](Te& te) {
      ScalarMath& m = te.math();
      return te.Reduce("place", n.DimsOf(x), {m.Int(count)}, te.Max(DType::Int(64)),
                       [&](const Indices& at, const Indices& r) {
                         const PrimRef same = m.Eq(te.At(te.Input(0), at), te.At(te.Input(1), r));
                         return m.Select(same, r[0], m.Int(-1));
                       });
    });
  }
  return n.Kernel("labels", {place, to}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Compute("out", n.DimsOf(place), dtype, [&](const Indices& at) {
      const PrimRef found = te.At(te.Input(0), at);
      const PrimRef value = te.At(te.Input(1), {m.Max(found, m.Int(0))});
      return m.Select(m.Le(m.Int(0), found), value, m.Const(otherwise, dtype));
    });
  });
}

// Counts each n-gram of the pool in the input, with gaps up to the maximum skip count.
absl::StatusOr<Results> ImportTfIdf(NodeCall& n) {
  const Operand x = n.In(0);
  const Dims from = n.DimsOf(x);
  const auto counts = n.Ints("ngram_counts"), indexes = n.Ints("ngram_indexes");
  const auto pool = n.Ints("pool_int64s");
  const int64_t least = n.Int("min_gram_length", 1), most = n.Int("max_gram_length", 1);
  const int64_t skips = n.Int("max_skip_count", 0);
  if (from.empty() || from.size() > 2 || pool.empty() || indexes.empty() || most < 1 || most > 64 ||
      skips < 0 || skips > (1 << 24) || std::ssize(counts) < most) {
    return n.Unsupported()
           << "only numeric inputs of rank 1 or 2 with a numeric pool are supported";
  }
  const int64_t last = *std::max_element(indexes.begin(), indexes.end());
  constexpr int64_t kMaxColumns = 1 << 20;
  if (last < 0 || last >= kMaxColumns) return n.Error() << "'ngram_indexes' out of range: " << last;
  const int64_t width = last + 1;
  std::vector<int64_t> grams(static_cast<size_t>(width * most), 0);
  std::vector<int64_t> lengths(static_cast<size_t>(width), 0);
  std::vector<double> weights(static_cast<size_t>(width), 1);
  const std::vector<double> given = n.Floats("weights");
  size_t gram = 0;
  for (int64_t length = 1; length <= most; ++length) {
    const int64_t begin = counts[static_cast<size_t>(length - 1)];
    const int64_t end =
        length < std::ssize(counts) ? counts[static_cast<size_t>(length)] : std::ssize(pool);
    if (begin < 0 || begin > end || end > std::ssize(pool)) {
      return n.Error() << "'ngram_counts' do not match the pool";
    }
    for (int64_t at = begin; at + length <= end; at += length, ++gram) {
      if (gram >= indexes.size())
        return n.Error() << "'ngram_indexes' has fewer elements than there are n-grams";
      if (indexes[gram] < 0 || length < least) continue;
      const auto column = static_cast<size_t>(indexes[gram]);
      lengths[column] = length;
      if (gram < given.size()) weights[column] = given[gram];
      for (int64_t j = 0; j < length; ++j) {
        grams[column * static_cast<size_t>(most) + static_cast<size_t>(j)] =
            pool[static_cast<size_t>(at + j)];
      }
    }
  }
  const std::string mode = n.String("mode", "TF");
  Dims dims = {n.ir().Int(width)};
  if (from.size() == 2) dims.insert(dims.begin(), from[0]);
  const Operand gram_table = IntTable(n, grams, {n.ir().Int(width), n.ir().Int(most)});
  const Operand length_table = IntTable(n, lengths);
  const Operand weight_table = n.builder().Constant(DType::Float(32), {width}, weights);
  return n.Kernel("tf_idf", {x, gram_table, length_table, weight_table}, [&](Te& te) {
    ScalarMath& m = te.math();
    const DType real = DType::Float(32);
    const PrimRef items = from.back();
    ir::BufferRef count =
        te.Reduce("count", dims, {items, m.Int(skips + 1)}, te.Sum(real),
                  [&](const Indices& at, const Indices& r) {
                    const PrimRef length = te.At(te.Input(2), {at.back()});
                    const PrimRef apart = m.Add(r[1], m.Int(1));
                    const PrimRef end = m.Add(r[0], m.Mul(m.Sub(length, m.Int(1)), apart));
                    PrimRef same = m.And(m.Lt(m.Int(0), length), m.Lt(end, items));
                    same = m.And(same, m.Or(m.Lt(m.Int(1), length), m.Eq(r[1], m.Int(0))));
                    for (int64_t j = 0; j < most; ++j) {
                      const PrimRef place = m.Add(r[0], m.Mul(m.Int(j), apart));
                      Indices source = {m.Min(place, m.Sub(items, m.Int(1)))};
                      if (at.size() == 2) source.insert(source.begin(), at[0]);
                      const PrimRef item = m.Cast(te.At(te.Input(0), source), DType::Int(64));
                      const PrimRef wanted = te.At(te.Input(1), {at.back(), m.Int(j)});
                      same = m.And(same, m.Or(m.Le(length, m.Int(j)), m.Eq(item, wanted)));
                    }
                    return m.Select(same, m.Const(1, real), m.Const(0, real));
                  });
    return te.Compute("out", dims, real, [&](const Indices& at) {
      const PrimRef tf = te.At(count, at), weight = te.At(te.Input(3), {at.back()});
      if (mode == "TF") return tf;
      const PrimRef zero = m.Const(0, real);
      return mode == "IDF" ? m.Select(m.Lt(zero, tf), weight, zero) : m.Mul(tf, weight);
    });
  });
}

absl::StatusOr<Results> ImportMelWeights(NodeCall& n) {
  const auto mels = n.ConstantInts(0), length = n.ConstantInts(1);
  std::optional<Dims> dims;
  const bool known = mels && length && mels->size() == 1 && length->size() == 1;
  if (known) {
    if ((*length)[0] < 0 || (*mels)[0] < 0)
      return n.Error() << "the number of bins must not be negative";
    dims = n.DimsFrom({(*length)[0] / 2 + 1, (*mels)[0]});
  } else {
    dims = n.DeclaredDims(0);
  }
  if (!dims || dims->size() != 2)
    return n.Unsupported() << "a dynamic result size without a declared shape is not supported";
  const DType dtype =
      DTypeOf(static_cast<int32_t>(n.Int("output_datatype", 1))).value_or(DType::Float(32));
  return n.Kernel("mel_weights", {n.In(1), n.In(2), n.In(3), n.In(4), n.In(0)}, [&](Te& te) {
    ScalarMath& m = te.math();
    if (!known) {
      const PrimRef spectrum = m.Add(m.FloorDiv(OnlyEntry(te, 0), m.Int(2)), m.Int(1));
      NeedSame(n, te, spectrum, (*dims)[0], "the number of bins of the spectrum");
      NeedSame(n, te, OnlyEntry(te, 4), (*dims)[1], "the number of mel bins");
    }
    const DType real = DType::Float(64), whole = DType::Int(64);
    const auto c = [&](double v) { return m.Const(v, real); };
    const auto in = [&](int i) {
      return m.Cast(te.At(te.Input(i), Indices(te.Input(i)->shape.size(), m.Int(0))), real);
    };
    const auto mel = [&](PrimRef hertz) {
      return m.Mul(c(2595), m.Call("log10", {m.Add(c(1), m.Div(hertz, c(700)))}));
    };
    const auto edge = [&](PrimRef i) {
      const PrimRef low = mel(in(2)), high = mel(in(3));
      const PrimRef step = m.Div(m.Sub(high, low), m.Add(m.Cast((*dims)[1], real), c(2)));
      const PrimRef at = m.Add(m.Mul(m.Cast(i, real), step), low);
      const PrimRef power = m.Call("pow", {c(10), m.Div(at, c(2595))});
      const PrimRef hertz = m.Mul(c(700), m.Sub(power, c(1)));
      const PrimRef bin = m.Div(m.Mul(m.Add(in(0), c(1)), hertz), in(1));
      return m.Cast(m.Call("floor", {bin}), whole);
    };
    return te.Compute("out", *dims, dtype, [&](const Indices& at) {
      const PrimRef j = at[0], low = edge(at[1]), middle = edge(m.Add(at[1], m.Int(1))),
                    high = edge(m.Add(at[1], m.Int(2)));
      const auto share = [&](PrimRef part, PrimRef all) {
        return m.Div(m.Cast(part, real), m.Cast(m.Max(all, m.Int(1)), real));
      };
      const PrimRef rise = m.Sub(middle, low), fall = m.Sub(high, middle);
      PrimRef value =
          m.Select(m.And(m.Le(low, j), m.Le(j, middle)), share(m.Sub(j, low), rise), c(0));
      value = m.Select(m.And(m.Eq(rise, m.Int(0)), m.Eq(j, middle)), c(1), value);
      const PrimRef falls = m.And(m.Lt(m.Int(0), fall), m.And(m.Le(middle, j), m.Lt(j, high)));
      return m.Cast(m.Select(falls, share(m.Sub(high, j), fall), value), dtype);
    });
  });
}

// The nodes and leaves of all trees, as the attributes list them.
struct Trees {
  explicit Trees(NodeCall& n)
      : targets(n.Int("n_targets", 1)),
        roots(n.Ints("tree_roots")),
        features(n.Ints("nodes_featureids")),
        yes(n.Ints("nodes_truenodeids")),
        no(n.Ints("nodes_falsenodeids")),
        yes_leaf(n.Ints("nodes_trueleafs")),
        no_leaf(n.Ints("nodes_falseleafs")),
        leaf_target(n.Ints("leaf_targetids")),
        modes(Numbers(n, "nodes_modes")),
        splits(Numbers(n, "nodes_splits")),
        weights(Numbers(n, "leaf_weights")),
        members(Numbers(n, "membership_values")) {}

  size_t count() const { return features.size(); }
  int64_t targets;
  std::vector<int64_t> roots, features, yes, no, yes_leaf, no_leaf, leaf_target;
  std::vector<double> modes, splits, weights;
  std::vector<double> members;  // the sets of BRANCH_MEMBER nodes; NaN ends a set
};

// Checks that the tables have matching lengths and that all indices are in range.
absl::Status CheckTrees(NodeCall& n, const Trees& trees, const Dims& from) {
  const auto& [targets, roots, features, yes, no, yes_leaf, no_leaf, leaf_target, modes, splits,
               weights, members] = trees;
  const size_t count = trees.count();
  if (from.size() != 2 || count == 0 || yes.size() != count || no.size() != count ||
      yes_leaf.size() != count || no_leaf.size() != count || modes.size() != count ||
      !std::all_of(modes.begin(), modes.end(), [](double m) { return m >= 0 && m <= 6; }) ||
      splits.size() != count || leaf_target.size() != weights.size() || weights.empty() ||
      targets < 1 || roots.empty()) {
    return n.Error() << "the tables of nodes differ in length, or a mode is not from 0 to 6";
  }
  if (n.Int("aggregate_function", 1) != 1 || n.Int("post_transform", 0) != 0) {
    return n.Unsupported() << "only the aggregation SUM without a post transform is supported";
  }
  const auto within = [](const std::vector<int64_t>& list, size_t size) {
    return std::all_of(list.begin(), list.end(),
                       [&](int64_t v) { return v >= 0 && v < static_cast<int64_t>(size); });
  };
  for (size_t i = 0; i < count; ++i) {
    const bool fits = within({yes[i]}, yes_leaf[i] != 0 ? weights.size() : count) &&
                      within({no[i]}, no_leaf[i] != 0 ? weights.size() : count);
    if (!fits) return n.Error() << "node " << i << " refers to a node that does not exist";
  }
  if (!within(roots, count) || !within(leaf_target, static_cast<size_t>(targets)) ||
      !within(features, static_cast<size_t>(NodeCall::IntOf(from[1]).value_or(1 << 30)))) {
    return n.Error() << "a root, feature or target index is out of range";
  }
  return absl::OkStatus();
}

// Returns the range [start, end) of each node's set in `members`: the sets of BRANCH_MEMBER nodes
// follow one another.
std::pair<std::vector<int64_t>, std::vector<int64_t>> MemberRanges(const Trees& trees) {
  std::vector<int64_t> starts, ends;
  size_t next = 0;
  for (const double mode : trees.modes) {
    starts.push_back(static_cast<int64_t>(next));
    while (mode == 6 && next < trees.members.size() && !std::isnan(trees.members[next])) ++next;
    ends.push_back(static_cast<int64_t>(next));
    if (mode == 6) ++next;
  }
  return {std::move(starts), std::move(ends)};
}

// Walks each tree from the root to a leaf, and adds the weight of the leaf to its target.
absl::StatusOr<Results> ImportTreeEnsemble(NodeCall& n) {
  const Operand x = n.In(0);
  const Dims from = n.DimsOf(x);
  const Trees trees(n);
  LATHE_RETURN_IF_ERROR(CheckTrees(n, trees, from));
  std::vector<double> members = trees.members;
  const auto [starts, ends] = MemberRanges(trees);
  if (members.empty()) members.push_back(0);
  const DType real = n.TypeOf(x), whole = DType::Int(64);
  const auto numbers = [&](const std::vector<double>& v) {
    return n.builder().Constant(real, {std::ssize(v)}, v);
  };
  const Operands args = {x,
                         IntTable(n, trees.roots),
                         IntTable(n, trees.features),
                         IntTable(n, {trees.modes.begin(), trees.modes.end()}),
                         numbers(trees.splits),
                         IntTable(n, trees.yes),
                         IntTable(n, trees.no),
                         IntTable(n, trees.yes_leaf),
                         IntTable(n, trees.no_leaf),
                         IntTable(n, trees.leaf_target),
                         numbers(trees.weights),
                         numbers(members),
                         IntTable(n, starts),
                         IntTable(n, ends)};
  return n.Kernel("trees", args, [&](Te& te) {
    ScalarMath& m = te.math();
    const auto table = [&](int i, PrimRef at) { return te.At(te.Input(i), {at}); };
    ir::BufferRef out = te.Compute("out", {from[0], m.Int(trees.targets)}, real,
                                   [&](const Indices&) { return m.Const(0, real); });
    ir::BufferRef here = te.Allocate("here", {from[0]}, whole);
    ir::BufferRef at_leaf = te.Allocate("at_leaf", {from[0]}, DType::Bool());
    ir::BufferRef member = te.Allocate("member", {from[0]}, DType::Bool());
    te.Run("walk", {from[0]}, [&](ops::Statements& s, const Indices& row) {
      s.For("tree", m.Int(std::ssize(trees.roots)), [&](PrimRef tree) {
        s.Store(here, row, table(1, tree));
        s.Store(at_leaf, row, m.ir().Bool(false));
        s.For("turn", m.Int(static_cast<int64_t>(trees.count())), [&](PrimRef) {
          s.If(m.Not(te.At(at_leaf, row)), [&] {
            const PrimRef node = s.Let("node", te.At(here, row));
            const PrimRef value = s.Let("value", te.At(te.Input(0), {row[0], table(2, node)}));
            const PrimRef split = s.Let("split", table(4, node));
            const PrimRef mode = s.Let("mode", table(3, node));
            const PrimRef first = s.Let("first", table(12, node));
            s.Store(member, row, m.ir().Bool(false));
            s.For("i", m.Sub(table(13, node), first), [&](PrimRef i) {
              s.If(m.Eq(table(11, m.Add(first, i)), value),
                   [&] { s.Store(member, row, m.ir().Bool(true)); });
            });
            const auto is = [&](int which) { return m.Eq(mode, m.Int(which)); };
            PrimRef goes = m.And(is(0), m.Le(value, split));
            goes = m.Or(goes, m.And(is(1), m.Lt(value, split)));
            goes = m.Or(goes, m.And(is(2), m.Le(split, value)));
            goes = m.Or(goes, m.And(is(3), m.Lt(split, value)));
            goes = m.Or(goes, m.And(is(4), m.Eq(value, split)));
            goes = m.Or(goes, m.And(is(5), m.Ne(value, split)));
            goes = s.Let("goes", m.Or(goes, m.And(is(6), te.At(member, row))));
            s.Store(here, row, m.Select(goes, table(5, node), table(6, node)));
            s.Store(at_leaf, row, m.Ne(m.Select(goes, table(7, node), table(8, node)), m.Int(0)));
          });
        });
        s.If(te.At(at_leaf, row), [&] {
          const PrimRef leaf = s.Let("leaf", te.At(here, row));
          const Indices to = {row[0], table(9, leaf)};
          s.Store(out, to, m.Add(te.At(out, to), table(10, leaf)));
        });
      });
    });
    return out;
  });
}

}  // namespace lathe::onnx

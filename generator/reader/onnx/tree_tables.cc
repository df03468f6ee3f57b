#include "generator/reader/onnx/tree_tables.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "generator/reader/onnx/lookup_tables.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

constexpr int64_t LeafReference(int64_t leaf) { return -1 - leaf; }

struct BranchName {
  const char* name;
  Branch branch;
};
constexpr BranchName kBranchNames[] = {
    {"BRANCH_LEQ", Branch::kLessEqual},    {"BRANCH_LT", Branch::kLess},
    {"BRANCH_GTE", Branch::kGreaterEqual}, {"BRANCH_GT", Branch::kGreater},
    {"BRANCH_EQ", Branch::kEqual},         {"BRANCH_NEQ", Branch::kNotEqual}};

absl::Status NeedLength(NodeCall& n, const char* name, size_t length, size_t nodes) {
  if (length == nodes) return absl::OkStatus();
  return n.Error() << "attribute '" << name << "' has " << length << " elements for " << nodes
                   << " nodes";
}

absl::Status NeedIndices(NodeCall& n, const std::string& name, const std::vector<int64_t>& list,
                         int64_t size) {
  for (size_t i = 0; i < list.size(); ++i) {
    if (list[i] >= 0 && list[i] < size) continue;
    return n.Error() << "element " << i << " of attribute '" << name << "' is " << list[i]
                     << "; it must be at least 0 and less than " << size;
  }
  return absl::OkStatus();
}

// A walk ends because no node is reached from itself.
absl::Status NeedNoCycles(NodeCall& n, const TreeTables& t) {
  enum class Mark : uint8_t { kNew, kOpen, kDone };
  std::vector<Mark> marks(static_cast<size_t>(t.nodes()), Mark::kNew);
  std::vector<int64_t> path;
  const auto mark = [&](int64_t node) -> Mark& { return marks[static_cast<size_t>(node)]; };
  for (const int64_t root : t.roots) {
    if (root >= 0) path.push_back(root);
    while (!path.empty()) {
      const int64_t node = path.back();
      if (mark(node) != Mark::kNew) {
        mark(node) = Mark::kDone;
        path.pop_back();
        continue;
      }
      mark(node) = Mark::kOpen;
      for (const auto* branch : {&t.yes, &t.no}) {
        const int64_t child = (*branch)[static_cast<size_t>(node)];
        if (child < 0 || mark(child) == Mark::kDone) continue;
        if (mark(child) == Mark::kOpen) {
          return n.Error() << "node " << child << " is reached from itself; trees have no cycles";
        }
        path.push_back(child);
      }
    }
  }
  return absl::OkStatus();
}

// The lists of the attributes nodes_*, which are the same in all operators but for the modes and
// the references.
struct NodeLists {
  std::vector<int64_t> features, yes, no, missing;
  std::vector<double> splits;
};

absl::Status CheckNodes(NodeCall& n, const NodeLists& lists, const char* splits,
                        const TreeTables& t, int64_t features) {
  const size_t count = lists.features.size();
  LATHE_RETURN_IF_ERROR(NeedLength(n, "nodes_truenodeids", lists.yes.size(), count));
  LATHE_RETURN_IF_ERROR(NeedLength(n, "nodes_falsenodeids", lists.no.size(), count));
  LATHE_RETURN_IF_ERROR(NeedLength(n, splits, lists.splits.size(), count));
  if (!lists.missing.empty()) {
    LATHE_RETURN_IF_ERROR(
        NeedLength(n, "nodes_missing_value_tracks_true", lists.missing.size(), count));
  }
  for (size_t i = 0; i < t.features.size(); ++i) {
    const auto mode = static_cast<Branch>(t.modes[i]);
    if (mode != Branch::kMember && std::isnan(t.splits[i])) {
      return n.Error() << "the threshold of node " << i << " is NaN";
    }
    if (t.features[i] < 0 || (features >= 0 && t.features[i] >= features)) {
      return n.Error() << "node " << i << " tests feature " << t.features[i] << "; the input has "
                       << (features >= 0 ? std::to_string(features) : "more than 0");
    }
  }
  return absl::OkStatus();
}

// The sets of the kMember nodes follow one another; NaN ends a set.
absl::Status ReadMemberSets(NodeCall& n, TreeTables& t) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<double> values, NumbersOf(n, "membership_values"));
  size_t next = 0;
  for (size_t i = 0; i < t.modes.size(); ++i) {
    t.set_begins.push_back(std::ssize(t.members));
    if (static_cast<Branch>(t.modes[i]) == Branch::kMember) {
      if (next >= values.size()) {
        return n.Error() << "'membership_values' has no set for node " << i;
      }
      while (next < values.size() && !std::isnan(values[next])) {
        t.members.push_back(values[next++]);
      }
      ++next;
    }
    t.set_ends.push_back(std::ssize(t.members));
  }
  if (next < values.size()) return n.Error() << "'membership_values' has more sets than nodes";
  return absl::OkStatus();
}

class NamedTreeReader {
 public:
  NamedTreeReader(NodeCall& n, const std::string& prefix) : n_(n), prefix_(prefix) {}

  absl::StatusOr<TreeTables> Read(int64_t targets, int64_t features) {
    t_.targets = targets;
    LATHE_ASSIGN_OR_RETURN(lists_.splits, FloatsOrTensor(n_, "nodes_values"));
    LATHE_RETURN_IF_ERROR(NumberNodes());
    LATHE_RETURN_IF_ERROR(AddNodes());
    LATHE_RETURN_IF_ERROR(CheckNodes(n_, lists_, "nodes_values", t_, features));
    LATHE_RETURN_IF_ERROR(AddWeights());
    LATHE_RETURN_IF_ERROR(NeedNoCycles(n_, t_));
    t_.set_begins = t_.set_ends = std::vector<int64_t>(t_.features.size(), 0);
    return std::move(t_);
  }

 private:
  using Key = std::pair<int64_t, int64_t>;  // a tree and a node of it

  // Gives each (tree, node) pair its reference, and each tree the first of its nodes as its root.
  absl::Status NumberNodes() {
    modes_ = n_.StringList("nodes_modes");
    trees_ = n_.Ints("nodes_treeids");
    const std::vector<int64_t> ids = n_.Ints("nodes_nodeids");
    lists_.features = n_.Ints("nodes_featureids");
    lists_.yes = n_.Ints("nodes_truenodeids");
    lists_.no = n_.Ints("nodes_falsenodeids");
    lists_.missing = n_.Ints("nodes_missing_value_tracks_true");
    if (modes_.empty()) return n_.Error() << "attribute 'nodes_modes' has no nodes";
    LATHE_RETURN_IF_ERROR(NeedLength(n_, "nodes_treeids", trees_.size(), modes_.size()));
    LATHE_RETURN_IF_ERROR(NeedLength(n_, "nodes_nodeids", ids.size(), modes_.size()));
    LATHE_RETURN_IF_ERROR(
        NeedLength(n_, "nodes_featureids", lists_.features.size(), modes_.size()));
    LATHE_RETURN_IF_ERROR(CheckNodes(n_, lists_, "nodes_values", t_, -1));
    absl::flat_hash_set<int64_t> seen;
    int64_t nodes = 0;
    for (size_t i = 0; i < modes_.size(); ++i) {
      const bool leaf = modes_[i] == "LEAF";
      const int64_t reference = leaf ? LeafReference(leaves_++) : nodes++;
      if (!references_.emplace(Key{trees_[i], ids[i]}, reference).second) {
        return n_.Error() << "tree " << trees_[i] << " has two nodes " << ids[i];
      }
      if (seen.insert(trees_[i]).second) t_.roots.push_back(reference);
    }
    return absl::OkStatus();
  }

  absl::Status AddNodes() {
    for (size_t i = 0; i < modes_.size(); ++i) {
      if (modes_[i] == "LEAF") continue;
      const auto* row = std::find_if(std::begin(kBranchNames), std::end(kBranchNames),
                                     [&](const BranchName& b) { return modes_[i] == b.name; });
      if (row == std::end(kBranchNames)) {
        return n_.Error() << "node " << i << " has the unknown mode '" << modes_[i]
                          << "'; known: BRANCH_LEQ, BRANCH_LT, BRANCH_GTE, BRANCH_GT, BRANCH_EQ, "
                             "BRANCH_NEQ, LEAF";
      }
      t_.modes.push_back(static_cast<int64_t>(row->branch));
      t_.features.push_back(lists_.features[i]);
      t_.splits.push_back(lists_.splits[i]);
      t_.missing_yes.push_back(!lists_.missing.empty() && lists_.missing[i] != 0 ? 1 : 0);
      for (const bool yes : {true, false}) {
        const int64_t child = yes ? lists_.yes[i] : lists_.no[i];
        const auto found = references_.find(Key{trees_[i], child});
        if (found == references_.end()) {
          return n_.Error() << "a node of tree " << trees_[i] << " continues at node " << child
                            << ", which the tree does not have";
        }
        (yes ? t_.yes : t_.no).push_back(found->second);
      }
    }
    return absl::OkStatus();
  }

  // Sorts the weights by leaf, in the order of the attributes within each leaf.
  absl::Status AddWeights() {
    const std::vector<int64_t> trees = n_.Ints(prefix_ + "_treeids");
    const std::vector<int64_t> ids = n_.Ints(prefix_ + "_nodeids");
    const std::vector<int64_t> to = n_.Ints(prefix_ + "_ids");
    LATHE_ASSIGN_OR_RETURN(const std::vector<double> weights,
                           FloatsOrTensor(n_, prefix_ + "_weights"));
    LATHE_RETURN_IF_ERROR(NeedNumbers(n_, prefix_ + "_weights", weights));
    if (weights.empty() || trees.size() != weights.size() || ids.size() != weights.size() ||
        to.size() != weights.size()) {
      return n_.Error() << "has " << weights.size() << " weights with " << trees.size()
                        << " trees, " << ids.size() << " nodes and " << to.size() << " targets";
    }
    LATHE_RETURN_IF_ERROR(NeedIndices(n_, prefix_ + "_ids", to, t_.targets));
    std::vector<std::pair<int64_t, size_t>> order;  // leaf and index of the weight
    for (size_t i = 0; i < weights.size(); ++i) {
      const auto found = references_.find(Key{trees[i], ids[i]});
      if (found == references_.end() || found->second >= 0) {
        return n_.Error() << "weight " << i << " belongs to node " << ids[i] << " of tree "
                          << trees[i] << ", which is not a leaf of the model";
      }
      order.emplace_back(-1 - found->second, i);
    }
    std::stable_sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
      return std::pair(a.first, to[a.second]) < std::pair(b.first, to[b.second]);
    });
    t_.leaf_begins.assign(static_cast<size_t>(leaves_) + 1, 0);
    for (const auto& [leaf, i] : order) {
      ++t_.leaf_begins[static_cast<size_t>(leaf) + 1];
      t_.weight_targets.push_back(to[i]);
      t_.weights.push_back(weights[i]);
    }
    for (size_t i = 1; i < t_.leaf_begins.size(); ++i) t_.leaf_begins[i] += t_.leaf_begins[i - 1];
    return absl::OkStatus();
  }

  NodeCall& n_;
  const std::string prefix_;
  TreeTables t_;
  NodeLists lists_;
  std::vector<std::string> modes_;
  std::vector<int64_t> trees_;
  absl::flat_hash_map<Key, int64_t> references_;
  int64_t leaves_ = 0;
};

}  // namespace

bool TreeTables::has_single_weights() const {
  for (int64_t k = 0; k <= leaves(); ++k) {
    if (leaf_begins[static_cast<size_t>(k)] != k) return false;
  }
  return true;
}

bool TreeTables::has_dense_leaves() const {
  for (int64_t k = 0; k <= leaves(); ++k) {
    if (leaf_begins[static_cast<size_t>(k)] != k * targets) return false;
  }
  for (size_t i = 0; i < weight_targets.size(); ++i) {
    if (weight_targets[i] != static_cast<int64_t>(i) % targets) return false;
  }
  return true;
}

bool TreeTables::reaches_all_targets() const {
  if (has_dense_leaves()) return true;
  // The leaves of a tree are those that its root reaches. A target is always reached if all leaves
  // of some tree have a weight for it.
  absl::flat_hash_set<int64_t> always;
  for (const int64_t root : roots) {
    absl::flat_hash_map<int64_t, int64_t> counts;  // by target: leaves with a weight for it
    absl::flat_hash_set<int64_t> seen;
    std::vector<int64_t> left = {root};
    int64_t found = 0;
    while (!left.empty()) {
      const int64_t at = left.back();
      left.pop_back();
      if (!seen.insert(at).second) continue;
      if (at >= 0) {
        left.push_back(yes[static_cast<size_t>(at)]);
        left.push_back(no[static_cast<size_t>(at)]);
        continue;
      }
      ++found;
      const auto leaf = static_cast<size_t>(-1 - at);
      absl::flat_hash_set<int64_t> here;
      for (auto w = static_cast<size_t>(leaf_begins[leaf]);
           w < static_cast<size_t>(leaf_begins[leaf + 1]); ++w) {
        if (here.insert(weight_targets[w]).second) ++counts[weight_targets[w]];
      }
    }
    for (const auto& [target, count] : counts) {
      if (count == found) always.insert(target);
    }
  }
  return std::ssize(always) == targets;
}

absl::StatusOr<TreeTables> ReadNamedTrees(NodeCall& n, const std::string& prefix, int64_t targets,
                                          int64_t features) {
  return NamedTreeReader(n, prefix).Read(targets, features);
}

absl::StatusOr<TreeTables> ReadTrees(NodeCall& n, int64_t features) {
  TreeTables t;
  t.targets = n.Int("n_targets", 1);
  const std::vector<int64_t> roots = n.Ints("tree_roots");
  NodeLists lists = {n.Ints("nodes_featureids"),
                     n.Ints("nodes_truenodeids"),
                     n.Ints("nodes_falsenodeids"),
                     n.Ints("nodes_missing_value_tracks_true"),
                     {}};
  const std::vector<int64_t> yes_leaf = n.Ints("nodes_trueleafs");
  const std::vector<int64_t> no_leaf = n.Ints("nodes_falseleafs");
  LATHE_ASSIGN_OR_RETURN(lists.splits, NumbersOf(n, "nodes_splits"));
  LATHE_ASSIGN_OR_RETURN(const std::vector<double> modes, NumbersOf(n, "nodes_modes"));
  LATHE_ASSIGN_OR_RETURN(t.weights, NumbersOf(n, "leaf_weights"));
  LATHE_RETURN_IF_ERROR(NeedNumbers(n, "leaf_weights", t.weights));
  t.weight_targets = n.Ints("leaf_targetids");
  const size_t count = lists.features.size();
  if (count == 0 || roots.empty()) return n.Error() << "has no nodes or no roots of trees";
  LATHE_RETURN_IF_ERROR(NeedLength(n, "nodes_modes", modes.size(), count));
  LATHE_RETURN_IF_ERROR(NeedLength(n, "nodes_trueleafs", yes_leaf.size(), count));
  LATHE_RETURN_IF_ERROR(NeedLength(n, "nodes_falseleafs", no_leaf.size(), count));
  for (const double mode : modes) {
    if (!(mode >= 0 && mode <= static_cast<double>(Branch::kMember))) {
      return n.Error() << "a mode of a node is " << mode << "; modes are 0 to 6";
    }
    t.modes.push_back(static_cast<int64_t>(mode));
  }
  if (t.weights.empty() || t.weights.size() != t.weight_targets.size()) {
    return n.Error() << "has " << t.weights.size() << " weights of leaves with "
                     << t.weight_targets.size() << " targets";
  }
  if (t.targets < 1) return n.Error() << "'n_targets' must be at least 1, not " << t.targets;
  t.features = lists.features;
  t.splits = lists.splits;
  t.missing_yes.assign(count, 0);
  LATHE_RETURN_IF_ERROR(CheckNodes(n, lists, "nodes_splits", t, features));
  for (size_t i = 0; i < lists.missing.size(); ++i)
    t.missing_yes[i] = lists.missing[i] != 0 ? 1 : 0;
  for (size_t i = 0; i < count; ++i) {
    for (const bool yes : {true, false}) {
      const int64_t child = yes ? lists.yes[i] : lists.no[i];
      const bool leaf = (yes ? yes_leaf : no_leaf)[i] != 0;
      const auto size = static_cast<int64_t>(leaf ? t.weights.size() : count);
      if (child < 0 || child >= size) {
        return n.Error() << "node " << i << " refers to " << (leaf ? "leaf " : "node ") << child
                         << ", which does not exist";
      }
      (yes ? t.yes : t.no).push_back(leaf ? LeafReference(child) : child);
    }
  }
  LATHE_RETURN_IF_ERROR(NeedIndices(n, "tree_roots", roots, static_cast<int64_t>(count)));
  LATHE_RETURN_IF_ERROR(NeedIndices(n, "leaf_targetids", t.weight_targets, t.targets));
  t.roots = roots;
  for (size_t i = 0; i <= t.weights.size(); ++i) t.leaf_begins.push_back(static_cast<int64_t>(i));
  LATHE_RETURN_IF_ERROR(ReadMemberSets(n, t));
  LATHE_RETURN_IF_ERROR(NeedNoCycles(n, t));
  return t;
}

}  // namespace lathe::onnx

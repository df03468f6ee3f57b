// Reads ensembles of decision trees from the attributes of TreeEnsemble, TreeEnsembleClassifier and
// TreeEnsembleRegressor into tables of nodes and leaves.
#ifndef LATHE_READER_ONNX_TREE_TABLES_H_
#define LATHE_READER_ONNX_TREE_TABLES_H_

#include <string>
#include <utility>
#include <vector>

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// The comparison of a feature with the split of a node, numbered as in TreeEnsemble.
enum class Branch { kLessEqual = 0, kLess, kGreaterEqual, kGreater, kEqual, kNotEqual, kMember };

// A reference to a node is its index, a reference to leaf k is -1 - k.
struct TreeTables {
  int64_t targets = 1;
  std::vector<int64_t> roots;  // references, one per tree
  // By node.
  std::vector<int64_t> features, modes, yes, no;
  std::vector<int64_t> missing_yes;  // 1: NaN takes the branch `yes`
  std::vector<double> splits;
  std::vector<int64_t> set_begins, set_ends;  // of kMember: the range in `members`
  std::vector<double> members;
  // By leaf: the range of its weights begins here; one more entry than there are leaves.
  std::vector<int64_t> leaf_begins;
  std::vector<int64_t> weight_targets;
  std::vector<double> weights;

  int64_t nodes() const { return std::ssize(features); }
  int64_t leaves() const { return std::ssize(leaf_begins) - 1; }
  // Returns true if each leaf has one weight for each target, in order.
  bool has_dense_leaves() const;
  // Returns true if each leaf has one weight.
  bool has_single_weights() const;
  // Returns true if every row certainly reaches a leaf with a weight of each target.
  bool reaches_all_targets() const;
};

// Reads the tables of TreeEnsemble. `features` is the number of features, or -1 if it is symbolic.
absl::StatusOr<TreeTables> ReadTrees(NodeCall& n, int64_t features);
// Reads the tables of the other operators, whose attributes of weights begin with `prefix`: "class"
// or "target".
absl::StatusOr<TreeTables> ReadNamedTrees(NodeCall& n, const std::string& prefix, int64_t targets,
                                          int64_t features);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_TREE_TABLES_H_

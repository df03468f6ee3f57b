#include "generator/driver/compare/compare_operators.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "generator/driver/compare/align_sequences.h"
#include "generator/interp/data/scalar.h"
#include "generator/interp/data/tensor.h"

namespace lathe::driver {
namespace {

std::vector<SequenceKey> KeysOf(const std::vector<ListedOperator>& list) {
  std::vector<SequenceKey> keys;
  for (const ListedOperator& op : list) {
    keys.push_back({absl::StrCat(op.op, "\n", op.type, "\n", op.attrs), op.op});
  }
  return keys;
}

// Joins operators that replace others: between two pairs, as many of `b` as of `a`, each with the
// same type of result.
std::vector<AlignedPair> JoinReplaced(const std::vector<AlignedPair>& pairs,
                                      const OperatorsDiff& diff) {
  std::vector<AlignedPair> joined;
  for (size_t at = 0; at < pairs.size();) {
    size_t middle = at, end = at;
    while (middle < pairs.size() && pairs[middle].b < 0) ++middle;
    for (end = middle; end < pairs.size() && pairs[end].a < 0;) ++end;
    bool replaced = middle - at == end - middle;
    for (size_t i = 0; replaced && at + i < middle; ++i) {
      replaced = diff.a[static_cast<size_t>(pairs[at + i].a)].type ==
                 diff.b[static_cast<size_t>(pairs[middle + i].b)].type;
    }
    for (size_t i = 0; replaced && at + i < middle; ++i) {
      joined.push_back({pairs[at + i].a, pairs[middle + i].b, false});
    }
    if (!replaced)
      joined.insert(joined.end(), pairs.begin() + static_cast<int64_t>(at),
                    pairs.begin() + static_cast<int64_t>(end));
    at = end;
    if (at < pairs.size()) joined.push_back(pairs[at++]);
  }
  return joined;
}

class OperatorComparison {
 public:
  OperatorComparison(const ir::Module& a, const ir::Module& b) : module_a_(a), module_b_(b) {
    diff_.a = ListOperators(a);
    diff_.b = ListOperators(b);
  }

  OperatorsDiff Run() {
    const std::vector<AlignedPair> pairs =
        JoinReplaced(AlignSequences(KeysOf(diff_.a), KeysOf(diff_.b)), diff_);
    partner_.assign(diff_.a.size(), -1);
    for (const AlignedPair& pair : pairs) {
      if (pair.a >= 0 && pair.b >= 0) partner_[static_cast<size_t>(pair.a)] = pair.b;
    }
    for (const AlignedPair& pair : pairs) {
      if (pair.a < 0) {
        diff_.weights.added += std::ssize(B(pair).constants);
        diff_.changes.push_back({ChangeKind::kAdded, -1, pair.b, {}});
      } else if (pair.b < 0) {
        diff_.weights.removed += std::ssize(A(pair).constants);
        diff_.changes.push_back({ChangeKind::kRemoved, pair.a, -1, {}});
      } else {
        Both(pair);
      }
    }
    return std::move(diff_);
  }

 private:
  const ListedOperator& A(const AlignedPair& pair) const {
    return diff_.a[static_cast<size_t>(pair.a)];
  }
  const ListedOperator& B(const AlignedPair& pair) const {
    return diff_.b[static_cast<size_t>(pair.b)];
  }

  void Both(const AlignedPair& pair) {
    const ListedOperator &a = A(pair), &b = B(pair);
    std::vector<std::string> details;
    if (a.op != b.op) details.push_back(absl::StrCat("operator: ", a.op, " -> ", b.op));
    if (a.type != b.type) details.push_back(absl::StrCat("type: ", a.type, " -> ", b.type));
    if (a.attrs != b.attrs) {
      details.push_back(a.op == "PrimFunc"
                            ? std::string("the text of the PrimFunc differs")
                            : absl::StrCat("attributes: ", a.attrs, " -> ", b.attrs));
    }
    Operands(a, b, details);
    if (details.empty()) {
      ++diff_.same;
    } else {
      diff_.changes.push_back({ChangeKind::kChanged, pair.a, pair.b, std::move(details)});
    }
    Constants(a, b);
  }

  static std::string Shown(const std::vector<ListedOperator>& list, const ListedOperand& operand) {
    if (operand.producer < 0) return operand.text;
    const ListedOperator& op = list[static_cast<size_t>(operand.producer)];
    return absl::StrCat("'", op.name, "' (", op.op, ")");
  }

  void Operands(const ListedOperator& a, const ListedOperator& b,
                std::vector<std::string>& details) const {
    if (a.operands.size() != b.operands.size()) {
      details.push_back(absl::StrCat(a.operands.size(), " operands -> ", b.operands.size()));
      return;
    }
    for (size_t i = 0; i < a.operands.size(); ++i) {
      const ListedOperand &x = a.operands[i], &y = b.operands[i];
      const bool same = x.producer < 0 || y.producer < 0
                            ? x.producer == y.producer && x.text == y.text
                            : partner_[static_cast<size_t>(x.producer)] == y.producer;
      if (same) continue;
      details.push_back(
          absl::StrCat("operand ", i, ": ", Shown(diff_.a, x), " -> ", Shown(diff_.b, y)));
    }
  }

  void Constants(const ListedOperator& a, const ListedOperator& b) {
    WeightsChange& weights = diff_.weights;
    const size_t both = std::min(a.constants.size(), b.constants.size());
    weights.removed += std::ssize(a.constants) - static_cast<int64_t>(both);
    weights.added += std::ssize(b.constants) - static_cast<int64_t>(both);
    for (size_t i = 0; i < both; ++i) {
      const ir::Constant &x = module_a_.constants[a.constants[i]],
                         &y = module_b_.constants[b.constants[i]];
      if (x.dtype != y.dtype || x.shape != y.shape) {
        ++weights.removed;
        ++weights.added;
      } else if (*x.bytes == *y.bytes) {
        ++weights.equal;
      } else {
        ++weights.changed;
        weights.largest = std::max(weights.largest, LargestDifference(x, y));
      }
    }
  }

  // Both constants have the same dtype and shape. A NaN on one side only is an infinite difference.
  static double LargestDifference(const ir::Constant& x, const ir::Constant& y) {
    uint64_t elements = static_cast<uint64_t>(std::max<int>(x.dtype.lanes, 1));
    for (int64_t dim : x.shape) elements *= static_cast<uint64_t>(dim);
    const ir::DType dtype = x.dtype.element();
    double largest = 0;
    for (uint64_t i = 0; i < elements; ++i) {
      const interp::Bits left = interp::ReadElement(x.bytes->data(), dtype, i);
      const interp::Bits right = interp::ReadElement(y.bytes->data(), dtype, i);
      if (left == right) continue;
      const double from = interp::Scalar{dtype, left}.AsDouble();
      const double to = interp::Scalar{dtype, right}.AsDouble();
      if (std::isnan(from) && std::isnan(to)) continue;
      const double off = from == to ? 0 : std::fabs(to - from);
      largest = std::isnan(off) ? HUGE_VAL : std::max(largest, off);
    }
    return largest;
  }

  const ir::Module &module_a_, &module_b_;
  OperatorsDiff diff_;
  std::vector<int> partner_;  // in b, of each operator of a
};

}  // namespace

const char* NameOf(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::kAdded:
      return "added";
    case ChangeKind::kRemoved:
      return "removed";
    case ChangeKind::kChanged:
      return "changed";
  }
  return "changed";
}

OperatorsDiff CompareOperators(const ir::Module& a, const ir::Module& b) {
  return OperatorComparison(a, b).Run();
}

}  // namespace lathe::driver

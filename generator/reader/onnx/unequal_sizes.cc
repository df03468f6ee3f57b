#include "generator/reader/onnx/unequal_sizes.h"

#include <algorithm>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/arithmetic/prove.h"

namespace lathe::onnx {
namespace {

// Maximum number of pairs to list.
constexpr size_t kMaxPairs = 4;

std::vector<const std::vector<ir::PrimRef>*> ShapesOf(Import& import,
                                                      const std::vector<Term>& inputs) {
  std::vector<const std::vector<ir::PrimRef>*> shapes;
  for (const Term& term : inputs) {
    if (!term.operand) continue;
    const auto* info = import.builder.InfoOf(*term.operand)->As<ir::TensorInfo>();
    if (info != nullptr && info->dims() != nullptr) shapes.push_back(info->dims());
  }
  return shapes;
}

bool MayDiffer(Import& import, ir::PrimRef a, ir::PrimRef b) {
  const auto* one = a->As<ir::IntImm>();
  const auto* other = b->As<ir::IntImm>();
  if ((one != nullptr && one->value == 1) || (other != nullptr && other->value == 1)) return false;
  return analysis::ProveEqual(import.context, a, b) == ir::Tri::kUnknown;
}

}  // namespace

std::string DescribeUnequalSizes(Import& import, const std::vector<Term>& inputs) {
  const auto shapes = ShapesOf(import, inputs);
  std::vector<std::string> pairs;
  for (size_t k = 1; k < shapes.size(); ++k) {
    for (size_t j = 0; j < k; ++j) {
      for (size_t i = 1; i <= std::min(shapes[j]->size(), shapes[k]->size()); ++i) {
        const ir::PrimRef a = (*shapes[j])[shapes[j]->size() - i];
        const ir::PrimRef b = (*shapes[k])[shapes[k]->size() - i];
        if (a == b || !MayDiffer(import, a, b)) continue;
        std::string pair = absl::StrCat("'", ir::ToString(a), "' and '", ir::ToString(b), "'");
        if (!absl::c_linear_search(pairs, pair)) pairs.push_back(std::move(pair));
      }
    }
  }
  if (pairs.empty()) return "";
  std::string list;
  for (size_t i = 0; i < pairs.size() && i < kMaxPairs; ++i) {
    absl::StrAppend(&list, i == 0 ? "" : ", ", pairs[i]);
  }
  return absl::StrCat(list, pairs.size() > kMaxPairs ? ", ..." : "",
                      " must be equal: set their sizes with -D NAME=N, or declare that they are "
                      "greater than 1 with -D NAME=2..MAX");
}

}  // namespace lathe::onnx

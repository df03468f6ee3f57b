#include "generator/transform/post_training/input_moments.h"

#include <algorithm>
#include <utility>

namespace lathe::transform {

InputMoments::InputMoments(ProductView view) : view_(std::move(view)) {
  groups_.resize(static_cast<size_t>(view_.groups()));
  const auto depth = static_cast<size_t>(view_.depth());
  for (GroupMoments& group : groups_) {
    group.sums.resize(depth);
    if (view_.depth() <= kMaxMomentDepth) group.squares.resize(depth * (depth + 1) / 2);
  }
}

void InputMoments::Add(const interp::Tensor& x) {
  const int64_t count = view_.RowsOf(x);
  // An odd step visits all columns of an image of even width.
  const int64_t step = std::max<int64_t>(1, count / kMaxMomentRows) | 1;
  view_.ForEachRow(x, step, [&](int64_t g, const std::vector<double>& row) {
    GroupMoments& group = groups_[static_cast<size_t>(g)];
    if (g == 0) ++rows_;
    double* square = group.squares.data();
    for (size_t i = 0; i < row.size(); ++i) {
      group.sums[i] += row[i];
      if (group.squares.empty()) continue;
      const double factor = row[i];
      // Rows after an activation have many zeros.
      if (factor != 0) {
        for (size_t j = 0; j <= i; ++j) square[j] += factor * row[j];
      }
      square += i + 1;
    }
  });
}

}  // namespace lathe::transform

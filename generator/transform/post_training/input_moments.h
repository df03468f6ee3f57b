// Collects the sums and second moments of the rows that a product multiplies with its weights.
#ifndef LATHE_TRANSFORM_POST_TRAINING_INPUT_MOMENTS_H_
#define LATHE_TRANSFORM_POST_TRAINING_INPUT_MOMENTS_H_

#include <cstdint>
#include <vector>

#include "generator/transform/post_training/product_view.h"

namespace lathe::transform {

// Second moments are collected for rows of up to this many elements: their memory grows with the
// square.
inline constexpr int64_t kMaxMomentDepth = 1024;
// Fewer than twice this number of rows of one sample are used.
inline constexpr int64_t kMaxMomentRows = 256;

struct GroupMoments {
  std::vector<double> sums;     // of each element of a row
  std::vector<double> squares;  // of each pair; only the pairs (i, j) with j <= i; empty: too deep
};

class InputMoments {
 public:
  explicit InputMoments(ProductView view);

  void Add(const interp::Tensor& x);
  const ProductView& view() const { return view_; }
  int64_t rows() const { return rows_; }
  const std::vector<GroupMoments>& groups() const { return groups_; }

 private:
  ProductView view_;
  std::vector<GroupMoments> groups_;
  int64_t rows_ = 0;
};

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_POST_TRAINING_INPUT_MOMENTS_H_

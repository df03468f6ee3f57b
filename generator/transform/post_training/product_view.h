// Views a convolution or matrix product as products of rows of its input with columns of weights.
#ifndef LATHE_TRANSFORM_POST_TRAINING_PRODUCT_VIEW_H_
#define LATHE_TRANSFORM_POST_TRAINING_PRODUCT_VIEW_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "generator/interp/data/tensor.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// A column is one channel of the result. The columns of a group multiply the same rows.
class ProductView {
 public:
  // The call is a product of NetworkLayers.
  ProductView(const ir::Module& module, const ir::Call& call);

  int64_t groups() const { return groups_; }
  int64_t columns() const { return columns_; }
  int64_t columns_of_group() const { return columns_ / groups_; }
  int64_t depth() const { return channels_ * taps_h_ * taps_w_; }
  // Returns the position of an element of a column in the constant of the weights.
  size_t WeightAt(int64_t column, int64_t k) const;
  // Returns the channel of the input, within its group, that the element multiplies.
  int64_t ChannelOf(int64_t k) const { return k / (taps_h_ * taps_w_); }

  // Calls `visit(group, row)` for every `step`-th row of each group, where `row` has depth()
  // elements.
  void ForEachRow(const interp::Tensor& x, int64_t step,
                  const std::function<void(int64_t, const std::vector<double>&)>& visit) const;
  // Returns the number of rows of a group for an input of this shape.
  int64_t RowsOf(const interp::Tensor& x) const;

 private:
  struct Image {
    int64_t batch = 1, height = 1, width = 1, out_h = 1, out_w = 1;
    int64_t batch_stride = 0, channel_stride = 0, row_stride = 0, column_stride = 0;
  };
  Image ImageOf(const interp::Tensor& x) const;

  bool is_conv_ = false;
  std::string data_layout_;
  int64_t groups_ = 1, columns_ = 1, channels_ = 1, taps_h_ = 1, taps_w_ = 1;
  int64_t stride_h_ = 1, stride_w_ = 1, dilation_h_ = 1, dilation_w_ = 1;
  int64_t top_ = 0, left_ = 0, bottom_ = 0, right_ = 0;
  // Distances of the axes of the weights.
  int64_t out_stride_ = 0, in_stride_ = 0, h_stride_ = 0, w_stride_ = 0;
};

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_POST_TRAINING_PRODUCT_VIEW_H_

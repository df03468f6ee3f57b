#include "generator/transform/post_training/product_view.h"

#include "generator/ir/op.h"
#include "generator/ops/args/attributes.h"
#include "generator/transform/post_training/constant_values.h"

namespace lathe::transform {
namespace {

// The length of an axis, by its letter in the layout, and the distance of its elements.
struct AxisPlace {
  int64_t length = 1, stride = 0;
};
AxisPlace PlaceOf(const std::string& layout, const std::vector<int64_t>& dims, char letter) {
  const size_t at = layout.find(letter);
  if (at == std::string::npos) return {};
  AxisPlace place{dims[at], 1};
  for (size_t i = at + 1; i < dims.size(); ++i) place.stride *= dims[i];
  return place;
}

}  // namespace

ProductView::ProductView(const ir::Module& module, const ir::Call& call) {
  const std::vector<int64_t>& shape = module.constants[*call.args[1].As<ir::ConstantId>()].shape;
  is_conv_ = call.op()->name != "relax.matmul";
  if (!is_conv_) {
    channels_ = shape[0];
    columns_ = shape[1];
    in_stride_ = shape[1];
    out_stride_ = 1;
    return;
  }
  data_layout_ = ops::FindString(call, "data_layout");
  const std::string kernel = ops::FindString(call, "kernel_layout");
  const AxisPlace o = PlaceOf(kernel, shape, 'O'), i = PlaceOf(kernel, shape, 'I');
  const AxisPlace h = PlaceOf(kernel, shape, 'H'), w = PlaceOf(kernel, shape, 'W');
  columns_ = o.length;
  channels_ = i.length;
  taps_h_ = h.length;
  taps_w_ = w.length;
  out_stride_ = o.stride;
  in_stride_ = i.stride;
  h_stride_ = h.stride;
  w_stride_ = w.stride;
  groups_ = ops::IntAttr(call, "groups");
  const std::vector<int64_t> strides = ops::IntsAttr(call, "strides");
  const std::vector<int64_t> dilation = ops::IntsAttr(call, "dilation");
  const std::vector<int64_t> padding = ops::IntsAttr(call, "padding");
  stride_w_ = strides.back();
  dilation_w_ = dilation.back();
  left_ = padding[padding.size() / 2 - 1];
  right_ = padding.back();
  if (strides.size() < 2) return;
  stride_h_ = strides[0];
  dilation_h_ = dilation[0];
  top_ = padding[0];
  bottom_ = padding[2];
}

size_t ProductView::WeightAt(int64_t column, int64_t k) const {
  const int64_t tap = k % (taps_h_ * taps_w_);
  return static_cast<size_t>(column * out_stride_ + ChannelOf(k) * in_stride_ +
                             tap / taps_w_ * h_stride_ + tap % taps_w_ * w_stride_);
}

ProductView::Image ProductView::ImageOf(const interp::Tensor& x) const {
  Image image;
  if (!is_conv_) {
    image.channel_stride = 1;
    image.batch_stride = channels_;
    image.batch = channels_ == 0 ? 0 : static_cast<int64_t>(x.num_elements()) / channels_;
    return image;
  }
  const AxisPlace n = PlaceOf(data_layout_, x.shape, 'N'), c = PlaceOf(data_layout_, x.shape, 'C');
  const AxisPlace h = PlaceOf(data_layout_, x.shape, 'H'), w = PlaceOf(data_layout_, x.shape, 'W');
  image.batch = n.length;
  image.batch_stride = n.stride;
  image.channel_stride = c.stride;
  image.height = h.length;
  image.row_stride = h.stride;
  image.width = w.length;
  image.column_stride = w.stride;
  const int64_t reach_h = (taps_h_ - 1) * dilation_h_ + 1,
                reach_w = (taps_w_ - 1) * dilation_w_ + 1;
  image.out_h = (image.height + top_ + bottom_ - reach_h) / stride_h_ + 1;
  image.out_w = (image.width + left_ + right_ - reach_w) / stride_w_ + 1;
  return image;
}

int64_t ProductView::RowsOf(const interp::Tensor& x) const {
  const Image image = ImageOf(x);
  return image.batch * image.out_h * image.out_w;
}

void ProductView::ForEachRow(
    const interp::Tensor& x, int64_t step,
    const std::function<void(int64_t, const std::vector<double>&)>& visit) const {
  const Image image = ImageOf(x);
  const std::vector<float> values = FloatsOf(x);
  std::vector<double> row(static_cast<size_t>(depth()));
  const int64_t each = image.out_h * image.out_w;
  for (int64_t r = 0; r < image.batch * each; r += step) {
    const int64_t n = r / each, y = r % each / image.out_w, column = r % image.out_w;
    for (int64_t g = 0; g < groups_; ++g) {
      size_t k = 0;
      for (int64_t c = 0; c < channels_; ++c) {
        for (int64_t tap = 0; tap < taps_h_ * taps_w_; ++tap) {
          const int64_t iy = y * stride_h_ + tap / taps_w_ * dilation_h_ - top_;
          const int64_t ix = column * stride_w_ + tap % taps_w_ * dilation_w_ - left_;
          const bool inside = iy >= 0 && iy < image.height && ix >= 0 && ix < image.width;
          const int64_t at = n * image.batch_stride + (g * channels_ + c) * image.channel_stride +
                             iy * image.row_stride + ix * image.column_stride;
          row[k++] = inside ? static_cast<double>(values[static_cast<size_t>(at)]) : 0;
        }
      }
      visit(g, row);
    }
  }
}

}  // namespace lathe::transform

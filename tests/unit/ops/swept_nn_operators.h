// The operators of networks that the sweeps in this folder run: convolutions, pooling,
// normalisations, attention, losses, images, regions, products, gradients.
#ifndef LATHE_TESTS_UNIT_OPS_SWEPT_NN_OPERATORS_H_
#define LATHE_TESTS_UNIT_OPS_SWEPT_NN_OPERATORS_H_

#include "absl/strings/string_view.h"

namespace lathe::ops {

inline constexpr absl::string_view kSweptNnOperators[] = {
    "relax.dequantize",
    "relax.einsum",
    "relax.grad.avg_pool2d_backward",
    "relax.grad.max_pool2d_backward",
    "relax.grad.nll_loss_backward",
    "relax.grad.take_backward",
    "relax.image.affine_grid",
    "relax.image.grid_sample",
    "relax.image.resize2d",
    "relax.image.resize3d",
    "relax.lathe.requantize",
    "relax.matmul",
    "relax.nn.adaptive_avg_pool1d",
    "relax.nn.adaptive_avg_pool2d",
    "relax.nn.adaptive_avg_pool3d",
    "relax.nn.attention",
    "relax.nn.attention_bias",
    "relax.nn.attention_var_len",
    "relax.nn.avg_pool1d",
    "relax.nn.avg_pool2d",
    "relax.nn.avg_pool3d",
    "relax.nn.batch_flatten",
    "relax.nn.batch_norm",
    "relax.nn.conv1d",
    "relax.nn.conv1d_transpose",
    "relax.nn.conv2d",
    "relax.nn.conv2d_transpose",
    "relax.nn.conv3d",
    "relax.nn.conv3d_transpose",
    "relax.nn.cross_entropy_with_logits",
    "relax.nn.dropout",
    "relax.nn.gelu",
    "relax.nn.gelu_tanh",
    "relax.nn.group_norm",
    "relax.nn.instance_norm",
    "relax.nn.layer_norm",
    "relax.nn.leakyrelu",
    "relax.nn.log_softmax",
    "relax.nn.max_pool1d",
    "relax.nn.max_pool2d",
    "relax.nn.max_pool3d",
    "relax.nn.nll_loss",
    "relax.nn.pad",
    "relax.nn.pixel_shuffle",
    "relax.nn.prelu",
    "relax.nn.relu",
    "relax.nn.rms_norm",
    "relax.nn.selu",
    "relax.nn.silu",
    "relax.nn.softmax",
    "relax.nn.softplus",
    "relax.outer",
    "relax.quantize",
    "relax.vision.all_class_non_max_suppression",
    "relax.vision.get_valid_counts",
    "relax.vision.multibox_transform_loc",
    "relax.vision.non_max_suppression",
    "relax.vision.roi_align",
    "relax.vision.roi_pool",
};

}  // namespace lathe::ops

#endif  // LATHE_TESTS_UNIT_OPS_SWEPT_NN_OPERATORS_H_

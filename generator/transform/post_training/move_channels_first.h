// Moves the channels of images with channels last, as TFLite models have them, to the axis in front
// of the image, where ONNX has them.
//
//   a = R.nn.conv2d(x, v, data_layout="NHWC")      t = R.permute_dims(x, axes=[0, 3, 1, 2])
//   b = R.add(a, bias)                         →   a = R.nn.conv2d(t, v_)
//   c = R.nn.conv2d(b, w, data_layout="NHWC")      b = R.add(a, bias_)
//                                                  c = R.permute_dims(R.nn.conv2d(b, w_), ...)
//
// Images that enter or leave a function keep their layout.
#ifndef LATHE_TRANSFORM_POST_TRAINING_MOVE_CHANNELS_FIRST_H_
#define LATHE_TRANSFORM_POST_TRAINING_MOVE_CHANNELS_FIRST_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// Needs Value::info. Branches are not changed.
void MoveChannelsFirst(ir::Context& context, ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_POST_TRAINING_MOVE_CHANNELS_FIRST_H_

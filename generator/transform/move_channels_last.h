// Moves the channels of images between convolutions to the innermost axis. Vectors of adjacent
// channels are then loaded and stored contiguously, for every stride and image size.
//
//   a = R.nn.conv2d(x, v)         a_ = R.nn.conv2d(x, v, out_layout="NHWC")
//   b = R.nn.relu(a)         →    b_ = R.nn.relu(a_)
//   c = R.nn.conv2d(b, w)         c = R.nn.conv2d(b_, w, data_layout="NHWC", out_layout="NCHW")
//
// Images that enter or leave a function keep their layout. On a GPU the pass gives tensor cores
// contiguous runs of channels as operands of convolutions. There it needs channel counts of whole
// runs, and moves the channels of kernels innermost too.
#ifndef LATHE_TRANSFORM_MOVE_CHANNELS_LAST_H_
#define LATHE_TRANSFORM_MOVE_CHANNELS_LAST_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// Moves the channels of float32 images in each block. Requires Value::info.
void MoveChannelsLast(ir::Context& context, ir::Module& module);

// Moves the channels of images around convolutions of float16 and bfloat16, for tensor cores.
// Requires Value::info.
void MoveChannelsLastForCores(ir::Context& context, ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_MOVE_CHANNELS_LAST_H_

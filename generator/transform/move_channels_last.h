// Images between convolutions get their channels innermost: vectors of neighbouring channels are
// loaded and stored as they lie, whatever the stride, and however small the image.
//
//   a = R.nn.conv2d(x, v)         a_ = R.nn.conv2d(x, v, out_layout="NHWC")
//   b = R.nn.relu(a)         →    b_ = R.nn.relu(a_)
//   c = R.nn.conv2d(b, w)         c = R.nn.conv2d(b_, w, data_layout="NHWC", out_layout="NCHW")
//
// What comes into a function or leaves it stays as it is. On a GPU the same makes runs of channels
// of the elements that a convolution brings to tensor cores: where channels are whole runs, and
// with kernels that have theirs innermost too.
#ifndef LATHE_TRANSFORM_MOVE_CHANNELS_LAST_H_
#define LATHE_TRANSFORM_MOVE_CHANNELS_LAST_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// Of float32 images, in each block. Needs Value::info.
void MoveChannelsLast(ir::Context& context, ir::Module& module);

// Around convolutions of float16 and bfloat16.
void MoveChannelsLastForCores(ir::Context& context, ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_MOVE_CHANNELS_LAST_H_

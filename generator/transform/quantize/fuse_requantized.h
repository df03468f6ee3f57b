// Replaces convolutions and products of quantized integers, whose sums R.lathe.requantize converts,
// by integer kernels with the same results.
//
//   a = R.subtract(R.astype(x, "int32"), z)
//   b = R.nn.conv2d(a, w, ..., out_dtype="int32")
//   y = R.lathe.requantize(R.add(b, bias), ...)
//
// becomes y = R.call_tir(conv2d, (x, w, bias, ...)).
#ifndef LATHE_TRANSFORM_QUANTIZE_FUSE_REQUANTIZED_H_
#define LATHE_TRANSFORM_QUANTIZE_FUSE_REQUANTIZED_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/target/target.h"

namespace lathe::transform {

// Rewrites all functions of the module. Channels that no result depends on are removed
// (prune_channels.h). Needs Value::info. Does nothing for CUDA. Other forms stay unchanged: layouts
// other than NHWC, weights that are not constant, sums that may exceed 32 bits. The
// target and `small` select the style of the kernels. Returns false when it changed nothing.
bool FuseRequantized(ir::Context& context, ir::Module& module, const Target& target, bool small);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_FUSE_REQUANTIZED_H_

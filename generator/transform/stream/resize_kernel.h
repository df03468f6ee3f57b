// Makes a PrimFunc that computes fewer frames along time.
//
//   for t in range(20):                     for t in range(1):
//       y[t] = x[t] + x[t + 1]      →           y[t] = x[t] + x[t + 1]
//   x: (21,), y: (20,)                      x: (2,), y: (1,)
#ifndef LATHE_TRANSFORM_STREAM_RESIZE_KERNEL_H_
#define LATHE_TRANSFORM_STREAM_RESIZE_KERNEL_H_

#include <cstdint>

#include "generator/ir/context.h"
#include "generator/ir/tir.h"
#include "generator/transform/stream/window_kernel.h"

namespace lathe::transform {

// Returns the function for `frames` frames of the result.
ir::PrimFunc WithFrames(ir::Context& context, const ir::PrimFunc& func, const KernelWindow& window,
                        int64_t frames);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_STREAM_RESIZE_KERNEL_H_

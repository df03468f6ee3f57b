// The lines of an image that the windows of one line of a result lie in, copied with what stands
// for places outside: then the loops over them ask nothing.
#ifndef LATHE_TRANSFORM_QUANTIZE_COPY_LINES_H_
#define LATHE_TRANSFORM_QUANTIZE_COPY_LINES_H_

#include "generator/transform/kernel_builder.h"
#include "generator/transform/quantize/integer_product.h"

namespace lathe::transform {

// Elements of a line with its padding.
int64_t PaddedLine(const IntegerWindow& window);

// Room for as many as the window is high.
ir::BufferRef LinesOf(KernelBuilder& k, const IntegerProduct& product);

// Those of image `n` of x from line `top` on, `dilation_h` lines apart, one behind the other.
void CopyLines(KernelBuilder& k, const IntegerProduct& product, ir::BufferRef x,
               ir::BufferRef lines, ir::PrimRef n, ir::PrimRef top);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_COPY_LINES_H_

// Copies the image lines that the windows of one output line read, with padding filled in, so that
// the loops over them need no bounds checks.
#ifndef LATHE_TRANSFORM_QUANTIZE_COPY_LINES_H_
#define LATHE_TRANSFORM_QUANTIZE_COPY_LINES_H_

#include "generator/transform/kernel_builder.h"
#include "generator/transform/quantize/integer_product.h"

namespace lathe::transform {

// Returns the number of elements of a line with its padding.
int64_t PaddedLine(const IntegerWindow& window);

// Returns a buffer for as many lines as the window is high.
ir::BufferRef LinesOf(KernelBuilder& k, const IntegerProduct& product);

// Copies lines of image `n` of x, from line `top` on and `dilation_h` lines apart, to consecutive
// lines.
void CopyLines(KernelBuilder& k, const IntegerProduct& product, ir::BufferRef x,
               ir::BufferRef lines, ir::PrimRef n, ir::PrimRef top);
// Copies the lines of output line `line` by an operation of ir/paired_products.h.
void CallPaddedLines(KernelBuilder& k, const IntegerProduct& product, ir::BufferRef x,
                     ir::BufferRef lines, ir::PrimRef n, ir::PrimRef top, ir::PrimRef line);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_COPY_LINES_H_

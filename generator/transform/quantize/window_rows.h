// Describes the rows that an integer product multiplies together: all of them, or the windows of
// one line of a convolution, with padding copied in.
#ifndef LATHE_TRANSFORM_QUANTIZE_WINDOW_ROWS_H_
#define LATHE_TRANSFORM_QUANTIZE_WINDOW_ROWS_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "generator/transform/kernel_builder.h"
#include "generator/transform/quantize/integer_product.h"

namespace lathe::transform {

// Rows `step` elements apart, and the contiguous pieces of each.
struct WindowRows {
  int64_t rows = 1, step = 0;
  int64_t pieces = 1, pitch = 0;
  int64_t count = 1;  // elements of a piece
};

// Returns true if the elements of a row form contiguous pieces: without a window, or if the window
// has one group and adjacent columns.
bool HasPieces(const IntegerProduct& product);
// Returns the distance between the lines of a window. Copied lines are consecutive.
int64_t PitchOfLines(const IntegerWindow& window);
WindowRows WindowRowsOf(const IntegerProduct& product);

// ForEachLine emits loops over the lines of a convolution and calls `body` in them, with the buffer
// and the index where the rows of the line start, and with the number of its first row. If all rows
// are consecutive, it calls `body` once. ForEachWindowLine always emits the loops. `copies` selects
// how lines are padded: by loops or by an operation.
using LineBody = void(ir::BufferRef source, ir::PrimRef from, ir::PrimRef first);
enum class LineCopies { kLoops, kCalls };
void ForEachLine(KernelBuilder& k, const IntegerProduct& product, ir::BufferRef x,
                 LineCopies copies, absl::FunctionRef<LineBody> body);
void ForEachWindowLine(KernelBuilder& k, const IntegerProduct& product, ir::BufferRef x,
                       LineCopies copies, absl::FunctionRef<LineBody> body);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_WINDOW_ROWS_H_

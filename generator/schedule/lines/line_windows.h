// Describes how a loop over lines reads an image by windows of lines that follow each other.
#ifndef LATHE_SCHEDULE_LINES_LINE_WINDOWS_H_
#define LATHE_SCHEDULE_LINES_LINE_WINDOWS_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "generator/ir/context.h"
#include "generator/schedule/lines/line_loop.h"

namespace lathe::schedule {

// The arguments of ir::kPaddedLines.
enum PaddedArgument : size_t {
  kTop,
  kHeight,
  kLength,
  kBefore,
  kAfter,
  kLines,
  kDilation,
  kFresh,
  kZero,
  kEdges,
  kX,
  kOut
};

// Returns the number of elements from the first that a product reads to the last.
std::optional<int64_t> SpanOf(const ir::Intrinsic& product);

// The number of lines that a product reads in place, next to each other.
int64_t LinesIn(const ir::Intrinsic& product);

// Returns the call of ir::kPaddedLines that copies the lines of `x`, of `length` elements, that the
// product reads in each turn, to `memory`. Returns nullopt if these are not whole lines, or if
// windows have gaps between them.
std::optional<ir::Intrinsic> CopyOfLines(ir::Context& context, const LineLoop& loop,
                                         const ir::Intrinsic& product, int64_t height,
                                         int64_t length, ir::BufferRef memory);

// Returns whether windows have lines outside of the image, if those that a call of ir::kPaddedLines
// copies need every line of the image once, in order: if the lines that a window has in common with
// the one before are the lines that the call moves up. Otherwise returns nullopt.
std::optional<bool> LinesInOrder(const LineLoop& loop, const ir::Intrinsic& padded, int64_t height,
                                 int64_t length);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_LINES_LINE_WINDOWS_H_

// Narrows the padded copy of a convolution's input to the lines that one line of the result reads.
// Small machines have no memory for a second image:
//
//   for n, y: for l < 3, x, c: lines[l, x, c] = image[n, y + l - 1, x - 1, c] if that exists, else
//   0
//             for x, o: out[n, y, x, o] = sum of lines[i, x + j, c] * weight[o, i, j, c]
#ifndef LATHE_SCHEDULE_VECTORS_PAD_LINES_H_
#define LATHE_SCHEDULE_VECTORS_PAD_LINES_H_

#include <optional>
#include <vector>

#include "generator/ir/nest.h"
#include "generator/schedule/vectors/split_padding.h"

namespace lathe::schedule {

struct PaddedLines {
  std::vector<ir::NestAxis> axes;  // the loops that the copy and the sum share
  ir::PaddedCopy copy;
  ir::NestStage sum;
};

// Returns nothing if the lines would be windows of single elements, as in one dimension.
std::optional<PaddedLines> PadLines(ir::Context& context, const SplitPadding& whole);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_VECTORS_PAD_LINES_H_

// Describes in which order the operations of ir/defined_operations.h read their data and write
// their results. Planning relies on it where both share memory.
#ifndef LATHE_IR_ROW_GROUPS_H_
#define LATHE_IR_ROW_GROUPS_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/ir/defined_operations.h"

namespace lathe::ir {

// A part of an operation, in the order of execution: it reads elements from `read_start` on and
// writes up to `written_end`, in elements from the start addresses.
struct RowGroup {
  int64_t read_start = 0;
  int64_t written_end = 0;
  bool reads = true;
  bool reads_first = true;  // all of them before the first write; else in any order
};

// `numbers` are those of NumbersOfDefined(name).
inline std::vector<RowGroup> GroupsOfDefined(absl::string_view name,
                                             absl::Span<const int64_t> numbers) {
  if (name == kPaddedLines) {
    // top, height, length, before, after, lines, dilation, fresh: lines outside of the image are
    // not read.
    const int64_t height = numbers[1], length = numbers[2], lines = numbers[5], fresh = numbers[7];
    int64_t first = numbers[0] + (lines - fresh) * numbers[6];
    for (int64_t y = 0; y < fresh && first < 0; ++y) first += numbers[6];
    return {
        {first * length, lines * (numbers[3] + length + numbers[4]), first >= 0 && first < height}};
  }
  // columns, channels: the channel is the outer loop.
  if (IsChannelProducts(name)) return {{0, numbers[0] * numbers[1], true, false}};
  // rows, step, pieces, pitch, count, columns; and for quads together, each, offset, gathered.
  // Pairs are widened before they are multiplied, and Helium stores results after all sums.
  const int64_t rows = numbers[0], step = numbers[1], columns = numbers[5];
  const bool helium = name == kHeliumProducts, quads = name == kQuadProducts;
  const int64_t together = helium ? 3 : quads ? numbers[6] : 2;
  std::vector<RowGroup> groups;
  for (int64_t r = 0; r < rows; r += together) {
    // The last rows of Helium overlap those before.
    const int64_t first = helium ? std::max<int64_t>(std::min(r, rows - together), 0) : r;
    groups.push_back(
        {first * step, std::min(rows, r + together) * columns, true, !quads || numbers[9] != 0});
  }
  return groups;
}

}  // namespace lathe::ir

#endif  // LATHE_IR_ROW_GROUPS_H_

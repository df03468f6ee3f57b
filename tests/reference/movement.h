// Operators that move elements without computing, as the NumPy functions of these names do. Axes
// count from the end when they are negative.
#ifndef LATHE_TESTS_REFERENCE_MOVEMENT_H_
#define LATHE_TESTS_REFERENCE_MOVEMENT_H_

#include <optional>
#include <string>
#include <vector>

#include "tests/reference/array.h"

namespace lathe::reference {

using Arrays = std::vector<Array>;
using Ints = std::vector<int64_t>;

Array BroadcastTo(const Array& x, const Shape& shape);
// The sum of what a broadcast would copy: from x back to `shape`.
Array CollapseSum(const Array& x, const Shape& shape);
Array Concat(const Arrays& xs, int64_t axis);
Array Stack(const Arrays& xs, int64_t axis);
// In pieces that begin at each of `starts`, which ascend, the first at 0.
Arrays Split(const Array& x, const Ints& starts, int64_t axis);
Array ExpandDims(const Array& x, const Ints& axes);
Array Squeeze(const Array& x, const std::optional<Ints>& axes);
Array Reshape(const Array& x, const Shape& shape);
Array PermuteDims(const Array& x, const std::optional<Ints>& axes);
Array Tile(const Array& x, const Ints& repeats);
Array Repeat(const Array& x, int64_t repeats, std::optional<int64_t> axis);
Array Flip(const Array& x, int64_t axis);
Arrays Meshgrid(const Arrays& xs, const std::string& indexing);
Array OneHot(const Array& indices, double on, double off, int64_t depth, int64_t axis);

}  // namespace lathe::reference

#endif  // LATHE_TESTS_REFERENCE_MOVEMENT_H_

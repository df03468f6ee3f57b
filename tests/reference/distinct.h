// Unique and nonzero elements, as NumPy's unique and nonzero.
#ifndef LATHE_TESTS_REFERENCE_DISTINCT_H_
#define LATHE_TESTS_REFERENCE_DISTINCT_H_

#include <optional>

#include "tests/reference/array.h"

namespace lathe::reference {

struct Distinct {
  Array values;
  // Where each comes first, which of them each element is, how many there are of each.
  Array first, inverse, counts;
};

// The different elements of the flat array, or the different slices along an axis: in order, or as
// they first come.
Distinct Unique(const Array& x, bool sorted, std::optional<int64_t> axis);

// A row for each dimension (one for a scalar), a column for each element that is not zero.
Array Nonzero(const Array& x);

}  // namespace lathe::reference

#endif  // LATHE_TESTS_REFERENCE_DISTINCT_H_

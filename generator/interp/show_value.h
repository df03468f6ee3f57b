// Prints values for users: [[1.0, 2.0], [3.0, 4.0]], (x, y), R.shape([2, 3]).
#ifndef LATHE_INTERP_SHOW_VALUE_H_
#define LATHE_INTERP_SHOW_VALUE_H_

#include <cstdint>
#include <string>

#include "generator/interp/values.h"

namespace lathe::interp {

// Prints `value`. A tensor with more than `max_elements` elements is abbreviated to the first and
// last three of each dimension. A value that is not printable is shown as <description>.
std::string ShowValue(const Value& value, uint64_t max_elements = 1000);

// Returns true if `value` has at most kMaxValueDepth levels and, with shared tuples expanded, at
// most kMaxWrittenValues values.
bool IsPrintable(const Value& value);

// Prints "float32 (2, 3)" above the elements of a tensor, and each field of a tuple on its own
// lines.
std::string ShowStructure(const Value& value, uint64_t max_elements = 1000);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_SHOW_VALUE_H_

// Values as text for people: [[1.0, 2.0], [3.0, 4.0]], (x, y), R.shape([2, 3]).
#ifndef LATHE_INTERP_SHOW_VALUE_H_
#define LATHE_INTERP_SHOW_VALUE_H_

#include <cstdint>
#include <string>

#include "generator/interp/values.h"

namespace lathe::interp {

// Of a tensor with more than `max_elements`, the first and last three of each dimension.
std::string ShowValue(const Value& value, uint64_t max_elements = 1000);

// "float32 (2, 3)" above the elements, and so on in tuples, each field on lines of its own.
// Whether `value` is at most kMaxValueDepth deep and kMaxWrittenValues values when it is written
// out.
bool MayBeWritten(const Value& value);

std::string ShowStructure(const Value& value, uint64_t max_elements = 1000);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_SHOW_VALUE_H_

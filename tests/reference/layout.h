// Axes laid out in another order, with blocks: "NHWC", "NCHW4c".
#ifndef LATHE_TESTS_REFERENCE_LAYOUT_H_
#define LATHE_TESTS_REFERENCE_LAYOUT_H_

#include <string>

#include "tests/reference/array.h"

namespace lathe::reference {

// The tensor whose axes are the letters of `axes`, in that order, as `layout` has it. A number with
// a letter in lower case is a block of that axis: element c is at [c / 4] and, in "4c", at [c % 4].
Array InLayout(const Array& x, const std::string& axes, const std::string& layout);

}  // namespace lathe::reference

#endif  // LATHE_TESTS_REFERENCE_LAYOUT_H_

// From one dtype to another, as C and NumPy convert, and where they leave it open as Lathe says:
// too large for an integer gives the nearest that there is, NaN gives 0.
#ifndef LATHE_TESTS_REFERENCE_CAST_H_
#define LATHE_TESTS_REFERENCE_CAST_H_

#include <string>

#include "tests/reference/number.h"

namespace lathe::reference {

// Of a number that `to`, an integer dtype or bool, is wanted of.
Wide CastToWhole(long double x, const std::string& to);

}  // namespace lathe::reference

#endif  // LATHE_TESTS_REFERENCE_CAST_H_

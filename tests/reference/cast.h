// Casts between dtypes as in C and NumPy; cases that these leave undefined follow Lathe: overflow
// to an integer saturates, NaN gives 0.
#ifndef LATHE_TESTS_REFERENCE_CAST_H_
#define LATHE_TESTS_REFERENCE_CAST_H_

#include <string>

#include "tests/reference/number.h"

namespace lathe::reference {

// Of a number that `to`, an integer dtype or bool, is wanted of.
Wide CastToWhole(long double x, const std::string& to);

}  // namespace lathe::reference

#endif  // LATHE_TESTS_REFERENCE_CAST_H_

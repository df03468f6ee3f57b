// Groups decimal digits in threes with spaces.
#ifndef LATHE_DRIVER_VIEW_GROUP_DIGITS_H_
#define LATHE_DRIVER_VIEW_GROUP_DIGITS_H_

#include <cstdint>
#include <string>

namespace lathe::driver {

// Formats 22608 as "22 608".
std::string GroupDigits(int64_t number);

// Formats a number that may have more than 64 bits, rounded to an integer.
std::string GroupDigitsOfReal(double number);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VIEW_GROUP_DIGITS_H_

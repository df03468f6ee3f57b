// The values of each dtype by its standard (IEEE 754, OCP FP8, two's complement), and rounding to
// the nearest. Shares no code with the generator, so that a mistake there is not repeated here.
#ifndef LATHE_TESTS_REFERENCE_NUMBER_H_
#define LATHE_TESTS_REFERENCE_NUMBER_H_

#include <cstdint>
#include <string>

namespace lathe::reference {

// Wide enough for sums and differences of any two 64-bit integers.
using Wide = __int128;

struct NumberFormat {
  const char* dtype;
  enum Kind { kFloat, kSigned, kUnsigned, kBool } kind;
  int bits;
  // Of floats: fraction bits, the smallest exponent of a normal number, the largest
  // number, and whether there is something beyond it.
  int fraction = 0;
  int lowest_exponent = 0;
  double largest = 0;
  bool infinite = true;

  bool is_float() const { return kind == kFloat; }
};

const NumberFormat& FormatOf(const std::string& dtype);

// The number of that float dtype nearest to x, the even one of two; beyond the largest infinity, or
// NaN where there is none.
long double Rounded(long double x, const std::string& dtype);

// What is left of x in that many bits of two's complement; for bool whether it is not 0.
Wide Wrapped(Wide x, const std::string& dtype);
Wide LowestOf(const std::string& dtype);
Wide HighestOf(const std::string& dtype);

// The distance between neighbours at 1: 2^-23 of float32.
double EpsilonOf(const std::string& dtype);

}  // namespace lathe::reference

#endif  // LATHE_TESTS_REFERENCE_NUMBER_H_

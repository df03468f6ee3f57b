// Implements arithmetic on closed integer ranges with infinite ends.
#ifndef LATHE_ANALYSIS_ARITHMETIC_INTERVAL_H_
#define LATHE_ANALYSIS_ARITHMETIC_INTERVAL_H_

#include <algorithm>
#include <cstdint>
#include <limits>

namespace lathe::analysis {

inline constexpr int64_t kNegInf = std::numeric_limits<int64_t>::min();
inline constexpr int64_t kPosInf = std::numeric_limits<int64_t>::max();

// [lo, hi]; kNegInf and kPosInf mean unbounded. A finite end that overflows becomes infinite.
struct Interval {
  int64_t lo = kNegInf;
  int64_t hi = kPosInf;

  static Interval Single(int64_t v) { return {v, v}; }
  // Returns the empty interval: the identity of Union.
  static Interval None() { return {kPosInf, kNegInf}; }
  static Interval AtLeast(int64_t v) { return {v, kPosInf}; }
  bool is_single() const { return lo == hi && lo != kNegInf && lo != kPosInf; }
  bool Contains(int64_t v) const { return lo <= v && v <= hi; }
  bool operator==(const Interval&) const = default;
};

Interval operator+(Interval a, Interval b);
Interval operator-(Interval a);
Interval operator*(Interval a, Interval b);
inline Interval operator-(Interval a, Interval b) { return a + -b; }
Interval Min(Interval a, Interval b);
Interval Max(Interval a, Interval b);
Interval Union(Interval a, Interval b);
// Ranges of a // b and a % b over the nonzero values of `b`.
Interval FloorDiv(Interval a, Interval b);
Interval FloorMod(Interval a, Interval b);

// `b` is not zero, and the pair is not (minimum, -1).
int64_t FloorDiv(int64_t a, int64_t b);
int64_t FloorMod(int64_t a, int64_t b);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_ARITHMETIC_INTERVAL_H_

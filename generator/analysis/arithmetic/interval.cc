#include "generator/analysis/arithmetic/interval.h"

namespace lathe::analysis {
namespace {

using Wide = __int128;

bool IsInfinite(int64_t v) { return v == kNegInf || v == kPosInf; }

int64_t Clamp(Wide v) {
  if (v <= kNegInf) return kNegInf;
  if (v >= kPosInf) return kPosInf;
  return static_cast<int64_t>(v);
}

// a * b at the ends of intervals: zero times infinity is zero.
int64_t Times(int64_t a, int64_t b) {
  if (a == 0 || b == 0) return 0;
  if (IsInfinite(a) || IsInfinite(b)) return (a > 0) == (b > 0) ? kPosInf : kNegInf;
  return Clamp(static_cast<Wide>(a) * b);
}

int64_t Divide(int64_t a, int64_t b) {
  if (IsInfinite(b)) return a == 0 ? 0 : (a > 0) == (b > 0) ? 0 : -1;
  if (IsInfinite(a)) return (a > 0) == (b > 0) ? kPosInf : kNegInf;
  if (b == -1) return Clamp(-static_cast<Wide>(a));
  return FloorDiv(a, b);
}

}  // namespace

int64_t FloorDiv(int64_t a, int64_t b) {
  const int64_t q = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
}

int64_t FloorMod(int64_t a, int64_t b) {
  const int64_t r = a % b;
  return (r != 0 && (r < 0) != (b < 0)) ? r + b : r;
}

Interval operator+(Interval a, Interval b) {
  Interval r;
  r.lo = (a.lo == kNegInf || b.lo == kNegInf) ? kNegInf : Clamp(static_cast<Wide>(a.lo) + b.lo);
  r.hi = (a.hi == kPosInf || b.hi == kPosInf) ? kPosInf : Clamp(static_cast<Wide>(a.hi) + b.hi);
  return r;
}

Interval operator-(Interval a) {
  return {a.hi == kPosInf ? kNegInf : Clamp(-static_cast<Wide>(a.hi)),
          a.lo == kNegInf ? kPosInf : Clamp(-static_cast<Wide>(a.lo))};
}

Interval operator*(Interval a, Interval b) {
  const int64_t ends[] = {Times(a.lo, b.lo), Times(a.lo, b.hi), Times(a.hi, b.lo),
                          Times(a.hi, b.hi)};
  return {*std::min_element(ends, ends + 4), *std::max_element(ends, ends + 4)};
}

Interval Min(Interval a, Interval b) { return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)}; }
Interval Max(Interval a, Interval b) { return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)}; }
Interval Union(Interval a, Interval b) { return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)}; }

Interval FloorDiv(Interval a, Interval b) {
  // Negative and positive divisors are handled separately; quotients are monotone on each side.
  bool any = false;
  Interval result;
  for (const Interval side :
       {Interval{b.lo, std::min<int64_t>(b.hi, -1)}, Interval{std::max<int64_t>(b.lo, 1), b.hi}}) {
    if (side.lo > side.hi) continue;
    const int64_t ends[] = {Divide(a.lo, side.lo), Divide(a.lo, side.hi), Divide(a.hi, side.lo),
                            Divide(a.hi, side.hi)};
    const Interval part = {*std::min_element(ends, ends + 4), *std::max_element(ends, ends + 4)};
    result = any ? Union(result, part) : part;
    any = true;
  }
  return any ? result : Interval();
}

Interval FloorMod(Interval a, Interval b) {
  if (b.lo >= 0) {
    if (a.lo >= 0 && b.lo > 0 && a.hi < b.lo) return a;
    return {0, b.hi == kPosInf
                   ? std::max<int64_t>(a.lo >= 0 ? a.hi : kPosInf, 0)
                   : std::max<int64_t>(a.lo >= 0 ? std::min(a.hi, b.hi - 1) : b.hi - 1, 0)};
  }
  if (b.hi <= 0) return {b.lo == kNegInf ? kNegInf : std::min<int64_t>(b.lo + 1, 0), 0};
  return {b.lo == kNegInf ? kNegInf : b.lo + 1, b.hi == kPosInf ? kPosInf : b.hi - 1};
}

}  // namespace lathe::analysis

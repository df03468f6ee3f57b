// Defines the results of operations with one rounding:
//
//   clamp(((sum * factor >> 32) + start) >> shift, lo, hi)
//
// The high half of the product is enough if the whole shift has more than 32 bits: what is added to
// the product then has no bits in the low half, and the two shifts round down as one does.
#ifndef LATHE_IR_ONCE_RESULT_H_
#define LATHE_IR_ONCE_RESULT_H_

#include <cstdint>
#include <optional>

namespace lathe::ir {

struct OnceResult {
  int64_t start;
  int64_t shift;
};
// Returns the form of `sum * factor + start >> shift`, for sums of 32 and factors of 31 bits.
// Returns nullopt if the shift is not from 33 to 63, if `start` has bits in the low half, or if the
// high half plus `start` may exceed 32 bits.
inline std::optional<OnceResult> OnceResultOf(int64_t start, int64_t shift) {
  constexpr int64_t kHalf = 32, kMaxStart = int64_t{1} << 30;
  if (shift <= kHalf || shift >= 2 * kHalf) return std::nullopt;
  if ((start & ((int64_t{1} << kHalf) - 1)) != 0) return std::nullopt;
  const int64_t high = start >> kHalf;
  if (high < -kMaxStart || high >= kMaxStart) return std::nullopt;
  return OnceResult{high, shift - kHalf};
}

}  // namespace lathe::ir

#endif  // LATHE_IR_ONCE_RESULT_H_

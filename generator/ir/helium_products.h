// Names the int8 products and depthwise convolutions for Arm cores with Helium.
// transform/quantize emits them, ops/definitions/helium_definitions.h defines them in TIR. Not part
// of TVMScript.
//
//   lathe_helium_products_twice_i8(rows, step, pieces, pitch, count, columns, each, gathered, zero,
//                                  lo, hi, x[0], w[0], bias[0], scales[0], scratch[0], out[0])
//   lathe_helium_depthwise_twice_i8(columns, channels, step, height, line, width, tap, zero,
//                                   lo, hi, x[0], w[0], numbers[0], out[0])
//
// Those with one rounding, ..._once_i8, have `start` and `shift` instead of `zero`, and factors
// instead of mantissas (ir/once_result.h).
//
// The loads give the start addresses. Rows are `step` elements apart, the pieces of a row `pitch`;
// each piece has `count` contiguous elements. With `each` of 1, every column has a scale of its
// own. runtime-c/helium_products.h and helium_depthwise.h have the layouts of
// constants.
#ifndef LATHE_IR_HELIUM_PRODUCTS_H_
#define LATHE_IR_HELIUM_PRODUCTS_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "generator/support/align_up.h"

namespace lathe::ir {

inline constexpr char kHeliumProducts[] = "lathe_helium_products_twice_i8";
inline constexpr char kHeliumProductsOnce[] = "lathe_helium_products_once_i8";
inline constexpr char kHeliumDepthwise[] = "lathe_helium_depthwise_twice_i8";
inline constexpr char kHeliumDepthwiseOnce[] = "lathe_helium_depthwise_once_i8";

inline bool IsHeliumProducts(absl::string_view name) {
  return name == kHeliumProducts || name == kHeliumProductsOnce;
}
inline bool IsHeliumDepthwise(absl::string_view name) {
  return name == kHeliumDepthwise || name == kHeliumDepthwiseOnce;
}

inline constexpr int64_t kHeliumLanes = 16;   // of int8
inline constexpr int64_t kHeliumSums = 4;     // int32 lanes
inline constexpr int64_t kHeliumColumns = 2;  // that share loads of x
inline constexpr int64_t kHeliumRows = 3;     // that share loads of weights

// Returns the number of int32 of the scratch memory.
inline int64_t HeliumScratch(int64_t rows, int64_t columns, int64_t depth, bool gathered) {
  const int64_t here = rows < kHeliumRows ? 1 : kHeliumRows;
  return here * AlignUp(columns, kHeliumSums) + (gathered ? AlignUp(here * depth, 4) / 4 : 0);
}
// Returns the number of weights of a piece in the columns of a pair.
inline int64_t HeliumPiece(int64_t count) { return kHeliumColumns * AlignUp(count, kHeliumLanes); }
// Returns the index of the weight for element `k` of a piece in column `c`.
inline int64_t HeliumIndex(int64_t c, int64_t piece, int64_t k, int64_t pieces, int64_t count) {
  return (c / kHeliumColumns * pieces + piece) * HeliumPiece(count) +
         k / kHeliumLanes * kHeliumColumns * kHeliumLanes + c % kHeliumColumns * kHeliumLanes +
         k % kHeliumLanes;
}

// Of depthwise convolutions: the index of a weight, and of a bias, which its mantissa and its shift
// follow at these distances.
inline constexpr int64_t kHeliumNumbers = 24;  // of the even or the odd channels of a vector
inline int64_t HeliumChannelIndex(int64_t c, int64_t tap, int64_t taps) {
  return (c / kHeliumLanes * taps + tap) * kHeliumLanes + c % kHeliumLanes;
}
inline int64_t HeliumBias(int64_t c) {
  const int64_t half = c / kHeliumLanes * 2 + c % 2;
  return half * kHeliumNumbers + c % 4 / 2 * 4 + c % kHeliumLanes / 4;
}
inline int64_t HeliumMantissa(int64_t c) { return HeliumBias(c) + 8 + c % 4 / 2 * 4; }
inline int64_t HeliumShift(int64_t c) { return HeliumMantissa(c) + 4; }

}  // namespace lathe::ir

#endif  // LATHE_IR_HELIUM_PRODUCTS_H_

// Names the int8 products for cores that multiply one element at a time. transform/quantize emits
// them, ops/definitions/operation_definitions.h defines them in TIR. Not part of TVMScript.
//
//   lathe_quad_products_twice_i8(rows, step, pieces, pitch, count, columns, together, each, offset,
//                                gathered, zero, lo, hi, x[0], w[0], bias[0], scales[0],
//                                scratch[0], out[0])
//
//   lathe_quad_depthwise_twice_i8(columns, channels, step, height, line, width, tap, zero,
//                                 lo, hi, x[0], w[0], bias[0], scales[0], out[0])
//
// Those with one rounding, ..._once_i8, have `start` and `shift` instead of `zero`, and a factor
// for each scale (ir/once_result.h).
//
// The loads give the start addresses. Rows are `step` elements apart, the pieces of a row `pitch`;
// each piece has `count` contiguous elements. `together` rows are computed at once: 1, 2 or 4. With
// `each` of 1, every column has a scale of its own. runtime-c/quad_products.h has the layout of
// `w`, and runtime-c/quad_rv32.h that of packed rows.
#ifndef LATHE_IR_QUAD_PRODUCTS_H_
#define LATHE_IR_QUAD_PRODUCTS_H_

#include <algorithm>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace lathe::ir {

inline constexpr char kQuadProducts[] = "lathe_quad_products_twice_i8";
inline constexpr char kQuadProductsOnce[] = "lathe_quad_products_once_i8";
inline constexpr char kQuadDepthwise[] = "lathe_quad_depthwise_twice_i8";
inline constexpr char kQuadDepthwiseOnce[] = "lathe_quad_depthwise_once_i8";

inline bool IsQuadProducts(absl::string_view name) {
  return name == kQuadProducts || name == kQuadProductsOnce;
}
inline bool IsQuadDepthwise(absl::string_view name) {
  return name == kQuadDepthwise || name == kQuadDepthwiseOnce;
}

inline constexpr int64_t kQuadColumns = 4;   // whose weights are next to each other
inline constexpr int64_t kQuadElements = 8;  // of an unrolled loop
inline constexpr int64_t kQuadOffset = 128;  // of unsigned weights

// Whether rows are copied before they are multiplied, and to what: int8, int32, or int32 with four
// rows packed.
enum QuadRows : int64_t { kQuadInPlace, kQuadGathered, kQuadWidened, kQuadPacked };
inline constexpr int64_t kQuadPackedRows = 4;
inline constexpr int64_t kQuadPackedWords = 3;  // of an element of all rows

// Returns the number of elements of the scratch memory.
inline int64_t QuadScratch(int64_t rows, int64_t together, int64_t elements, int64_t gathered) {
  if (gathered == kQuadInPlace) return 1;
  if (gathered == kQuadPacked) return kQuadPackedWords * elements;
  return std::min(rows, together) * elements;
}
// Returns the index of the weight for element `k` of a row of `elements`, in column `c`.
inline int64_t QuadIndex(int64_t c, int64_t k, int64_t elements) {
  return (c / kQuadColumns * elements + k) * kQuadColumns + c % kQuadColumns;
}

}  // namespace lathe::ir

#endif  // LATHE_IR_QUAD_PRODUCTS_H_

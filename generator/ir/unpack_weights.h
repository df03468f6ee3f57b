// Names the operations of int8 products with weights of 4 bits, which are unpacked for a few
// columns at a time. transform/quantize emits them, ops/definitions/unpack_definition.h defines
// them in TIR. Not part of TVMScript.
//
//   lathe_unpack_weights_i4(words, kind, packed[0], out[0])
//   lathe_join_columns_i8(rows, columns, block, results[0], out[0])
//
// The second one copies the results of `rows` rows, which are stored block after block of `block`
// columns, to rows of `columns`. The last block may have fewer columns.
//
// A word of `packed`, an int32, holds eight weights, each plus 8: byte j has weight j in its low
// bits and weight j + 4 in its high bits.
#ifndef LATHE_IR_UNPACK_WEIGHTS_H_
#define LATHE_IR_UNPACK_WEIGHTS_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace lathe::ir {

inline constexpr char kUnpackWeights[] = "lathe_unpack_weights_i4";
inline constexpr char kJoinColumns[] = "lathe_join_columns_i8";

inline bool IsOfPackedWeights(absl::string_view name) {
  return name == kUnpackWeights || name == kJoinColumns;
}

inline constexpr int64_t kUnpackElements = 8;  // of a word
inline constexpr int64_t kUnpackExcess = 8;    // that is added to each weight

// What weights become: int8; int8 where those at odd places are one less if the weight before them
// is negative (ir/paired_products.h); uint8, 128 more (ir/quad_products.h).
enum UnpackKind : int64_t { kUnpackSigned, kUnpackPairs, kUnpackUnsigned };

// Returns the position in a word of the lowest bit of weight `j`.
inline int64_t UnpackShift(int64_t j) { return j % 4 * 8 + j / 4 * 4; }

}  // namespace lathe::ir

#endif  // LATHE_IR_UNPACK_WEIGHTS_H_

// Names the int8 products and depthwise convolutions for Arm cores with the DSP extension: rows
// times weights of two columns in 16 bits, with int8 results. transform/quantize emits them,
// ops/definitions/paired_definitions.h defines them in TIR. Not part of TVMScript.
//
//   lathe_paired_products_twice_i8(rows, step, pieces, pitch, count, columns, each, alone, zero,
//                                  lo, hi, x[0], w[0], starts[0], scales[0], scratch[0], out[0])
//   lathe_paired_products_once_i8(rows, step, pieces, pitch, count, columns, each, alone, start,
//                                 shift, lo, hi, x[0], w[0], starts[0], factors[0], scratch[0],
//                                 out[0])
//   lathe_paired_row_twice_i8(rows, step, pieces, pitch, count, columns, each, gathered, zero, lo,
//                             hi, x[0], w[0], starts[0], scales[0], scratch[0], out[0])
//   lathe_paired_row_once_i8(rows, step, pieces, pitch, count, columns, each, gathered, start,
//                            shift, lo, hi, x[0], w[0], starts[0], factors[0], scratch[0], out[0])
//   lathe_paired_depthwise_twice_i8(columns, channels, step, height, line, width, tap, zero,
//                                   lo, hi, x[0], w[0], bias[0], scales[0], out[0])
//   lathe_paired_depthwise_once_i8(columns, channels, step, height, line, width, tap, start,
//                                  shift, lo, hi, x[0], w[0], bias[0], factors[0], out[0])
//   lathe_padded_lines_i8(top, height, length, before, after, lines, dilation, fresh, zero, edges,
//                         x[0], out[0])
//
// The loads give the start addresses. Rows are `step` elements apart, the pieces of a row `pitch`;
// each piece has `count` contiguous elements. With `each` of 1, every column has a scale of its
// own. An odd row at the end is computed `alone`, or as two. lathe_paired_row computes one row at a
// time, from memory if it is not gathered. runtime-c/paired_products.h, paired_row.h and
// paired_depthwise.h have the layouts of constants.
#ifndef LATHE_IR_PAIRED_PRODUCTS_H_
#define LATHE_IR_PAIRED_PRODUCTS_H_

#include <cstdint>
#include <cstdlib>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/support/align_up.h"

namespace lathe::ir {

inline constexpr char kPairedTwice[] = "lathe_paired_products_twice_i8";
inline constexpr char kPairedOnce[] = "lathe_paired_products_once_i8";

inline constexpr char kPairedRow[] = "lathe_paired_row_twice_i8";
inline constexpr char kPairedRowOnce[] = "lathe_paired_row_once_i8";

inline constexpr char kPairedDepthwise[] = "lathe_paired_depthwise_twice_i8";
inline constexpr char kPairedDepthwiseOnce[] = "lathe_paired_depthwise_once_i8";
inline constexpr char kPaddedLines[] = "lathe_padded_lines_i8";

inline bool IsPairedProducts(absl::string_view name) {
  return name == kPairedTwice || name == kPairedOnce;
}

inline bool IsPairedRow(absl::string_view name) {
  return name == kPairedRow || name == kPairedRowOnce;
}

inline bool IsPairedDepthwise(absl::string_view name) {
  return name == kPairedDepthwise || name == kPairedDepthwiseOnce;
}

inline constexpr int64_t kPairedColumns = 4;     // of a block
inline constexpr int64_t kPairedElements = 4;    // that are read at once
inline constexpr int64_t kPairedRowColumns = 8;  // of a block for one row

inline int64_t PairedColumns(int64_t columns) { return AlignUp(columns, kPairedColumns); }
// Returns the number of elements of a piece, with those that are read twice.
inline int64_t PairedDepth(int64_t count) { return AlignUp(count, kPairedElements); }
// Returns the number of int32 of the scratch memory, for rows of `elements` with those that are
// read twice.
inline int64_t PairedScratch(int64_t rows, int64_t elements, bool alone) {
  return rows == 1 && alone ? elements / 2 : elements;
}
// Returns the position of element `k` of a piece among these.
inline int64_t PairedPosition(int64_t k, int64_t count) {
  const int64_t depth = PairedDepth(count), last = depth - kPairedElements;
  return count >= kPairedElements && k >= last ? k + depth - count : k;
}

// Returns the index of the weight of `element` of a row, of `elements`, in column `c` of `w`, whose
// blocks have kPairedColumns or kPairedRowColumns; and of a channel of a depthwise convolution at
// place `tap` of a window of `taps`.
inline int64_t PairedIndex(int64_t c, int64_t element, int64_t elements, int64_t block) {
  const int64_t four = c / block * (elements / kPairedElements) + element / kPairedElements;
  const int64_t at = element % kPairedElements;
  return (four * 4 + at % 2 * 2) * block + c % block / 2 * 4 + at / 2 * 2 + c % 2;
}
inline int64_t PairedChannelIndex(int64_t c, int64_t tap, int64_t taps) {
  return (c / kPairedColumns * taps + tap) * kPairedColumns + c % 2 * 2 + c % kPairedColumns / 2;
}

// Returns the number of int32 of the scales of `columns`, a multiple of four: a factor of each, or
// a mantissa, and a shift in a byte.
inline int64_t PairedScales(int64_t columns, bool once) {
  return once ? columns : columns / kPairedColumns * (kPairedColumns + 1);
}

// Returns whether int8 weights [columns][depth] can be stored in pairs: the sum of the second
// column of each pair has 24 bits, its weight can be one less, and no sum exceeds 30 bits.
inline bool FitsPairs(absl::Span<const int64_t> weights, absl::Span<const int64_t> bias) {
  constexpr int64_t kMaxInput = 128, kMaxSecond = int64_t{1} << 23, kMaxSum = int64_t{1} << 30;
  const size_t columns = bias.size(), depth = columns == 0 ? 0 : weights.size() / columns;
  for (size_t c = 0; c < columns; ++c) {
    int64_t bound = std::abs(bias[c]);
    for (size_t k = 0; k < depth; ++k) {
      const int64_t weight = weights[c * depth + k];
      const bool less = c % 2 == 1 && weights[(c - 1) * depth + k] < 0;
      if (weight - (less ? 1 : 0) < -kMaxInput || weight >= kMaxInput) return false;
      bound += std::abs(weight) * kMaxInput;
    }
    if (bound >= (c % 2 == 1 ? kMaxSecond : kMaxSum)) return false;
  }
  return true;
}

}  // namespace lathe::ir

#endif  // LATHE_IR_PAIRED_PRODUCTS_H_

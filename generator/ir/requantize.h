// Defines the int8 requantization and depthwise convolution operations that
// schedule/int8/use_requantize creates from loops, for targets with suitable vector instructions.
// Not part of TVMScript.
//
//   lathe_requantize_i8(count, start, shift, lo, hi, sums[0], factor, out[0])
//   lathe_depthwise_i8(columns, channels, step, kernel_h, line, kernel_w, tap,
//                      start, shift, lo, hi, x[0], w[0], bias[0], factor, out[0])
//
// The loads give the start addresses; `factor` is a constant, or the first of one factor per
// channel.
#ifndef LATHE_IR_REQUANTIZE_H_
#define LATHE_IR_REQUANTIZE_H_

#include "absl/strings/string_view.h"

namespace lathe::ir {

inline constexpr char kRequantize[] = "lathe_requantize_i8";
inline constexpr char kDepthwise[] = "lathe_depthwise_i8";

inline bool IsRequantizing(absl::string_view name) {
  return name == kRequantize || name == kDepthwise;
}

}  // namespace lathe::ir

#endif  // LATHE_IR_REQUANTIZE_H_

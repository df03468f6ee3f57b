// Sums that become int8 again, and depthwise convolutions whose sums do, as one operation each:
// what schedule/int8/use_requantize makes of loops, for targets that have vectors for it. Not part
// of TVMScript.
//
//   lathe_requantize_i8(count, start, shift, lo, hi, sums[0], factor, out[0])
//   lathe_depthwise_i8(columns, channels, step, kernel_h, line, kernel_w, tap,
//                      start, shift, lo, hi, x[0], w[0], bias[0], factor, out[0])
//
// The loads say where things begin; `factor` is a number, or the first of one for each channel.
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

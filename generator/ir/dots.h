// Sums of products of int8 rows as one operation: what lower/use_dot_products makes of loops, for
// targets that have instructions for it. Not part of TVMScript.
//
//   lathe_dots_i8(count, step, sums[0], w[c], x0[r], x1[r])     one or two rows, four columns
//
// The loads say where the rows begin; the columns of w are `step` elements apart.
#ifndef LATHE_IR_DOTS_H_
#define LATHE_IR_DOTS_H_

#include <cstdint>

namespace lathe::ir {

inline constexpr char kDots[] = "lathe_dots_i8";
inline constexpr int64_t kDotColumns = 4;

}  // namespace lathe::ir

#endif  // LATHE_IR_DOTS_H_

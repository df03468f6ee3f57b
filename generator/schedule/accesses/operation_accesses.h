// Computes the memory accesses of the int8 operations, which are not loops. Their regions depend on
// their arguments, for example:
//
//   lathe_dots_i8          sums: 4 for each row; w: 4 columns, `step` apart, of `count`;
//                          each x: count
//   lathe_dot_panels_i8    sums: 16 for each panel and row; w: 64 for each four k of a panel;
//                          x: count
//   lathe_products_i8      x: rows, `step` apart, of pieces, `pitch` apart, of `count`; w: panels;
//                          bias, factors: columns; out: rows of columns
//   lathe_requantize_i8    sums, factors, out: count
//   lathe_depthwise_i8     x: columns, `step` apart, of windows; w: channels for each element of a
//                          window; bias, factors: channels; out: columns of channels
#ifndef LATHE_SCHEDULE_ACCESSES_OPERATION_ACCESSES_H_
#define LATHE_SCHEDULE_ACCESSES_OPERATION_ACCESSES_H_

#include "absl/strings/string_view.h"
#include "generator/ir/context.h"
#include "generator/schedule/accesses/access_walk.h"

namespace lathe::schedule {

// Returns true if `name` is that of such an operation.
bool IsAccessingOperation(absl::string_view name);

// Adds the regions that `call` accesses to `walk`, and what it requires of its arguments. The call
// is one for which IsAccessingOperation() holds.
void OperationAccesses(ir::Context& context, const ir::Intrinsic& call, AccessWalk& walk);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_ACCESSES_OPERATION_ACCESSES_H_

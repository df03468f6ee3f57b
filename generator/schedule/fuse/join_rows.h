// Merges the outer loops of stages that process the same rows.
#ifndef LATHE_SCHEDULE_FUSE_JOIN_ROWS_H_
#define LATHE_SCHEDULE_FUSE_JOIN_ROWS_H_

#include "generator/ir/context.h"
#include "generator/ir/kernel_form.h"
#include "generator/nest/nest.h"

namespace lathe::schedule {

// Consecutive stages of `nest` with equal outermost loops share them if no stage needs another row
// of the result of another one:
//
//   for i, k: top[i] = max(top[i], x[i, k])       for i: top = ...
//   for i, k: e[i, k] = exp(x[i, k] - top[i])       for k: e[k] = exp(x[i, k] - top)
//
// The intermediate tensor becomes a row or a number. If there is only one row, there are no loops
// to share, but tensors of one element become numbers. `form`, if not null, has the library forms
// of the same stages; forms with their own order of rows are unchanged. The time is quadratic in
// the number of stages, which fuse_nests.cc limits.
void JoinRows(ir::Context& context, ir::Nest& nest, ir::KernelForm* form);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FUSE_JOIN_ROWS_H_

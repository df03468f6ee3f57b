// Stages that go over the same rows, one row after the other.
#ifndef LATHE_SCHEDULE_FUSE_JOIN_ROWS_H_
#define LATHE_SCHEDULE_FUSE_JOIN_ROWS_H_

#include "generator/ir/context.h"
#include "generator/ir/kernel_form.h"
#include "generator/nest/nest.h"

namespace lathe::schedule {

// Stages of `nest`, one behind the other, whose outermost loops are the same share them where none
// needs another row of what another one stores:
//
//   for i, k: top[i] = max(top[i], x[i, k])       for i: top = ...
//   for i, k: e[i, k] = exp(x[i, k] - top[i])       for k: e[k] = exp(x[i, k] - top)
//
// What is handed over is then a row, or a number, in place of a tensor. Stages that have no loops
// to share, for there is one row alone, hand over numbers in place of tensors of one element.
// `form`, where there is one, has the same stages as forms; those that go over rows in an order of
// their own stay as they are. Each stage is looked at for each other one: a nest has few
// (fuse_nests.cc says how many).
void JoinRows(ir::Context& context, ir::Nest& nest, ir::KernelForm* form);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FUSE_JOIN_ROWS_H_

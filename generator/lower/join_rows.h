// Stages that go over the same rows, one row after the other.
#ifndef LATHE_LOWER_JOIN_ROWS_H_
#define LATHE_LOWER_JOIN_ROWS_H_

#include "generator/ir/context.h"
#include "generator/ir/kernel_form.h"
#include "generator/lower/nest.h"

namespace lathe::lower {

// Stages of `nest`, one behind the other, whose outermost loops are the same share them where none
// needs another row of what another one stores:
//
//   for i: for k: most[i] = max(most[i], x[i, k])      for i: most = ...
//   for i, k: powers[i, k] = exp(x[i, k] - most[i])           for k: powers[k] = exp(x[i, k] -
//   most)
//
// What is handed over is then a row, or a number, in place of a tensor. `form`, where there is one,
// has the same stages as forms; those that go over rows in an order of their own stay as they are.
void JoinRows(ir::Context& context, ir::Nest& nest, ir::KernelForm* form);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_JOIN_ROWS_H_

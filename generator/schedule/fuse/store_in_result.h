// What is computed on the way to a result, in the result's own memory.
#ifndef LATHE_SCHEDULE_FUSE_STORE_IN_RESULT_H_
#define LATHE_SCHEDULE_FUSE_STORE_IN_RESULT_H_

#include "generator/ir/context.h"
#include "generator/ir/kernel_form.h"
#include "generator/nest/nest.h"

namespace lathe::schedule {

// A tensor of the nest's own, as large as a buffer that a later stage stores, becomes that buffer
// where the stage is the last that reads it, each element where it stores its own:
//
//   powers[i, k] = exp(x[i, k] - most[i])       out[i, k] = exp(x[i, k] - most[i])
//   sum[i] += powers[i, k]                      sum[i] += out[i, k]
//   out[i, k] = powers[i, k] / sum[i]           out[i, k] = out[i, k] / sum[i]
//
// `form`, where there is one, has the same stages as forms.
void StoreInResult(ir::Context& context, ir::Nest& nest, ir::KernelForm* form);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FUSE_STORE_IN_RESULT_H_

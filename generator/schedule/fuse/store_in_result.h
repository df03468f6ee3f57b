// Reuses the memory of a result for an intermediate tensor.
#ifndef LATHE_SCHEDULE_FUSE_STORE_IN_RESULT_H_
#define LATHE_SCHEDULE_FUSE_STORE_IN_RESULT_H_

#include "generator/ir/context.h"
#include "generator/ir/kernel_form.h"
#include "generator/nest/nest.h"

namespace lathe::schedule {

// An intermediate tensor of the nest is stored in a result buffer of the same size, if the stage
// that stores the result is its last reader and reads each element where it stores its own:
//
//   powers[i, k] = exp(x[i, k] - most[i])       out[i, k] = exp(x[i, k] - most[i])
//   sum[i] += powers[i, k]                      sum[i] += out[i, k]
//   out[i, k] = powers[i, k] / sum[i]           out[i, k] = out[i, k] / sum[i]
//
// `form`, if not null, has the library forms of the same stages.
void StoreInResult(ir::Context& context, ir::Nest& nest, ir::KernelForm* form);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FUSE_STORE_IN_RESULT_H_

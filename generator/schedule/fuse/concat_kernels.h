// Concatenates two kernels into one, for launch forms that span several kernels.
#ifndef LATHE_SCHEDULE_FUSE_CONCAT_KERNELS_H_
#define LATHE_SCHEDULE_FUSE_CONCAT_KERNELS_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "generator/nest/nest_call.h"

namespace lathe::schedule {

// Returns the stages of `first`, then those of `second`, as one kernel called `name`. Makes
// `tensor`, which the first stores and only the second reads, memory of the kernel. Returns nullopt
// if the two disagree on its dtype or sizes, or if the second stores a tensor that the first
// accesses.
std::optional<nest::NestCall> ConcatKernels(ir::Context& context, const nest::NestCall& first,
                                            const nest::NestCall& second, ir::TensorId tensor,
                                            absl::string_view name);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FUSE_CONCAT_KERNELS_H_

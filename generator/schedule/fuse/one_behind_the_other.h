// Two kernels as one that does what they do in turn: for launches that take more of them at once.
#ifndef LATHE_SCHEDULE_FUSE_ONE_BEHIND_THE_OTHER_H_
#define LATHE_SCHEDULE_FUSE_ONE_BEHIND_THE_OTHER_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "generator/nest/nest_call.h"

namespace lathe::schedule {

// What the first stores in `tensor`, which the second reads and nobody else, becomes memory of the
// kernel's own. Nothing where they do not agree on its sizes.
std::optional<nest::NestCall> OneBehindTheOther(ir::Context& context, const nest::NestCall& first,
                                                const nest::NestCall& second, ir::TensorId tensor,
                                                absl::string_view name);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FUSE_ONE_BEHIND_THE_OTHER_H_

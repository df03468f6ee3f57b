// Which keys a causal mask, or a window, leaves to a query.
#ifndef LATHE_SCHEDULE_CUDA_SEEN_KEYS_H_
#define LATHE_SCHEDULE_CUDA_SEEN_KEYS_H_

#include <optional>

#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"

namespace lathe::schedule {

// Of a score that is a constant where key <= query + 5, and the like, does not hold. Nothing where
// it has no such form, or what is seen may move back as queries go on.
std::optional<ir::SeenKeys> SeenBy(ir::Context& context, ir::PrimRef score, ir::PrimRef query,
                                   ir::PrimRef key, ir::PrimRef keys);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_SEEN_KEYS_H_

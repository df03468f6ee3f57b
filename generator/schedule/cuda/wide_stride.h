// Matches elementwise nests whose threads can read and write 2, 4 or 8 neighboring elements at
// once.
#ifndef LATHE_SCHEDULE_CUDA_WIDE_STRIDE_H_
#define LATHE_SCHEDULE_CUDA_WIDE_STRIDE_H_

#include <optional>

#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"

namespace lathe::schedule {

// Matches the nest `stmt` with the parallel axes `grid`, if each access is contiguous or invariant
// along the innermost axis. Returns nullopt for other accesses or too few elements.
std::optional<ir::WideStride> MatchWideStride(ir::Context& context, ir::StmtRef stmt,
                                              const ir::GridStride& grid);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_WIDE_STRIDE_H_

// Elementwise nests whose threads read and write 16 bytes at once.
#ifndef LATHE_SCHEDULE_CUDA_WIDE_STRIDE_H_
#define LATHE_SCHEDULE_CUDA_WIDE_STRIDE_H_

#include <optional>

#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"

namespace lathe::schedule {

// The nest `stmt`, of which `grid` has the axes that are spread over threads, where each place that
// it reads or writes is a run of neighbours in memory, or the same for all of them. Nothing where
// some place is neither, or there are too few elements to be worth it.
std::optional<ir::WideStride> MatchWideStride(ir::Context& context, ir::StmtRef stmt,
                                              const ir::GridStride& grid);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_WIDE_STRIDE_H_

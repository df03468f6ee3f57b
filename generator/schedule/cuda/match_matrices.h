// Checks that the factors of a product have a layout that Hopper's tensor memory accelerator (TMA)
// supports.
#ifndef LATHE_SCHEDULE_CUDA_MATCH_MATRICES_H_
#define LATHE_SCHEDULE_CUDA_MATCH_MATRICES_H_

#include <optional>

#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"
#include "generator/ir/program.h"

namespace lathe::schedule {

// Returns the layout of both factors, without tiles. Returns nullopt unless tensor cores multiply
// 8- or 16-bit elements, and each factor is read from a kernel parameter, with a stride along every
// axis that is known at launch. The alignment of strides and base addresses is checked at run time,
// unless constant sizes already rule it out.
std::optional<ir::GroupProduct> MatchMatrices(ir::Context& context, const ir::Kernel& kernel,
                                              const ir::TiledProduct& product);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_MATCH_MATRICES_H_

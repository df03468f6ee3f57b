// Whether the factors of a product lie as Hopper's tensor memory accelerator takes them.
#ifndef LATHE_SCHEDULE_CUDA_MATCH_MATRICES_H_
#define LATHE_SCHEDULE_CUDA_MATCH_MATRICES_H_

#include <optional>

#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"
#include "generator/ir/program.h"

namespace lathe::schedule {

// Where both lie, without tiles: each is read from a parameter of the kernel, with steps of one
// length along every axis, for tensor cores. What a step has to be a multiple of, and where memory
// begins, is for the run to see, but where the sizes say at once that it never is.
std::optional<ir::GroupProduct> MatchMatrices(ir::Context& context, const ir::Kernel& kernel,
                                              const ir::TiledProduct& product);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_MATCH_MATRICES_H_

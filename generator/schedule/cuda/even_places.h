// Whether threads may read or store runs of 16 bytes without looking at each one's address.
#ifndef LATHE_SCHEDULE_CUDA_EVEN_PLACES_H_
#define LATHE_SCHEDULE_CUDA_EVEN_PLACES_H_

#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"
#include "generator/ir/program.h"

namespace lathe::schedule {

// Of the factors, and of what is stored: where its sums are finished by storing one thing of 1, 2
// or 4 bytes. Nothing where no run is.
void FindEvenPlaces(ir::Context& context, const ir::Kernel& kernel, ir::TiledProduct& product);
void FindEvenPlaces(ir::Context& context, const ir::Kernel& kernel, ir::Attention& attention);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_EVEN_PLACES_H_

// Finds the condition under which threads may access aligned 16-byte vectors without a check for
// each address.
#ifndef LATHE_SCHEDULE_CUDA_VECTOR_ALIGNMENT_H_
#define LATHE_SCHEDULE_CUDA_VECTOR_ALIGNMENT_H_

#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"
#include "generator/ir/program.h"

namespace lathe::schedule {

// Sets the alignment of the factors and of the store, if the store is of one value of 1, 2 or 4
// bytes. Clears it where it cannot be proved.
void FindVectorAlignment(ir::Context& context, const ir::Kernel& kernel, ir::TiledProduct& product);
// Sets the alignment of the queries, keys and values, and of the store, by the same rules.
void FindVectorAlignment(ir::Context& context, const ir::Kernel& kernel, ir::Attention& attention);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_VECTOR_ALIGNMENT_H_

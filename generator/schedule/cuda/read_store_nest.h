// Parses nests that store one element in each iteration, as one expression of the loop variables.
// Bindings, also those of blocks, are substituted.
//
//   for i, j: [let]... [assert]... to[at] = value
#ifndef LATHE_SCHEDULE_CUDA_READ_STORE_NEST_H_
#define LATHE_SCHEDULE_CUDA_READ_STORE_NEST_H_

#include <optional>
#include <vector>

#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"

namespace lathe::schedule {

struct StoreNest {
  std::vector<ir::GridAxis> loops;  // outermost first, all from 0
  bool asserts = false;             // has checks
  ir::BufferRef to = nullptr;       // the stored buffer
  std::vector<ir::PrimRef> at;      // the stored indices
  ir::PrimRef value = nullptr;      // the stored value
};

// Returns the nest `stmt`. Returns nullopt for other statements.
std::optional<StoreNest> ReadStoreNest(ir::Context& context, ir::StmtRef stmt);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_READ_STORE_NEST_H_

// Counts the stores that a loop nest executes.
#ifndef LATHE_ANALYSIS_COUNT_STORES_H_
#define LATHE_ANALYSIS_COUNT_STORES_H_

#include <cstdint>
#include <optional>

#include "generator/ir/tir.h"

namespace lathe::analysis {

// Counts each store times the extents of the loops around it; of the branches of an `if` the larger
// count. Returns nothing if an extent is symbolic, and for a store in a `while` loop.
std::optional<int64_t> CountStores(const ir::PrimFunc& func);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_COUNT_STORES_H_

// Places blocks one after another without sharing bytes, with guard bytes around each block.
#ifndef LATHE_PLAN_PACK_GUARDED_H_
#define LATHE_PLAN_PACK_GUARDED_H_

#include <cstdint>

#include "absl/types/span.h"
#include "generator/plan/pack.h"

namespace lathe::plan {

// Returns a packing with at least `guard` unused bytes before the first block, between two blocks,
// and after the last block. `guard` is a multiple of every alignment.
Packing PackGuarded(absl::Span<const Block> blocks, int64_t guard);

}  // namespace lathe::plan

#endif  // LATHE_PLAN_PACK_GUARDED_H_

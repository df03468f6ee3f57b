// Places blocks one after another, none on bytes of another, with guards around each.
#ifndef LATHE_PLAN_PACK_APART_H_
#define LATHE_PLAN_PACK_APART_H_

#include <cstdint>

#include "absl/types/span.h"
#include "generator/plan/pack.h"

namespace lathe::plan {

// At least `guard` unused bytes, a multiple of every alignment, stand before the first block,
// between any two, and after the last one.
Packing PackApart(absl::Span<const Block> blocks, int64_t guard);

}  // namespace lathe::plan

#endif  // LATHE_PLAN_PACK_APART_H_

#include "generator/plan/pack_guarded.h"

#include "generator/plan/sections.h"
#include "generator/support/align_up.h"

namespace lathe::plan {

Packing PackGuarded(absl::Span<const Block> blocks, int64_t guard) {
  Packing packing;
  if (blocks.empty()) return packing;
  int64_t end = 0;
  for (const Block& block : blocks) {
    packing.offsets.push_back(AlignUp(end, block.align) + guard);
    end = packing.offsets.back() + block.size;
  }
  packing.height = AlignUp(end, blocks.back().align) + guard;
  packing.lower_bound = packing.height;
  packing.optimal = true;
  return packing;
}

}  // namespace lathe::plan

// One block of a kernel, as far as its kind asks: what it stores where, and how it reads.
#ifndef LATHE_ANALYSIS_KERNEL_STAGE_H_
#define LATHE_ANALYSIS_KERNEL_STAGE_H_

#include <optional>
#include <vector>

#include "generator/ir/tir.h"

namespace lathe::analysis {

// How the place that is read follows from the place that is stored, from the least to the most.
enum class Access {
  kSame,       // a[i, j], of the shape of what is stored
  kInOrder,    // a[j], a[0, j], a[()]
  kElsewhere,  // a[j, i], a[i + 1], a[b[i]]
};

struct StageLoad {
  ir::BufferRef buffer = nullptr;
  Access access = Access::kElsewhere;
};

struct KernelStage {
  std::vector<ir::BufferRef> stores;
  std::vector<StageLoad> loads;
  // Each element is stored at the place of the axes; otherwise at a fixed distance from it, as
  // parts of a concatenation are.
  bool in_place = true;
  bool reduces = false;
  // Of a reduction: each element is needed for one result, values come together one by one.
  bool plain = true;
};

// Nothing when the block is not of this form: axes whose order counts, places that data says, loops
// inside, effects.
std::optional<KernelStage> StageOf(const ir::BlockStmt& block);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_KERNEL_STAGE_H_

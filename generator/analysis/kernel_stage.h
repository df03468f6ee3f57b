// Summarizes the loads and stores of one block of a kernel, to classify the kernel.
#ifndef LATHE_ANALYSIS_KERNEL_STAGE_H_
#define LATHE_ANALYSIS_KERNEL_STAGE_H_

#include <optional>
#include <vector>

#include "generator/ir/tir.h"

namespace lathe::analysis {

// The relation between the load index and the store index, from the simplest to the most general.
enum class Access {
  kSame,       // a[i, j], with the shape of the stored buffer
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
  // Elements are stored at the indices of the axes; otherwise at a constant distance, as the parts
  // of a concatenation are.
  bool in_place = true;
  bool reduces = false;
  // For reductions: each element contributes to one result, and values are combined one by one.
  bool plain = true;
};

// Returns nothing for other blocks: axes whose order matters, data-dependent indices, loops inside,
// side effects.
std::optional<KernelStage> StageOf(const ir::BlockStmt& block);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_KERNEL_STAGE_H_

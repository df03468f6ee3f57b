// Summarizes how functions called by kernels access the memory passed to them.
#ifndef LATHE_SCHEDULE_CUDA_CALLEE_USES_H_
#define LATHE_SCHEDULE_CUDA_CALLEE_USES_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::schedule {

// The accesses through a pointer parameter.
struct PointerUse {
  bool writes = false;
  // The largest number of elements from the pointer on that it accesses. nullopt: unknown.
  std::optional<int64_t> reach = 0;
};

// The accesses through each parameter, by function name.
using CalleeUses = std::map<std::string, std::vector<PointerUse>>;

// Returns the summaries of all functions in `callees`.
CalleeUses UsesOfCallees(ir::Context& context, const std::map<std::string, ir::PrimFunc>& callees);

// Returns the summary of the called function, or null if it is unknown.
const std::vector<PointerUse>* UsesOf(const CalleeUses& callees, const ir::Intrinsic& call);

// Returns the pointer variables whose memory `pointer` may point into.
std::vector<ir::PrimRef> MemoryOf(ir::PrimRef pointer);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_CALLEE_USES_H_

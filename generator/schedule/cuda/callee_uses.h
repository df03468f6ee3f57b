// What functions that kernels call do with the memory that they are given.
#ifndef LATHE_SCHEDULE_CUDA_CALLEE_USES_H_
#define LATHE_SCHEDULE_CUDA_CALLEE_USES_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::schedule {

// Of a parameter that is a pointer.
struct PointerUse {
  bool writes = false;
  // How many elements from there on it reads and writes at most; nothing where that is not known.
  std::optional<int64_t> reach = 0;
};

// By name, for each parameter.
using CalleeUses = std::map<std::string, std::vector<PointerUse>>;

CalleeUses UsesOfCallees(ir::Context& context, const std::map<std::string, ir::PrimFunc>& callees);

// Those of the function that is called; null where nothing is known of it.
const std::vector<PointerUse>* UsesOf(const CalleeUses& callees, const ir::Intrinsic& call);

// The pointer variables whose memory a pointer may lead into.
std::vector<ir::PrimRef> MemoryOf(ir::PrimRef pointer);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_CALLEE_USES_H_

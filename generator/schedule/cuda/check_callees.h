// Checks the functions that GPU kernels call.
#ifndef LATHE_SCHEDULE_CUDA_CHECK_CALLEES_H_
#define LATHE_SCHEDULE_CUDA_CHECK_CALLEES_H_

#include <map>
#include <string>

#include "absl/status/status.h"
#include "generator/ir/program.h"
#include "generator/ir/tir.h"

namespace lathe::schedule {

// Returns the functions reachable from GPU kernels. Others are called on the host only.
std::map<std::string, ir::PrimFunc> CalleesOfGpus(const ir::Program& program);

// Fails on a function that binds threads, needs them (for a barrier) or is recursive, and names it.
// The depth of recursion is unknown, and the size of a thread's stack is chosen by the embedding
// program.
absl::Status CheckCallees(const std::map<std::string, ir::PrimFunc>& callees);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_CHECK_CALLEES_H_

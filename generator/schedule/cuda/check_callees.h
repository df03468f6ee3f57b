// Which of the functions that kernels call a GPU has.
#ifndef LATHE_SCHEDULE_CUDA_CHECK_CALLEES_H_
#define LATHE_SCHEDULE_CUDA_CHECK_CALLEES_H_

#include <map>
#include <string>

#include "absl/status/status.h"
#include "generator/ir/program.h"
#include "generator/ir/tir.h"

namespace lathe::schedule {

// Those that kernels of GPUs reach; others only the host's call.
std::map<std::string, ir::PrimFunc> CalleesOfGpus(const ir::Program& program);

// Fails, naming it, on one that binds threads, or that may call itself: how often is not known, and
// a thread has a stack of a size that the program around the model chooses.
absl::Status CheckCallees(const std::map<std::string, ir::PrimFunc>& callees);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_CHECK_CALLEES_H_

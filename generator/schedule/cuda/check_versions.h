// What a program asks of GPUs, and whether those that it is compiled for have it.
#ifndef LATHE_SCHEDULE_CUDA_CHECK_VERSIONS_H_
#define LATHE_SCHEDULE_CUDA_CHECK_VERSIONS_H_

#include "absl/status/status.h"
#include "generator/ir/tir.h"
#include "generator/target/gpu.h"

namespace lathe::schedule {

// Fails, naming it, on the first instruction in `stmt` that one of `gpus` has not.
absl::Status CheckVersions(const GpuChoice& gpus, ir::StmtRef stmt);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_CHECK_VERSIONS_H_

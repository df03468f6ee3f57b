// Checks that the target GPUs support the instructions of a program.
#ifndef LATHE_SCHEDULE_CUDA_CHECK_VERSIONS_H_
#define LATHE_SCHEDULE_CUDA_CHECK_VERSIONS_H_

#include "absl/status/status.h"
#include "generator/ir/tir.h"
#include "generator/target/gpu.h"

namespace lathe::schedule {

// Fails on the first instruction in `stmt` that one of `gpus` lacks, and names it.
absl::Status CheckVersions(const GpuChoice& gpus, ir::StmtRef stmt);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_CHECK_VERSIONS_H_

// Computes how far the input of a kernel must start above its output in shared memory, so that the
// kernel writes no element of the input before it has read it.
//
//   for i in range(8): y[i] = x[i] + 1        0: y may replace x
//   for i in range(8): y[i] = x[7 - i]        nothing smaller than y: the first write is read last
#ifndef LATHE_PLAN_OVERLAP_DISTANCE_H_
#define LATHE_PLAN_OVERLAP_DISTANCE_H_

#include <cstdint>
#include <optional>

#include "generator/ir/program.h"

namespace lathe::plan {

// The largest number of statements and expressions that all walks of a program visit together.
inline constexpr int64_t kMaxProgramVisits = 4'000'000;

// Returns the smallest distance in bytes, at least 0, of the start of tensor `read` above the start
// of tensor `written`; every larger distance is safe, too. The loops of the kernel are walked in
// their order, and their visits are subtracted from `visits_left`. Returns nullopt if the dtypes
// differ, if two parameters are `written`, or if the order of the accesses is not known: the loops
// are too long, run in threads or depend on data, or the kernel accesses memory through pointers or
// calls other functions.
std::optional<int64_t> OverlapDistance(const ir::Program& program, const ir::KernelStep& step,
                                       ir::TensorId read, ir::TensorId written,
                                       int64_t& visits_left);

}  // namespace lathe::plan

#endif  // LATHE_PLAN_OVERLAP_DISTANCE_H_

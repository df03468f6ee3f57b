// Finds the tensors of a routine that may share bytes although both are alive in one step: an input
// of a kernel that is not used later, and its output.
#ifndef LATHE_PLAN_FIND_OVERLAPS_H_
#define LATHE_PLAN_FIND_OVERLAPS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "generator/ir/program.h"
#include "generator/plan/overlap_distance.h"
#include "generator/plan/pack.h"
#include "generator/plan/plan.h"

namespace lathe::plan {

// Finds the overlaps in the routines of one program.
class OverlapFinder {
 public:
  explicit OverlapFinder(const ir::Program& program) : program_(program) {}

  // Returns the overlaps of `buffers`, which BlockOverlap refers to by their index. Only top-level
  // steps are examined. The result is empty if the routine loops.
  std::vector<BlockOverlap> Find(const ir::Routine& routine, const std::vector<Buffer>& buffers);

  // Returns OverlapDistance() of the call. The calls of a program together have kMaxProgramVisits.
  std::optional<int64_t> DistanceOf(const ir::KernelStep& call, ir::TensorId read,
                                    ir::TensorId written);

 private:
  const ir::Program& program_;
  int64_t visits_left_ = kMaxProgramVisits;
  // Calls with equal keys have equal distances.
  absl::flat_hash_map<std::string, std::optional<int64_t>> distances_;
};

}  // namespace lathe::plan

#endif  // LATHE_PLAN_FIND_OVERLAPS_H_

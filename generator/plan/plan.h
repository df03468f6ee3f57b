// Where every byte of the arena lives.
#ifndef LATHE_PLAN_PLAN_H_
#define LATHE_PLAN_PLAN_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "generator/ir/program.h"
#include "generator/target/target.h"

namespace lathe::plan {

// What has to lie in the arena, and when.
struct Buffer {
  ir::TensorId tensor;
  int64_t size = 0;  // bytes
  int first = 0;     // the step that writes it
  int last = 0;      // the last step that reads it: alive in [first, last]
};

struct Placement {
  Buffer buffer;
  int64_t offset = 0;  // from the arena's start, a multiple of the target's arena_align
};

// One arena serves all entry points: they never run at the same time.
struct Plan {
  std::vector<Placement> placements;
  int64_t arena_size = 0;
  int64_t lower_bound = 0;  // no plan for this order of steps can be smaller
};

// The arena buffers of one entry point with their lives.
std::vector<Buffer> Lifetimes(const ir::Program& program, const ir::EntryPoint& entry);

// Places all arena tensors of `program`. The result has passed CheckPlan.
Plan PlanMemory(const ir::Program& program, const Target& target);

// Ends the process, our bug, when two buffers alive at one time share a byte, or one is misaligned
// or beyond the arena. Knows nothing of how the plan was made.
void CheckPlan(absl::Span<const Placement> placements, int64_t arena_size, int64_t align);

}  // namespace lathe::plan

#endif  // LATHE_PLAN_PLAN_H_

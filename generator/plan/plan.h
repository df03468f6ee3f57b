// Where every byte of the arena lives.
//
// Each routine has a frame: tensors of fixed size, or of a size with a bound, are packed by their
// lives, those whose size is any expression of what the routine begins with lie behind them in
// slots, those whose size shows only in the middle of a run grow behind both, and a callee's frame
// lies where its call finds room, or behind the frame where its size is not fixed.
#ifndef LATHE_PLAN_PLAN_H_
#define LATHE_PLAN_PLAN_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "generator/ir/context.h"
#include "generator/ir/program.h"
#include "generator/target/target.h"

namespace lathe::plan {

// What has to lie in a frame, and when.
struct Buffer {
  ir::TensorId tensor;  // invalid: the frame of a call
  int call = -1;        // which of the routine's calls, in the order of ForEachStep
  int64_t size = 0;     // bytes
  int first = 0;        // the step that writes it first
  int last = 0;         // the last step that uses it: alive in [first, last]
};

// Tensors of one size expression that take turns.
struct Slot {
  std::vector<ir::PrimRef> dims;
  ir::DType dtype;
  int last = 0;  // the last step at which it is in use
};

struct Frame {
  int64_t fixed_size = 0;   // of what is placed, by offset_of and call_offsets
  int64_t lower_bound = 0;  // no plan for this order of steps can be smaller
  std::vector<Slot> slots;  // each aligned, one behind the other, behind what is placed
  absl::flat_hash_map<ir::TensorId, size_t> slot_of;
  absl::flat_hash_set<ir::TensorId> tail;  // each is put behind all that there is when it is made
  bool grows = false;  // something is put behind it: of its own, or for its caller
  bool exact = true;   // no slot is for more than what is in it: the data does not say its size
  bool open = false;   // needs more than fixed_size: slots, recursion, or a callee that is open

  std::vector<Buffer> buffers;   // what is placed
  std::vector<int64_t> offsets;  // and where
  absl::flat_hash_map<ir::TensorId, int64_t> offset_of;
  std::vector<std::optional<int64_t>> call_offsets;  // nothing: behind the frame
};

// One arena serves all exported routines: they never run at the same time.
struct Plan {
  IdVector<ir::RoutineId, Frame> frames;
  int64_t arena_size = 0;  // of exported routines; at least, when one is open
  int64_t lower_bound = 0;
};

// Plans all frames of `program`. Every packing has passed CheckPacking.
Plan PlanMemory(const ir::Program& program, const Target& target);

}  // namespace lathe::plan

#endif  // LATHE_PLAN_PLAN_H_

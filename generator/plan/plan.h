// Plans the memory of the arena, or of the pools or device memories that replace it.
//
// Each routine has a frame with up to three parts:
//   1. Tensors of constant or bounded size, packed by their lifetimes.
//   2. Slots for tensors whose size is an expression over the sizes and inputs of the routine.
//   3. The tail: tensors whose size is known only in the middle of a run, or that a call returns.
//      It grows.
// A callee's frame of constant size is packed into part 1, at the step of its call. Other callee
// frames are placed after the caller's frame.
#ifndef LATHE_PLAN_PLAN_H_
#define LATHE_PLAN_PLAN_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "generator/ir/context.h"
#include "generator/ir/program.h"
#include "generator/target/target.h"

namespace lathe::plan {

// A tensor or a callee's frame in part 1 of a frame.
struct Buffer {
  ir::TensorId tensor;  // invalid: the frame of a call
  int call = -1;        // index among the routine's calls, in the order of ForEachStep
  int64_t size = 0;     // bytes
  int first = 0;        // the step that writes it first
  int last = 0;         // the last step that uses it: alive in [first, last]
};

// Memory for tensors with equal size expressions and disjoint lifetimes.
struct Slot {
  std::vector<ir::PrimRef> dims;
  ir::DType dtype;
  int last = 0;  // the last step that uses it
  size_t pool = 0;
};

// A memory that the caller provides.
struct Pool {
  std::string name;
  int64_t size = 0;
};

// The part of a frame in one pool.
struct Share {
  int64_t fixed_size = 0;                            // bytes of the packed buffers
  bool used = false;                                 // by a tensor, perhaps an empty one
  int64_t lower_bound = 0;                           // of every plan for this order of steps
  std::vector<Buffer> buffers;                       // packed buffers
  std::vector<int64_t> offsets;                      // of each buffer
  std::vector<std::optional<int64_t>> call_offsets;  // nullopt: after the frame
  // Needs more than fixed_size: for slots, a tail, recursion, kept tensors, or an open callee.
  // Among pools, only the last one can be open; each memory of a device can.
  bool open = false;
  bool grows = false;  // during a run, by a tail of its own or by returned tensors
};
struct Place {
  size_t pool = 0;
  int64_t offset = 0;
};

struct Frame {
  std::vector<Share> shares;                          // one for each pool
  absl::flat_hash_map<ir::TensorId, Place> place_of;  // of packed tensors
  std::vector<Slot> slots;  // aligned, consecutive, after the packed buffers of their pool
  absl::flat_hash_map<ir::TensorId, size_t> slot_of;
  absl::flat_hash_set<ir::TensorId> tail;  // each allocated at the current end when it is created
  bool exact = true;                       // no slot is larger than its tensor (size by a bound)
  bool open = false;                       // one of the shares is open

  const Share& last() const { return shares.back(); }
};

// The use of a pool by the exported routines, of which at most one runs at a time.
struct PoolUse {
  std::string name;
  int64_t limit = 0;  // size of the pool; 0 for the arena, which is as large as needed
  int64_t size = 0;   // bytes used; a minimum if a frame is open
  int64_t lower_bound = 0;
  int64_t tensors = 0;  // number of packed tensors
};

// The memory of Program::state.
struct StateLayout {
  std::vector<int64_t> offsets;  // of each variable
  int64_t size = 0;              // bytes of all
};

struct Plan {
  IdVector<ir::RoutineId, Frame> frames;
  std::vector<PoolUse> pools = {{"arena"}};  // or the pools of --pool
  int64_t arena_size = 0;                    // total of all pools
  int64_t lower_bound = 0;
  StateLayout state;
  int64_t guard = 0;  // unused bytes around each tensor, in plans for validation

  bool has_pools() const { return pools.back().limit > 0; }
  // Returns true if each device of the program has a memory of its own. Each may grow.
  bool has_devices() const { return pools.size() > 1 && !has_pools(); }
  // Returns the pool in which tensors on `device` of dynamic size are allocated.
  size_t PoolThatGrows(int device) const {
    return has_devices() ? static_cast<size_t>(device) : pools.size() - 1;
  }
};

// Plans all frames of `program` in one arena. Every packing has passed CheckPacking or
// CheckOverlapping.
Plan PlanMemory(const ir::Program& program, const Target& target);

// Plans an arena for validation: no two tensors share bytes, and each has GuardBytes around it.
Plan PlanGuarded(const ir::Program& program, const Target& target);
// Returns the size of a guard: a multiple of the alignment, at least the size of a vector, and
// small enough for the smallest microcontrollers.
int64_t GuardBytes(const Target& target);

// Plans all frames in `pools`, the fastest first. Tensors with a memory scope go to the pool of
// that name. Others that do not fit into a pool go to the next (spill.h). In each pool, tensors
// share bytes as in an arena. Slots and tails are in the last pool. Fails with ResourceExhausted if
// the pools are too small, and with InvalidArgument if no pool has the name of a memory scope.
absl::StatusOr<Plan> PlanInPools(const ir::Program& program, const Target& target,
                                 const std::vector<Pool>& pools);

// Plans one memory for each device of a program with several devices, named after it ("cuda1"). A
// tensor is in the memory of its device.
Plan PlanOnDevices(const ir::Program& program, const Target& target);

}  // namespace lathe::plan

#endif  // LATHE_PLAN_PLAN_H_

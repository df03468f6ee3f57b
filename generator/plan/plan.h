// Where every byte of the arena lives, or of the several memories that stand for it.
//
// Each routine has a frame: tensors of fixed size, or of a size with a bound, are packed by their
// lives, those whose size is any expression of what the routine begins with lie behind them in
// slots, those whose size shows only in the middle of a run grow behind both, and a callee's frame
// lies where its call finds room, or behind the frame where its size is not fixed.
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
  size_t pool = 0;
};

// A memory that the caller gives: as fast as it may be, as large as it is.
struct Pool {
  std::string name;
  int64_t size = 0;
};

// What of a frame lies in one pool.
struct Share {
  int64_t fixed_size = 0;        // of what is placed
  bool used = false;             // by something, which may have no bytes
  int64_t lower_bound = 0;       // no plan for this order of steps can be smaller
  std::vector<Buffer> buffers;   // what is placed
  std::vector<int64_t> offsets;  // and where
  std::vector<std::optional<int64_t>> call_offsets;  // nothing: behind the frame
  bool open = false;   // more than what is placed: slots, recursion, what is kept at its far end,
                       // or a callee for which that is so. Of pools only the last is ever
  bool grows = false;  // something is put behind it: of its own, or for its caller
};
struct Place {
  size_t pool = 0;
  int64_t offset = 0;
};

struct Frame {
  std::vector<Share> shares;                          // one for each pool
  absl::flat_hash_map<ir::TensorId, Place> place_of;  // of what is placed
  std::vector<Slot> slots;  // each aligned, one behind the other, behind what is placed in a pool
  absl::flat_hash_map<ir::TensorId, size_t> slot_of;
  absl::flat_hash_set<ir::TensorId> tail;  // each is put behind all that there is when it is made
  bool exact = true;  // no slot is for more than what is in it: the data does not say its size
  bool open = false;  // one of its shares is

  const Share& last() const { return shares.back(); }
};

// What exported routines take of a pool, at most one of which runs at a time.
struct PoolUse {
  std::string name;
  int64_t limit = 0;  // how large it is; 0 for the arena, which is as large as it has to be
  int64_t size = 0;   // what they take; at least, when one is open and it is the last
  int64_t lower_bound = 0;
  int64_t tensors = 0;  // that lie in it
};

struct Plan {
  IdVector<ir::RoutineId, Frame> frames;
  std::vector<PoolUse> pools = {{"arena"}};  // or those that were given
  int64_t arena_size = 0;                    // of all pools
  int64_t lower_bound = 0;
  int64_t guard = 0;  // of a plan for validation: the bytes around each tensor that nothing writes

  bool has_pools() const { return pools.back().limit > 0; }
  // Whether there is a memory for each device of the program, which may grow.
  bool has_devices() const { return pools.size() > 1 && !has_pools(); }
};

// Plans all frames of `program` in one arena. Every packing has passed CheckPacking.
Plan PlanMemory(const ir::Program& program, const Target& target);

// Plans an arena for validation: no two tensors share bytes, and GuardBytes stand around each.
Plan PlanGuarded(const ir::Program& program, const Target& target);
// Less than a smallest controller has, and no less than any vector: a multiple of the alignment.
int64_t GuardBytes(const Target& target);

// The same in pools, the fastest first: what the program wants in one of these names lies there,
// else what does not fit into a pool goes to the next. The last has what grows. ResourceExhausted,
// with what is too large, where they do not hold it.
absl::StatusOr<Plan> PlanInPools(const ir::Program& program, const Target& target,
                                 const std::vector<Pool>& pools);

// The same in a memory for each device of a program that has several, called after it ("cuda1"):
// what lies on a device is in its memory.
Plan PlanOnDevices(const ir::Program& program, const Target& target);

}  // namespace lathe::plan

#endif  // LATHE_PLAN_PLAN_H_

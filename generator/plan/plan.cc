#include "generator/plan/plan.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/ir/lifetimes.h"
#include "generator/lower/keeps_result.h"
#include "generator/plan/check_packing.h"
#include "generator/plan/find_overlaps.h"
#include "generator/plan/pack_guarded.h"
#include "generator/plan/pack_overlapping.h"
#include "generator/plan/sections.h"
#include "generator/plan/spill.h"
#include "generator/support/align_up.h"
#include "generator/support/check.h"
#include "generator/support/status.h"
#include "generator/target/gpu.h"

namespace lathe::plan {
namespace {

class Planner {
 public:
  // Tensors that are not in `pool_of` go to the first of `pools` pools. With a guard, or without
  // `overlaps`, tensors do not share bytes.
  Planner(const ir::Program& program, const Target& target, size_t pools, const PoolOf& pool_of,
          OverlapFinder* overlaps, int64_t guard)
      : program_(program),
        align_(target.ram_align),
        by_device_(!program.devices.empty()),
        pools_(pools),
        pool_of_(pool_of),
        overlaps_(overlaps),
        guard_(guard),
        frames_(program.routines.size()),
        state_(program.routines.size(), State::kWaiting),
        packs_left_(static_cast<int64_t>(program.routines.size() * pools)) {}

  IdVector<ir::RoutineId, Frame> All() {
    for (int32_t i = 0; i < std::ssize(program_.routines); ++i) (void)FrameOf(ir::RoutineId{i});
    return std::move(frames_);
  }

 private:
  enum class State { kWaiting, kPlanning, kDone };

  // Returns null for a routine that is being planned, which is recursive.
  const Frame* FrameOf(ir::RoutineId id) {
    if (state_[id] == State::kPlanning) return nullptr;
    if (state_[id] == State::kWaiting) {
      state_[id] = State::kPlanning;
      frames_[id] = PlanFrame(program_.routines[id]);
      state_[id] = State::kDone;
    }
    return &frames_[id];
  }

  Frame PlanFrame(const ir::Routine& routine) {
    Frame frame;
    frame.shares.resize(pools_);
    for (size_t pool = FirstOpen(); pool < pools_; ++pool) {
      frame.shares[pool].open = routine.recursive;
    }
    std::vector<std::vector<Buffer>> buffers(pools_);
    for (const ir::Life& life : ir::Lifetimes(program_, routine)) {
      const std::optional<int64_t> bytes = program_.tensors[life.tensor].max_bytes();
      if (bytes && !program_.tensors[life.tensor].returned) {
        const auto at = pool_of_.find(life.tensor);
        const size_t pool = at == pool_of_.end() ? 0 : at->second;
        buffers[pool].push_back({life.tensor, -1, *bytes, life.first, life.last});
      } else {
        PlaceDynamic(routine, frame, life);
      }
    }
    const std::vector<ir::CallAt> calls = ir::CallsOf(routine);
    for (Share& share : frame.shares) share.call_offsets.resize(calls.size());
    for (size_t i = 0; i < calls.size(); ++i) {
      const Frame* callee = FrameOf(calls[i].call->routine);
      for (size_t pool = FirstOpen(); pool < pools_; ++pool) {
        frame.shares[pool].open |= callee == nullptr || callee->shares[pool].open;
      }
      for (size_t pool = 0; pool < pools_ && callee != nullptr; ++pool) {
        frame.shares[pool].used |= callee->shares[pool].used;
        if (callee->shares[pool].open) continue;
        buffers[pool].push_back({{},
                                 static_cast<int>(i),
                                 callee->shares[pool].fixed_size,
                                 calls[i].step,
                                 calls[i].step});
      }
    }
    Share& last = frame.shares.back();
    ir::ForEachStep(routine.steps, [&](const ir::Step& step) {
      if (std::holds_alternative<ir::ReturnStep>(step.node)) last.open = last.grows = true;
      if (lower::Keeps(program_, step)) last.open = true;
    });
    for (size_t pool = 0; pool < pools_; ++pool) {
      Pack(routine, buffers[pool], pool, frame);
      Share& share = frame.shares[pool];
      if (share.open) share.fixed_size = AlignUp(std::max(share.fixed_size, guard_), align_);
      frame.open = frame.open || share.open;
    }
    return frame;
  }

  // Only the last pool can be open; with a memory for each device, all of them can.
  size_t FirstOpen() const { return by_device_ ? 0 : pools_ - 1; }

  void Pack(const ir::Routine& routine, const std::vector<Buffer>& buffers, size_t pool,
            Frame& frame) {
    std::vector<Block> blocks;
    for (const Buffer& b : buffers) blocks.push_back({b.size, b.first, b.last, align_});
    const std::vector<BlockOverlap> overlaps = overlaps_ == nullptr || guard_ > 0
                                                   ? std::vector<BlockOverlap>()
                                                   : overlaps_->Find(routine, buffers);
    const Packing packing = guard_ > 0 ? PackGuarded(blocks, guard_)
                                       : PackOverlapping(blocks, overlaps, StepsFor(blocks));
    steps_left_ -= packing.steps;
    const absl::Status checked =
        overlaps.empty() ? CheckPacking(blocks, packing.offsets, packing.height)
                         : CheckOverlapping(blocks, overlaps, packing.offsets, packing.height);
    LATHE_CHECK(checked.ok(), "a packer returned an invalid packing");
    Share& share = frame.shares[pool];
    share.fixed_size = packing.height;
    share.lower_bound = packing.lower_bound;
    share.buffers = buffers;
    share.offsets = packing.offsets;
    for (size_t i = 0; i < buffers.size(); ++i) {
      if (buffers[i].call >= 0) {
        share.call_offsets[static_cast<size_t>(buffers[i].call)] = packing.offsets[i];
      } else {
        share.used = true;
        frame.place_of[buffers[i].tensor] = {pool, packing.offsets[i]};
      }
    }
  }

  // The packings of a program share the steps of one; what a packing leaves goes to the others. A
  // byte is not worth more than some steps.
  int64_t StepsFor(const std::vector<Block>& blocks) {
    constexpr int64_t kStepsOfByte = 100'000;
    const int64_t share = steps_left_ / std::max<int64_t>(packs_left_--, 1);
    int64_t bytes = 0;
    for (const Block& block : blocks) bytes += std::min(block.size, share / kStepsOfByte + 1);
    return std::min(share, bytes * kStepsOfByte);
  }

  // Returns true if all variables in `dims` are known when the routine begins.
  static bool KnownAtEntry(const ir::Routine& routine, const std::vector<ir::PrimRef>& dims) {
    for (ir::PrimRef dim : dims) {
      for (ir::PrimRef var : analysis::VarsIn(dim)) {
        const auto& sizes = routine.sizes;
        const auto& inputs = routine.inputs;
        if (std::find(sizes.begin(), sizes.end(), var) == sizes.end() &&
            std::find(inputs.begin(), inputs.end(), ir::Part(var)) == inputs.end()) {
          return false;
        }
      }
    }
    return true;
  }

  // Places a tensor without a bound of its size in a slot or in the tail.
  void PlaceDynamic(const ir::Routine& routine, Frame& frame, const ir::Life& life) {
    const ir::Tensor& tensor = program_.tensors[life.tensor];
    const size_t pool = by_device_ ? static_cast<size_t>(tensor.device) : pools_ - 1;
    Share& share = frame.shares[pool];
    share.open = true;
    const bool known = KnownAtEntry(routine, tensor.shape);
    if (known && !tensor.returned) return AssignSlot(frame, life, tensor.shape, pool);
    frame.exact = frame.exact && tensor.returned;
    if (tensor.returned || tensor.max_shape.empty() || !KnownAtEntry(routine, tensor.max_shape)) {
      frame.tail.insert(life.tensor);
      share.grows = true;
    } else {
      AssignSlot(frame, life, tensor.max_shape, pool);
    }
  }

  // Reuses a free slot with the same size expression, or adds a slot.
  void AssignSlot(Frame& frame, const ir::Life& life, const std::vector<ir::PrimRef>& dims,
                  size_t pool) {
    const ir::Tensor& tensor = program_.tensors[life.tensor];
    for (size_t i = 0; guard_ == 0 && i < frame.slots.size(); ++i) {
      Slot& slot = frame.slots[i];
      if (slot.last >= life.first || slot.dims != dims || slot.dtype != tensor.dtype ||
          slot.pool != pool) {
        continue;
      }
      slot.last = life.last;
      frame.slot_of[life.tensor] = i;
      return;
    }
    frame.slot_of[life.tensor] = frame.slots.size();
    frame.slots.push_back({dims, tensor.dtype, life.last, pool});
  }

  const ir::Program& program_;
  const int64_t align_;
  const bool by_device_;
  const size_t pools_;
  const PoolOf& pool_of_;
  OverlapFinder* const overlaps_;
  const int64_t guard_;
  IdVector<ir::RoutineId, Frame> frames_;
  IdVector<ir::RoutineId, State> state_;
  int64_t packs_left_;
  int64_t steps_left_ = kDefaultPackSteps;
};

// Places the variables one after the other, in their order, with `guard` bytes between them.
StateLayout PlaceState(const ir::Program& program, int64_t align, int64_t guard) {
  StateLayout layout;
  for (const ir::StateVariable& variable : program.state) {
    if (!layout.offsets.empty()) layout.size = AlignUp(layout.size + guard, align);
    layout.offsets.push_back(layout.size);
    layout.size += variable.bytes;
  }
  return layout;
}

// Plans the frames and sums up what the exported routines use of each pool.
Plan PlanFrames(const ir::Program& program, const Target& target, const std::vector<Pool>& pools,
                const PoolOf& pool_of, OverlapFinder* overlaps, int64_t guard = 0) {
  Plan plan;
  plan.guard = guard;
  plan.state = PlaceState(program, target.ram_align, guard);
  plan.frames = Planner(program, target, pools.size(), pool_of, overlaps, guard).All();
  plan.pools.clear();
  for (size_t pool = 0; pool < pools.size(); ++pool) {
    PoolUse use{pools[pool].name, pools[pool].size, 0, 0, 0};
    for (int32_t i = 0; i < std::ssize(program.routines); ++i) {
      const Share& share = plan.frames[ir::RoutineId{i}].shares[pool];
      for (const Buffer& b : share.buffers) use.tensors += b.call < 0 ? 1 : 0;
      if (!program.routines[ir::RoutineId{i}].exported) continue;
      use.size = std::max(use.size, share.fixed_size);
      use.lower_bound = std::max(use.lower_bound, share.lower_bound);
    }
    plan.arena_size += use.size;
    plan.lower_bound += use.lower_bound;
    plan.pools.push_back(std::move(use));
  }
  return plan;
}

// Threads of a GPU have no order, so that no input may be overwritten.
bool HasOrder(const Target& target) { return target.name != CudaTarget().name; }

// Spilling compares pools with peaks of live bytes, but packings have gaps. If a packing exceeds
// its pool, spilling is repeated with a smaller pool, at most this often.
constexpr int kSpillRetries = 8;

// Spills and packs. Exact peaks are lower bounds of packings; others are without overlaps and with
// padding.
absl::StatusOr<Plan> SpillAndPlan(const ir::Program& program, const Target& target,
                                  const std::vector<Pool>& pools, OverlapFinder* overlaps,
                                  bool exact_peaks) {
  std::vector<int64_t> room;
  for (const Pool& pool : pools) room.push_back(pool.size);
  for (int tries = 0;; ++tries) {
    LATHE_ASSIGN_OR_RETURN(const PoolOf pool_of,
                           Spill(program, pools, room, exact_peaks ? 1 : target.ram_align,
                                 exact_peaks ? overlaps : nullptr));
    Plan plan = PlanFrames(program, target, pools, pool_of, overlaps);
    bool fits = true;
    for (size_t pool = 0; pool < pools.size(); ++pool) {
      const int64_t beyond = plan.pools[pool].size - pools[pool].size;
      if (beyond <= 0) continue;
      fits = false;
      if (tries == kSpillRetries || beyond > room[pool] || pool + 1 == pools.size()) {
        return absl::ResourceExhaustedError(absl::StrCat(
            "pool '", pools[pool].name, "' of ", pools[pool].size, " bytes would have to hold ",
            plan.pools[pool].size, " after packing", kEnlargePool));
      }
      room[pool] -= beyond;
    }
    if (fits) return plan;
  }
}

}  // namespace

Plan PlanMemory(const ir::Program& program, const Target& target) {
  OverlapFinder overlaps(program);
  return PlanFrames(program, target, {{"arena", 0}}, {}, HasOrder(target) ? &overlaps : nullptr);
}

int64_t GuardBytes(const Target& target) {
  return std::max<int64_t>(target.ram_align, target.pointer_bits > 16 ? 64 : 16);
}

Plan PlanGuarded(const ir::Program& program, const Target& target) {
  return PlanFrames(program, target, {{"arena", 0}}, {}, nullptr, GuardBytes(target));
}

Plan PlanOnDevices(const ir::Program& program, const Target& target) {
  std::vector<Pool> pools;
  for (const ir::Device& device : program.devices) {
    pools.push_back({device.is_host ? device.name : absl::StrReplaceAll(device.name, {{":", ""}})});
  }
  PoolOf pool_of;
  for (int32_t i = 0; i < std::ssize(program.tensors); ++i) {
    pool_of[ir::TensorId{i}] = static_cast<size_t>(program.tensors[ir::TensorId{i}].device);
  }
  return PlanFrames(program, target, pools, pool_of, nullptr);
}

absl::StatusOr<Plan> PlanInPools(const ir::Program& program, const Target& target,
                                 const std::vector<Pool>& pools) {
  OverlapFinder finder(program);
  OverlapFinder* const overlaps = HasOrder(target) ? &finder : nullptr;
  auto plan = SpillAndPlan(program, target, pools, overlaps, true);
  if (plan.ok() || !absl::IsResourceExhausted(plan.status())) return plan;
  // A packing may need more than each step on its own.
  auto cautious = SpillAndPlan(program, target, pools, overlaps, false);
  return cautious.ok() ? std::move(cautious) : std::move(plan);
}

}  // namespace lathe::plan

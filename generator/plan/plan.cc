#include "generator/plan/plan.h"

#include <algorithm>

#include "generator/plan/lifetimes.h"
#include "generator/support/check.h"

namespace lathe::plan {
namespace {

int64_t AlignUp(int64_t offset, int64_t align) { return (offset + align - 1) / align * align; }

bool AliveTogether(const Buffer& a, const Buffer& b) {
  return a.first <= b.last && b.first <= a.last;
}

// Largest first, each at the lowest place that is free for its whole life.
std::vector<Placement> PackLargestFirst(std::vector<Buffer> buffers, int64_t align) {
  std::stable_sort(buffers.begin(), buffers.end(),
                   [](const Buffer& a, const Buffer& b) { return a.size > b.size; });
  std::vector<Placement> placed;  // kept by offset
  for (const Buffer& buffer : buffers) {
    int64_t offset = 0;
    for (const Placement& other : placed) {
      if (!AliveTogether(buffer, other.buffer)) continue;
      if (offset + buffer.size <= other.offset) break;
      offset = std::max(offset, AlignUp(other.offset + other.buffer.size, align));
    }
    const auto by_offset = [](const Placement& a, const Placement& b) {
      return a.offset < b.offset;
    };
    const Placement placement{buffer, offset};
    placed.insert(std::upper_bound(placed.begin(), placed.end(), placement, by_offset), placement);
  }
  return placed;
}

// The most bytes alive at any one step.
int64_t PeakOfLives(absl::Span<const Buffer> buffers) {
  int64_t peak = 0;
  for (const Buffer& at : buffers) {
    int64_t alive = 0;
    for (const Buffer& b : buffers) {
      if (b.first <= at.first && at.first <= b.last) alive += b.size;
    }
    peak = std::max(peak, alive);
  }
  return peak;
}

class Planner {
 public:
  Planner(const ir::Program& program, const Target& target)
      : program_(program),
        align_(target.arena_align),
        frames_(program.routines.size()),
        state_(program.routines.size(), State::kWaiting) {}

  IdVector<ir::RoutineId, Frame> All() {
    for (int32_t i = 0; i < std::ssize(program_.routines); ++i) (void)FrameOf(ir::RoutineId{i});
    return std::move(frames_);
  }

 private:
  enum class State { kWaiting, kPlanning, kDone };

  // Null for a routine that is being planned: one that reaches itself.
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
    frame.open = routine.recursive;
    std::vector<Buffer> buffers;
    for (const Life& life : Lifetimes(program_, routine)) {
      const std::optional<int64_t> bytes = program_.tensors[life.tensor].bytes();
      if (bytes) {
        buffers.push_back({life.tensor, -1, *bytes, life.first, life.last});
      } else {
        PutInSlot(frame, life);
      }
    }
    const std::vector<CallAt> calls = CallsOf(routine);
    frame.call_offsets.resize(calls.size());
    for (size_t i = 0; i < calls.size(); ++i) {
      const Frame* callee = FrameOf(calls[i].call->routine);
      if (callee == nullptr || callee->open) {
        frame.open = true;
        continue;
      }
      buffers.push_back(
          {{}, static_cast<int>(i), callee->fixed_size, calls[i].step, calls[i].step});
    }
    frame.placements = PackLargestFirst(buffers, align_);
    for (const Placement& p : frame.placements) {
      frame.fixed_size = std::max(frame.fixed_size, p.offset + p.buffer.size);
      if (p.buffer.call >= 0) {
        frame.call_offsets[static_cast<size_t>(p.buffer.call)] = p.offset;
      } else {
        frame.offset_of[p.buffer.tensor] = p.offset;
      }
    }
    frame.lower_bound = PeakOfLives(buffers);
    if (frame.open) frame.fixed_size = AlignUp(frame.fixed_size, align_);
    CheckPlan(frame.placements, frame.fixed_size, align_);
    return frame;
  }

  // A slot of the same size that is free again, or a new one.
  void PutInSlot(Frame& frame, const Life& life) {
    const ir::Tensor& tensor = program_.tensors[life.tensor];
    frame.open = true;
    for (size_t i = 0; i < frame.slots.size(); ++i) {
      Slot& slot = frame.slots[i];
      if (slot.last >= life.first || slot.dims != tensor.shape || slot.dtype != tensor.dtype) {
        continue;
      }
      slot.last = life.last;
      frame.slot_of[life.tensor] = i;
      return;
    }
    frame.slot_of[life.tensor] = frame.slots.size();
    frame.slots.push_back({tensor.shape, tensor.dtype, life.last});
  }

  const ir::Program& program_;
  const int64_t align_;
  IdVector<ir::RoutineId, Frame> frames_;
  IdVector<ir::RoutineId, State> state_;
};

}  // namespace

Plan PlanMemory(const ir::Program& program, const Target& target) {
  Plan plan;
  plan.frames = Planner(program, target).All();
  for (int32_t i = 0; i < std::ssize(program.routines); ++i) {
    const ir::RoutineId id{i};
    if (!program.routines[id].exported) continue;
    plan.arena_size = std::max(plan.arena_size, plan.frames[id].fixed_size);
    plan.lower_bound = std::max(plan.lower_bound, plan.frames[id].lower_bound);
  }
  return plan;
}

void CheckPlan(absl::Span<const Placement> placements, int64_t arena_size, int64_t align) {
  for (size_t i = 0; i < placements.size(); ++i) {
    const Placement& a = placements[i];
    LATHE_CHECK(a.offset >= 0 && a.offset % align == 0, "a planned buffer is misaligned");
    LATHE_CHECK(a.offset + a.buffer.size <= arena_size, "a planned buffer leaves the arena");
    for (size_t j = 0; j < i; ++j) {
      const Placement& b = placements[j];
      const bool apart =
          a.offset + a.buffer.size <= b.offset || b.offset + b.buffer.size <= a.offset;
      LATHE_CHECK(apart || !AliveTogether(a.buffer, b.buffer), "two live buffers overlap");
    }
  }
}

}  // namespace lathe::plan

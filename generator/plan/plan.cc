#include "generator/plan/plan.h"

#include <algorithm>

#include "generator/analysis/shape_vars.h"
#include "generator/plan/check_packing.h"
#include "generator/plan/lifetimes.h"
#include "generator/plan/pack.h"
#include "generator/support/check.h"

namespace lathe::plan {
namespace {

int64_t AlignUp(int64_t offset, int64_t align) { return (offset + align - 1) / align * align; }

class Planner {
 public:
  Planner(const ir::Program& program, const Target& target)
      : program_(program),
        align_(target.ram_align),
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
      const std::optional<int64_t> bytes = program_.tensors[life.tensor].most_bytes();
      if (bytes && !program_.tensors[life.tensor].returned) {
        buffers.push_back({life.tensor, -1, *bytes, life.first, life.last});
      } else {
        PutBehind(routine, frame, life);
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
    ir::ForEachStep(routine.steps, [&](const ir::Step& step) {
      if (std::holds_alternative<ir::ReturnStep>(step.node)) frame.open = frame.grows = true;
    });
    frame.grows = frame.grows || !frame.tail.empty();
    Place(buffers, frame);
    if (frame.open) frame.fixed_size = AlignUp(frame.fixed_size, align_);
    return frame;
  }

  void Place(const std::vector<Buffer>& buffers, Frame& frame) const {
    std::vector<Block> blocks;
    for (const Buffer& b : buffers) blocks.push_back({b.size, b.first, b.last, align_});
    const Packing packing = Pack(blocks);
    const absl::Status checked = CheckPacking(blocks, packing.offsets, packing.height);
    LATHE_CHECK(checked.ok(), "a plan that is none");
    frame.fixed_size = packing.height;
    frame.lower_bound = packing.lower_bound;
    frame.buffers = buffers;
    frame.offsets = packing.offsets;
    for (size_t i = 0; i < buffers.size(); ++i) {
      if (buffers[i].call >= 0) {
        frame.call_offsets[static_cast<size_t>(buffers[i].call)] = packing.offsets[i];
      } else {
        frame.offset_of[buffers[i].tensor] = packing.offsets[i];
      }
    }
  }

  // Whether the routine begins with all variables in `dims`.
  static bool Begins(const ir::Routine& routine, const std::vector<ir::PrimRef>& dims) {
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

  void PutBehind(const ir::Routine& routine, Frame& frame, const Life& life) {
    const ir::Tensor& tensor = program_.tensors[life.tensor];
    frame.open = true;
    if (tensor.returned) {
      frame.tail.insert(life.tensor);
      return;
    }
    if (Begins(routine, tensor.shape)) return PutInSlot(frame, life, tensor.shape);
    frame.exact = false;
    if (tensor.most_shape.empty() || !Begins(routine, tensor.most_shape)) {
      frame.tail.insert(life.tensor);
    } else {
      PutInSlot(frame, life, tensor.most_shape);
    }
  }

  // A slot of the same size that is free again, or a new one.
  void PutInSlot(Frame& frame, const Life& life, const std::vector<ir::PrimRef>& dims) {
    const ir::Tensor& tensor = program_.tensors[life.tensor];
    for (size_t i = 0; i < frame.slots.size(); ++i) {
      Slot& slot = frame.slots[i];
      if (slot.last >= life.first || slot.dims != dims || slot.dtype != tensor.dtype) {
        continue;
      }
      slot.last = life.last;
      frame.slot_of[life.tensor] = i;
      return;
    }
    frame.slot_of[life.tensor] = frame.slots.size();
    frame.slots.push_back({dims, tensor.dtype, life.last});
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

}  // namespace lathe::plan

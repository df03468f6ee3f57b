#include "generator/schedule/fuse/fuse.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "generator/nest/nest_call.h"
#include "generator/nest/weight_blocks.h"
#include "generator/schedule/fuse/concat_kernels.h"
#include "generator/schedule/fuse/fuse_nests.h"
#include "generator/schedule/fuse/join_attention.h"
#include "generator/schedule/fuse/join_row_launches.h"
#include "generator/schedule/fuse/keep_used_kernels.h"
#include "generator/schedule/fuse/kernel_of_nest.h"
#include "generator/schedule/fuse/transposed_factor.h"
#include "generator/schedule/vectors/choose_form.h"
#include "generator/transform/legalize.h"

namespace lathe::schedule {
namespace {

using ir::TensorId;

// The properties of a step that fusion needs.
struct Slot {
  ir::Step* step = nullptr;
  std::optional<nest::NestCall> call;
  std::vector<TensorId> used;  // all tensors
  bool barrier = false;        // no step is moved across it
  bool gone = false;
};

class RoutineFusion {
 public:
  RoutineFusion(ir::Context& context, ir::Program& program, NestKernels& kernels,
                const Target& target, const GpuChoice* gpus)
      : ir_(context),
        program_(program),
        kernels_(kernels),
        scalars_(context),
        target_(target),
        gpus_(gpus) {}

  void Run(ir::Routine& routine) {
    for (const ir::Part& part : routine.outputs) Pin(part);
    ir::ForEachStep(routine.steps, [&](const ir::Step& step) {
      if (const auto* kernel = std::get_if<ir::KernelStep>(&step.node)) {
        for (TensorId id : std::set<TensorId>(kernel->tensors.begin(), kernel->tensors.end())) {
          ++uses_[id];
        }
      } else {
        // Steps other than kernels need their tensors unchanged.
        ir::ForEachTensor(step, [&](TensorId id) { pinned_.insert(id); });
      }
    });
    for (int32_t i = 0; i < std::ssize(program_.tensors); ++i) {
      const ir::Tensor& t = program_.tensors[TensorId{i}];
      if (t.home == ir::Home::kView) pinned_.insert(t.base);
    }
    InSteps(routine.steps);
  }

 private:
  void Pin(const ir::Part& part) {
    if (const auto* id = std::get_if<TensorId>(&part)) pinned_.insert(*id);
  }
  void InSteps(ir::Steps& steps) {
    std::vector<Slot> slots;
    for (ir::Step& step : steps) slots.push_back(SlotOf(step));
    barriers_before_ = {0};
    writers_.clear();
    users_.clear();
    for (size_t i = 0; i < slots.size(); ++i) {
      barriers_before_.push_back(barriers_before_.back() + (slots[i].barrier ? 1 : 0));
      for (TensorId id : slots[i].used) users_[id].insert(i);
      if (slots[i].call) {
        writers_[program_.Whole(Written(*slots[i].call))].insert(i);
      } else {
        for (TensorId id : slots[i].used) writers_[program_.Whole(id)].insert(i);
      }
    }
    for (size_t i = 0; i < slots.size(); ++i) {
      while (slots[i].call && AbsorbOne(slots, i)) {
      }
    }
    for (size_t i = 0; gpus_ != nullptr && i < slots.size(); ++i) JoinAttention(slots, i);
    for (size_t i = 0; gpus_ != nullptr && i < slots.size(); ++i) {
      while (JoinRowLaunch(slots, i)) {
      }
    }
    ir::Steps left;
    for (Slot& slot : slots) {
      if (slot.gone) continue;
      if (slot.call && (slot.call->fused || IsOfOperator(*slot.step))) {
        slot.step->node = kernels_.StepOf(*std::move(slot.call), scalars_);
      }
      left.push_back(std::move(*slot.step));
    }
    steps = std::move(left);
    for (ir::Step& step : steps) {
      if (auto* branch = std::get_if<ir::BranchStep>(&step.node)) {
        InSteps(branch->then_steps);
        InSteps(branch->else_steps);
      }
    }
  }

  // Loop nests of the user are unchanged unless they take part in fusion.
  bool IsOfOperator(const ir::Step& step) const {
    const auto& kernel = program_.kernels[std::get<ir::KernelStep>(step.node).kernel];
    return ir::FindAttr<std::string>(kernel.func.attrs, transform::kOperatorName) != nullptr;
  }

  TensorId Written(const nest::NestCall& call) const {
    const auto it = std::find(call.params.begin(), call.params.end(), call.result);
    return call.tensors[static_cast<size_t>(it - call.params.begin())];
  }

  // Returns whether the kernel accesses memory that has aliases, one of which is written.
  bool ThroughPointer(const ir::KernelStep& kernel) const {
    return absl::c_any_of(
        kernel.tensors, [&](TensorId id) { return program_.tensors[program_.Whole(id)].written; });
  }

  Slot SlotOf(ir::Step& step) {
    Slot slot;
    slot.step = &step;
    if (const auto* kernel = std::get_if<ir::KernelStep>(&step.node)) {
      if (!ThroughPointer(*kernel))
        slot.call = nest::MakeNestCall(ir_, program_, *kernel, scalars_);
      slot.used = slot.call ? slot.call->tensors : kernel->tensors;
      std::sort(slot.used.begin(), slot.used.end());
      slot.used.erase(std::unique(slot.used.begin(), slot.used.end()), slot.used.end());
      // Its callees and its writes are not known.
      slot.barrier = !slot.call && (ThroughPointer(*kernel) || !IsOfOperator(step));
      return slot;
    }
    if (const auto* copy = std::get_if<ir::CopyStep>(&step.node)) {
      slot.used = {copy->from, copy->to};
      return slot;
    }
    const bool quiet = std::holds_alternative<ir::DefineStep>(step.node) ||
                       std::holds_alternative<ir::ReadStep>(step.node) ||
                       std::holds_alternative<ir::ReserveStep>(step.node) ||
                       std::holds_alternative<ir::ViewStep>(step.node) ||
                       std::holds_alternative<ir::CheckStep>(step.node);
    slot.barrier = !quiet;
    return slot;
  }

  // Fuses one of the producers of step `at` into it.
  bool AbsorbOne(std::vector<Slot>& slots, size_t at) {
    const std::vector<TensorId> tensors = slots[at].call->tensors;
    for (TensorId id : tensors) {
      if (pinned_.contains(id) || program_.tensors[id].home != ir::Home::kArena) continue;
      const std::set<size_t>& users = users_[id];
      const size_t from = *users.begin();
      if (from == at || static_cast<int>(users.size()) != uses_[id]) continue;
      if (!slots[from].call || Written(*slots[from].call) != id) continue;
      if (writers_[id].size() != 1) continue;
      if (users.size() == 2 ? Absorb(slots, from, at, id) : AbsorbIntoAll(slots, from, id)) {
        return true;
      }
    }
    return false;
  }

  // Returns the step that makes the tensor, if only step `at` reads it.
  std::optional<size_t> MakerOf(const std::vector<Slot>& slots, TensorId id, size_t at) {
    if (pinned_.contains(id) || program_.tensors[id].home != ir::Home::kArena) return std::nullopt;
    const std::set<size_t>& users = users_[id];
    const size_t from = users.empty() ? at : *users.begin();
    const bool alone = users.size() == 2 && users.contains(at) && uses_[id] == 2;
    if (from == at || !alone || !slots[from].call || Written(*slots[from].call) != id) {
      return std::nullopt;
    }
    return writers_[id].size() == 1 ? std::optional(from) : std::nullopt;
  }

  // Merges the producer of the weights, and before it the producer of the scores, into the product
  // at `at`.
  void JoinAttention(std::vector<Slot>& slots, size_t at) {
    if (!slots[at].call || !MayEndAttention(*slots[at].call)) return;
    const nest::NestCall last = *slots[at].call;
    for (TensorId weights : last.tensors) {
      const auto softmax = MakerOf(slots, weights, at);
      if (!softmax || !MayMove(slots[*softmax], *softmax, at, last)) continue;
      const auto rest = ConcatKernels(ir_, *slots[*softmax].call, last, weights, "attention");
      if (!rest) continue;
      if (IsAttention(ir_, *rest)) return Join(slots, at, {*softmax}, *rest);
      for (TensorId scores : slots[*softmax].call->tensors) {
        const auto first = MakerOf(slots, scores, *softmax);
        if (!first || !MayMove(slots[*first], *first, at, last)) continue;
        const auto all = ConcatKernels(ir_, *slots[*first].call, *rest, scores, "attention");
        if (all && IsAttention(ir_, *all)) return Join(slots, at, {*softmax, *first}, *all);
      }
    }
  }

  // Merges a producer of one number for each row into its consumers at `at`, once.
  bool JoinRowLaunch(std::vector<Slot>& slots, size_t at) {
    if (!slots[at].call) return false;
    const nest::NestCall last = *slots[at].call;
    for (TensorId number : last.tensors) {
      const auto maker = MakerOf(slots, number, at);
      if (!maker || !MayMove(slots[*maker], *maker, at, last)) continue;
      const nest::NestCall& first = *slots[*maker].call;
      const bool sums = absl::c_any_of(first.nest.stages,
                                       [](const ir::NestStage& s) { return s.acc != nullptr; });
      if (!sums) continue;
      const auto both = ConcatKernels(ir_, first, last, number, FusedName(first.name, last.name));
      if (!both || !IsOneRowLaunch(ir_, *both, first.result, *gpus_)) continue;
      Join(slots, at, {*maker}, *both);
      return true;
    }
    return false;
  }

  void Join(std::vector<Slot>& slots, size_t at, const std::vector<size_t>& parts,
            nest::NestCall all) {
    Replace(slots, at, std::move(all));
    for (size_t part : parts) Remove(slots, part);
  }

  bool MayMove(const Slot& from_slot, size_t from, size_t to, const nest::NestCall& into) const {
    if (barriers_before_[to] != barriers_before_[from]) return false;
    const TensorId result = program_.Whole(Written(into));
    for (TensorId id : from_slot.call->tensors) {
      const TensorId whole = program_.Whole(id);
      if (whole == result) return false;
      const auto writers = writers_.find(whole);
      if (writers == writers_.end()) continue;
      const auto next = writers->second.upper_bound(from);
      if (next != writers->second.end() && *next <= to) return false;
    }
    return true;
  }

  bool Absorb(std::vector<Slot>& slots, size_t from, size_t at, TensorId id) {
    if (!MayMove(slots[from], from, at, *slots[at].call)) return false;
    auto fused = FuseNests(ir_, *slots[from].call, *slots[at].call,
                           Between(slots[from], slots[at], id, false));
    if (!fused || !KeepsTiles(slots[from], *fused)) return false;
    Replace(slots, at, *std::move(fused));
    Remove(slots, from);
    return true;
  }

  Intermediate Between(const Slot& from, const Slot& to, TensorId id, bool shared) {
    Intermediate over;
    over.tensor = id;
    over.name = program_.tensors[id].name;
    over.shared = shared;
    // With vectors, products need contiguous floats; otherwise memory is scarcer.
    over.unpacks = !shared && target_.vector_bytes == 0;
    over.weights = gpus_ == nullptr && HasWeights(*from.call);
    over.moved = Moves(from, to, id);
    over.by_teams = gpus_ != nullptr;
    return over;
  }

  // Returns whether the call only multiplies constant integers by constant scales.
  bool HasWeights(const nest::NestCall& call) {
    if (call.nest.stages.size() != 1) return false;
    for (size_t i = 0; i < call.params.size(); ++i) {
      const bool constant = program_.tensors[call.tensors[i]].home == ir::Home::kConstant;
      if (call.params[i] != call.result && !constant) return false;
    }
    return nest::DequantizedBy(ir_, call.nest.stages[0]).has_value();
  }

  // With vectors, weights are unpacked in the tiles of a product, or once before it. Other readers
  // than products always unpack them.
  bool KeepsTiles(const Slot& from, const nest::NestCall& fused) {
    if (target_.vector_bytes == 0 || gpus_ != nullptr || !HasWeights(*from.call)) return true;
    return absl::c_all_of(fused.nest.stages, [&](const ir::NestStage& stage) {
      return stage.acc == nullptr || HasIntegerTiles(ir_, stage, target_);
    });
  }

  bool Moves(const Slot& from, const Slot& to, TensorId id) {
    return gpus_ != nullptr && IsTransposedFactor(ir_, *from.call, *to.call, id);
  }

  // Fuses a cheap value into each of its readers, which recompute it.
  bool AbsorbIntoAll(std::vector<Slot>& slots, size_t from, TensorId id) {
    std::vector<std::pair<size_t, nest::NestCall>> fused;
    for (size_t user : users_[id]) {
      if (user == from) continue;
      if (!slots[user].call || !MayMove(slots[from], from, user, *slots[user].call)) return false;
      auto one = FuseNests(ir_, *slots[from].call, *slots[user].call,
                           Between(slots[from], slots[user], id, true));
      if (!one || !KeepsTiles(slots[from], *one)) return false;
      fused.emplace_back(user, *std::move(one));
    }
    for (auto& [user, call] : fused) Replace(slots, user, std::move(call));
    Remove(slots, from);
    return true;
  }

  void Replace(std::vector<Slot>& slots, size_t at, nest::NestCall call) {
    Forget(slots, at);
    slots[at].call = std::move(call);
    slots[at].used = slots[at].call->tensors;
    for (TensorId id : slots[at].used) {
      users_[id].insert(at);
      ++uses_[id];
    }
  }
  void Remove(std::vector<Slot>& slots, size_t at) {
    writers_[program_.Whole(Written(*slots[at].call))].erase(at);
    Forget(slots, at);
    slots[at].call.reset();
    slots[at].gone = true;
  }
  void Forget(std::vector<Slot>& slots, size_t at) {
    for (TensorId id : slots[at].used) {
      if (users_[id].erase(at) > 0) --uses_[id];
    }
    slots[at].used.clear();
  }

  ir::Context& ir_;
  ir::Program& program_;
  NestKernels& kernels_;
  nest::SharedScalars scalars_;
  const Target& target_;
  const GpuChoice* const gpus_;
  absl::flat_hash_set<TensorId> pinned_;
  absl::flat_hash_map<TensorId, int> uses_;  // by steps of all sequences
  // State of the current sequence.
  std::vector<int> barriers_before_;
  absl::flat_hash_map<TensorId, std::set<size_t>> users_;
  absl::flat_hash_map<TensorId, std::set<size_t>> writers_;
};

}  // namespace

void Fuse(ir::Context& context, ir::Program& program, const Target& target, const GpuChoice* gpus) {
  NestKernels kernels(context, program, target, gpus != nullptr);
  for (int32_t i = 0; i < std::ssize(program.routines); ++i) {
    RoutineFusion(context, program, kernels, target, gpus).Run(program.routines[ir::RoutineId{i}]);
  }
  kernels.Finish();
  KeepUsedKernels(program);
}

}  // namespace lathe::schedule

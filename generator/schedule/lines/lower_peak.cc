#include "generator/schedule/lines/lower_peak.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "generator/ir/buffer_extent.h"
#include "generator/ir/defined_operations.h"
#include "generator/ir/each_stmt.h"
#include "generator/ir/lifetimes.h"
#include "generator/lower/make_kernel.h"
#include "generator/nest/nest_call.h"
#include "generator/nest/stored_buffers.h"
#include "generator/schedule/fuse/keep_used_kernels.h"
#include "generator/schedule/lines/join_lines.h"

namespace lathe::schedule {
namespace {

using ir::TensorId;

// Longer chains are joined in several rounds.
constexpr size_t kMaxJoins = 4;

// Joined kernels have code of their own, and products of single lines have more rests than those of
// all rows: a peak that is lower by less than this part does not pay.
constexpr int64_t kLeastPart = 16;

class PeakLowering {
 public:
  PeakLowering(ir::Context& context, ir::Program& program, ir::Routine& routine, LayerJoins joins)
      : ir_(context), program_(program), routine_(routine), joins_(joins) {}

  // Joins that only leave fewer steps at the peak count if later ones lower it.
  void Run() {
    if (!HasOnlyKernels()) return;
    ir::Routine kept = routine_;
    int64_t peak = PeakOf(routine_).bytes;
    while (const auto lower = JoinBest()) {
      if (peak - lower->bytes < (joins_ == LayerJoins::kAll ? 1 : peak / kLeastPart)) continue;
      kept = routine_;
      peak = lower->bytes;
    }
    routine_ = std::move(kept);
    NameScratch();
  }

 private:
  // Names the scratch memory of joined steps after the layers that use it, so that reports tell the
  // lines of one layer from those of another.
  void NameScratch() {
    for (const ir::Step& step : routine_.steps) {
      const auto* call = std::get_if<ir::KernelStep>(&step.node);
      if (call == nullptr || program_.kernels[call->kernel].layers.empty()) continue;
      for (TensorId id : call->tensors) {
        const auto layer = layer_of_.find(id);
        if (layer == layer_of_.end()) continue;
        std::string& name = program_.tensors[id].name;
        name = absl::StrCat(layer->second, "_", name);
        layer_of_.erase(layer);
      }
    }
  }

  // Notes the result of the step `at` as the layer of its scratch memory.
  void NoteScratch(const ir::Routine& routine, size_t at, TensorId result) {
    for (TensorId id : std::get<ir::KernelStep>(routine.steps[at].node).tensors) {
      if (id != result && !kept_.contains(id) && IsOnlyIn(routine, at, id)) {
        layer_of_.try_emplace(id, program_.tensors[result].name);
      }
    }
  }

  // Returns whether the tensor is memory that only the step `at` uses.
  bool IsOnlyIn(const ir::Routine& routine, size_t at, TensorId tensor) const {
    if (program_.tensors[tensor].home != ir::Home::kArena) return false;
    for (size_t s = 0; s < routine.steps.size(); ++s) {
      bool uses = false;
      ir::ForEachTensor(routine.steps[s],
                        [&](TensorId id) { uses = uses || program_.Whole(id) == tensor; });
      if (uses && s != at) return false;
    }
    return true;
  }

  // Branches, calls and tensors of unknown sizes need no plan of their own here: quantized networks
  // have none.
  bool HasOnlyKernels() const {
    if (routine_.loops) return false;
    return std::all_of(routine_.steps.begin(), routine_.steps.end(), [](const ir::Step& step) {
      return std::holds_alternative<ir::KernelStep>(step.node) ||
             std::holds_alternative<ir::CopyStep>(step.node);
    });
  }

  int64_t BytesOf(TensorId id) const { return program_.tensors[id].bytes().value_or(0); }

  // The most bytes that are alive at a step, and the number of steps with so many.
  struct Peak {
    int64_t bytes = 0;
    int steps = 0;
    bool operator<(const Peak& other) const {
      return std::pair(bytes, steps) < std::pair(other.bytes, other.steps);
    }
  };
  Peak PeakOf(const ir::Routine& routine) {
    const std::vector<ir::Life> lives = ir::Lifetimes(program_, routine);
    Peak peak;
    for (int s = 0; s < std::ssize(routine.steps); ++s) {
      int64_t bytes = 0, ends = 0, begins = 0;
      for (const ir::Life& life : lives) {
        if (s < life.first || s > life.last) continue;
        const int64_t size = BytesOf(life.tensor);
        bytes += size;
        if (life.first == life.last) continue;  // scratch memory
        if (life.last == s) ends = std::max(ends, size);
        if (life.first == s) begins = std::max(begins, size);
      }
      const auto* step = std::get_if<ir::KernelStep>(&routine.steps[static_cast<size_t>(s)].node);
      bytes += (step == nullptr ? 0 : LocalBytesOf(step->kernel)) - std::min(ends, begins);
      if (bytes > peak.bytes) peak = {bytes, 0};
      if (bytes == peak.bytes) ++peak.steps;
    }
    return peak;
  }

  // The bytes of small buffers, which are on the stack while the kernel runs.
  int64_t LocalBytesOf(ir::KernelId id) {
    const auto [it, is_new] = local_bytes_.try_emplace(id, 0);
    if (!is_new) return it->second;
    int64_t bytes = 0;
    ir::ForEachStmt(program_.kernels[id].func.body, [&](ir::StmtRef stmt) {
      const auto* block = stmt->As<ir::BlockStmt>();
      for (size_t i = 0; block != nullptr && i < block->allocs.size(); ++i) {
        const ir::Buffer& buffer = *block->allocs[i];
        const auto extent = ir::ExtentOf(buffer);
        if (!lower::IsSmall(buffer) || buffer.scope == ir::kRegisterScope || !extent) continue;
        bytes += static_cast<int64_t>(ir::StorageBytes(buffer.dtype, 1)) * *extent;
      }
    });
    return it->second = bytes;
  }

  // Joins the chain that lowers the peak most. Returns nullopt if none does.
  std::optional<Peak> JoinBest() {
    Peak least = PeakOf(routine_);
    std::optional<ir::Routine> best;
    for (size_t at = 0; at < routine_.steps.size(); ++at) {
      ir::Routine joined = routine_;
      size_t producer = at;
      for (size_t n = 0; n < kMaxJoins; ++n) {
        const auto consumer = JoinNext(joined, producer);
        if (!consumer) break;
        producer = *consumer;
        const Peak peak = PeakOf(joined);
        if (!(peak < least)) continue;
        least = peak;
        best = joined;
      }
    }
    if (!best) return std::nullopt;
    routine_ = *std::move(best);
    return least;
  }

  // Joins the step `from` with the only reader of its result. Returns the number of the new step.
  std::optional<size_t> JoinNext(ir::Routine& routine, size_t from) {
    const auto* first = OperatorAt(routine, from);
    if (first == nullptr) return std::nullopt;
    for (TensorId tensor : first->tensors) {
      const auto to = OnlyReader(routine, from, tensor);
      const auto* second = to ? OperatorAt(routine, *to) : nullptr;
      if (second == nullptr || !StoresOnly(routine, from, tensor) || !MayMove(routine, from, *to)) {
        continue;
      }
      auto joined = JoinLines(ir_, program_, *first, *second, tensor);
      if (!joined) continue;
      ir::KernelStep step{program_.kernels.Add(joined->kernel), {}, {}};
      for (size_t i = 0; i < joined->tensors.size(); ++i) {
        step.tensors.push_back(joined->tensors[i].value_or(TensorId{}));
        if (joined->tensors[i]) continue;
        step.tensors.back() = Scratch(*joined->kernel.buffers[i]);
        kept_.insert(step.tensors.back());
      }
      NoteScratch(routine, from, tensor);
      for (TensorId written : WrittenBy(*second)) {
        if (!IsOnlyIn(routine, *to, written)) NoteScratch(routine, *to, written);
      }
      routine.steps[*to].node = std::move(step);
      routine.steps.erase(routine.steps.begin() + static_cast<std::ptrdiff_t>(from));
      return *to - 1;
    }
    return std::nullopt;
  }

  // Kernels of the user stay as they are.
  const ir::KernelStep* OperatorAt(const ir::Routine& routine, size_t at) const {
    const auto* step = std::get_if<ir::KernelStep>(&routine.steps[at].node);
    return step != nullptr && !nest::HasUserLoops(program_.kernels[step->kernel].func) ? step
                                                                                       : nullptr;
  }

  // Returns whether no other step sees what the step `at` stores besides `tensor`.
  bool StoresOnly(const ir::Routine& routine, size_t at, TensorId tensor) const {
    for (TensorId written : WrittenBy(std::get<ir::KernelStep>(routine.steps[at].node))) {
      if (written != tensor && !IsOnlyIn(routine, at, written)) return false;
    }
    return true;
  }

  TensorId Scratch(const ir::Buffer& buffer) {
    ir::Tensor scratch{buffer.name, buffer.dtype, buffer.shape, ir::Home::kArena, {}, {}};
    return program_.tensors.Add(std::move(scratch));
  }

  // Returns the step that uses the tensor besides `from`, if there is one and nothing else refers
  // to it.
  std::optional<size_t> OnlyReader(const ir::Routine& routine, size_t from, TensorId tensor) const {
    if (program_.tensors[tensor].home != ir::Home::kArena) return std::nullopt;
    for (const ir::Part& part : routine.outputs) {
      const auto* id = std::get_if<TensorId>(&part);
      if (id != nullptr && program_.Whole(*id) == tensor) return std::nullopt;
    }
    std::optional<size_t> reader;
    for (size_t s = 0; s < routine.steps.size(); ++s) {
      bool uses = false, views = false;
      ir::ForEachTensor(routine.steps[s], [&](TensorId id) {
        uses = uses || id == tensor;
        views = views || (id != tensor && program_.Whole(id) == tensor);
      });
      if (views || (uses && s < from)) return std::nullopt;
      if (!uses || s == from) continue;
      if (reader) return std::nullopt;
      reader = s;
    }
    return reader;
  }

  // Returns whether the step `from` may run directly before `to`: nothing in between writes what it
  // reads.
  bool MayMove(const ir::Routine& routine, size_t from, size_t to) const {
    absl::flat_hash_set<TensorId> used;
    ir::ForEachTensor(routine.steps[from], [&](TensorId id) { used.insert(program_.Whole(id)); });
    for (size_t s = from + 1; s < to; ++s) {
      const auto* step = std::get_if<ir::KernelStep>(&routine.steps[s].node);
      if (step == nullptr) return false;
      for (TensorId written : WrittenBy(*step)) {
        if (used.contains(program_.Whole(written))) return false;
      }
    }
    return true;
  }

  std::vector<TensorId> WrittenBy(const ir::KernelStep& step) const {
    const ir::Kernel& kernel = program_.kernels[step.kernel];
    // Kernels of the user may write through other names of the memory, and other operations than
    // those with a definition may write anything.
    bool known =
        !nest::HasUserLoops(kernel.func) && (!kernel.form || ir::HasOnlyIntegerLanes(*kernel.form));
    ir::ForEachStmt(kernel.func.body, [&](ir::StmtRef stmt) {
      const auto* evaluate = stmt->As<ir::EvaluateStmt>();
      const auto* call = evaluate == nullptr ? nullptr : evaluate->value->As<ir::Intrinsic>();
      known = known && (call == nullptr || ir::HasDefinition(call->name));
    });
    if (!known) return step.tensors;
    const nest::StoredBuffers stored(kernel.func.body);
    std::vector<TensorId> tensors;
    for (size_t i = 0; i < step.tensors.size(); ++i) {
      if (stored.Has(kernel.buffers[i])) tensors.push_back(step.tensors[i]);
    }
    return tensors;
  }

  ir::Context& ir_;
  ir::Program& program_;
  ir::Routine& routine_;
  const LayerJoins joins_;
  absl::flat_hash_map<ir::KernelId, int64_t> local_bytes_;
  absl::flat_hash_map<TensorId, std::string> layer_of_;  // of scratch memory
  absl::flat_hash_set<TensorId> kept_;  // lines between joined layers, named after the first one
};

}  // namespace

void LowerPeak(ir::Context& context, ir::Program& program, LayerJoins joins) {
  for (int32_t i = 0; i < std::ssize(program.routines); ++i) {
    PeakLowering(context, program, program.routines[ir::RoutineId{i}], joins).Run();
  }
  KeepUsedKernels(program);
}

}  // namespace lathe::schedule

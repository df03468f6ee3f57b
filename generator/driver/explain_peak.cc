#include "generator/driver/explain_peak.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/plan/find_overlaps.h"
#include "generator/plan/pack_overlapping.h"
#include "generator/plan/plan.h"

namespace lathe::driver {
namespace {

using plan::Block;
using plan::BlockOverlap;
using plan::Buffer;

// Each candidate is packed once; a packing may take seconds.
constexpr size_t kMaxIdleTensors = 6;
constexpr size_t kMaxNamedSteps = 6;

std::string StepNames(const std::vector<int>& steps) {
  if (steps.size() == 1) return absl::StrCat("step ", steps[0]);
  const size_t named = std::min(steps.size(), kMaxNamedSteps);
  return absl::StrCat(
      "steps ", absl::StrJoin(steps.begin(), steps.begin() + named, ", "),
      steps.size() > named ? absl::StrCat(" and ", steps.size() - named, " more") : "");
}

class PeakExplainer {
 public:
  PeakExplainer(const GeneratedModel& model, const ModelReport& report, const Target& target,
                ir::RoutineId id, size_t pool)
      : program_(model.program),
        plan_(model.plan),
        target_(target),
        routine_(model.program.routines[id]),
        steps_(report.routines[static_cast<size_t>(id.index)].steps),
        tensors_(report.tensors),
        share_(model.plan.frames[id].shares[pool]),
        pool_(pool),
        finder_(model.program) {
    for (const Buffer& b : share_.buffers) {
      blocks_.push_back({b.size, b.first, b.last, target.ram_align});
    }
    overlaps_ = finder_.Find(routine_, share_.buffers);
    for (size_t i = 0; i < share_.buffers.size(); ++i) {
      if (share_.buffers[i].call < 0) number_of_[share_.buffers[i].tensor] = i;
    }
    ir::ForEachStep(routine_.steps, [&](const ir::Step& step) { nodes_.push_back(&step); });
    for (size_t step = 0; step < steps_.size(); ++step) {
      for (const std::vector<ir::TensorId>* ids :
           {&steps_[step].flow.reads, &steps_[step].flow.writes}) {
        for (ir::TensorId tensor : *ids) NoteUse(tensor, static_cast<int>(step));
      }
    }
  }

  PeakExplanation Explain() {
    PeakExplanation peak{routine_.name,
                         plan_.pools[pool_].name,
                         share_.fixed_size,
                         share_.lower_bound,
                         share_.open,
                         0,
                         {},
                         {},
                         {},
                         {}};
    const std::vector<int64_t> in_use = BytesInUse(share_, steps_.size());
    for (size_t i = 0; i < in_use.size(); ++i) {
      const int64_t bytes = in_use[i];
      if (bytes < peak.bytes || bytes == 0) continue;
      if (bytes > peak.bytes) peak.steps.clear();
      peak.bytes = bytes;
      peak.steps.push_back(static_cast<int>(i));
    }
    if (peak.steps.empty()) return peak;
    peak.tensors = TensorsIn(peak.steps[0]);
    AddInPlace(peak);
    AddWithoutScratch(peak);
    AddWithoutIdle(peak);
    std::stable_sort(peak.changes.begin(), peak.changes.end(),
                     [](const PeakChange& a, const PeakChange& b) { return a.bytes < b.bytes; });
    if (plan_.pools.size() == 1) AddPools(peak);
    return peak;
  }

 private:
  void NoteUse(ir::TensorId tensor, int step) {
    const auto it = number_of_.find(program_.Whole(tensor));
    if (it == number_of_.end()) return;
    std::vector<int>& uses = uses_[it->second];
    if (uses.empty() || uses.back() != step) uses.push_back(step);
  }

  bool IsAlive(size_t i, int step) const {
    return blocks_[i].size > 0 && blocks_[i].first <= step && step <= blocks_[i].last;
  }
  // Returns true for memory that a step neither reads from an earlier one nor leaves to a later
  // one.
  bool IsScratch(size_t i) const {
    return share_.buffers[i].call < 0 && blocks_[i].first == blocks_[i].last && !uses_.contains(i);
  }
  std::string NameOf(size_t i) const {
    const Buffer& b = share_.buffers[i];
    return b.call < 0 ? program_.tensors[b.tensor].name : "the frame of a call";
  }

  std::vector<PeakTensor> TensorsIn(int step) const {
    std::vector<size_t> alive;
    for (size_t i = 0; i < blocks_.size(); ++i) {
      if (IsAlive(i, step)) alive.push_back(i);
    }
    std::stable_sort(alive.begin(), alive.end(),
                     [&](size_t a, size_t b) { return blocks_[a].size > blocks_[b].size; });
    std::vector<PeakTensor> tensors;
    for (size_t i : alive) {
      PeakTensor tensor{
          NameOf(i),    "", blocks_[i].size, share_.offsets[i], blocks_[i].first, blocks_[i].last,
          IsScratch(i), {}};
      if (share_.buffers[i].call < 0) {
        const TensorReport& about = tensors_[share_.buffers[i].tensor];
        tensor.type = absl::StrCat(about.dtype, " [", absl::StrJoin(about.shape, ", "), "]");
      }
      for (size_t other : alive) {
        const int64_t shared = std::min(share_.offsets[i] + blocks_[i].size,
                                        share_.offsets[other] + blocks_[other].size) -
                               std::max(share_.offsets[i], share_.offsets[other]);
        if (other == i || shared <= 0) continue;
        tensor.shares.push_back(absl::StrCat(shared, " B of '", NameOf(other), "'"));
      }
      tensors.push_back(std::move(tensor));
    }
    return tensors;
  }

  // Adds a change if the planner finds a lower plan with it.
  void AddIfLower(std::string kind, std::string what, absl::Span<const Block> blocks,
                  absl::Span<const BlockOverlap> overlaps, PeakExplanation& peak) const {
    const int64_t height = plan::PackOverlapping(blocks, overlaps).height;
    if (height < peak.size) peak.changes.push_back({std::move(kind), std::move(what), height});
  }

  // A kernel that could read its input from the bytes that it writes.
  struct Pair {
    BlockOverlap overlap;
    std::optional<int64_t> distance;  // nullopt: unknown
  };

  // Returns the largest input and output of a step that do not start at the same address and whose
  // memory could be shared: the input ends with the step, in which the output begins.
  std::optional<Pair> LargestPair(int number) {
    const auto* call = std::get_if<ir::KernelStep>(&nodes_[static_cast<size_t>(number)]->node);
    if (call == nullptr || routine_.loops) return std::nullopt;
    const StepFlow& flow = steps_[static_cast<size_t>(number)].flow;
    std::optional<Pair> largest;
    for (ir::TensorId read : flow.reads) {
      for (ir::TensorId written : flow.writes) {
        const auto r = number_of_.find(program_.Whole(read));
        const auto w = number_of_.find(program_.Whole(written));
        if (r == number_of_.end() || w == number_of_.end() || r->second == w->second) continue;
        if (blocks_[r->second].last != number || blocks_[w->second].first != number) continue;
        const auto distance =
            finder_.DistanceOf(*call, program_.Whole(read), program_.Whole(written));
        if (distance && *distance == 0) continue;
        const int64_t shared = std::min(blocks_[r->second].size, blocks_[w->second].size);
        if (largest && shared <= std::min(blocks_[largest->overlap.read].size,
                                          blocks_[largest->overlap.written].size)) {
          continue;
        }
        largest = Pair{{r->second, w->second, 0}, distance};
      }
    }
    return largest;
  }

  void AddInPlace(PeakExplanation& peak) {
    std::vector<BlockOverlap> overlaps;
    absl::flat_hash_set<std::pair<size_t, size_t>> changed;
    std::vector<int> steps;
    std::optional<Pair> first;
    for (int step : peak.steps) {
      const auto pair = LargestPair(step);
      if (!pair) continue;
      overlaps.push_back(pair->overlap);
      changed.emplace(pair->overlap.read, pair->overlap.written);
      steps.push_back(step);
      if (!first) first = pair;
    }
    if (!first) return;
    for (const BlockOverlap& o : overlaps_) {
      if (!changed.contains({o.read, o.written})) overlaps.push_back(o);
    }
    const std::string now = first->distance ? absl::StrCat("now the input must start ",
                                                           *first->distance, " B above the output")
                                            : "now the order of its reads and writes is unknown";
    AddIfLower("in-place",
               absl::StrCat(StepNames(steps), steps.size() == 1 ? " computes" : " compute",
                            " in place, '", NameOf(first->overlap.written), "' over '",
                            NameOf(first->overlap.read), "'; ", now),
               blocks_, overlaps, peak);
  }

  // Returns true if the step joins layers: its scratch memory has the lines of the tensors between
  // them, without which these would be whole.
  bool IsJoined(int step) const {
    const ir::KernelId kernel = steps_[static_cast<size_t>(step)].kernel_id;
    return kernel.valid() && !program_.kernels[kernel].layers.empty();
  }

  void AddWithoutScratch(PeakExplanation& peak) const {
    std::vector<Block> blocks = blocks_;
    std::map<int, int64_t> scratch;  // bytes by step
    for (size_t i = 0; i < blocks.size(); ++i) {
      const bool at_peak =
          std::binary_search(peak.steps.begin(), peak.steps.end(), blocks[i].first);
      if (!at_peak || blocks[i].size == 0 || !IsScratch(i)) continue;
      if (IsJoined(blocks[i].first)) continue;
      scratch[blocks[i].first] += blocks[i].size;
      blocks[i].size = 0;
    }
    std::vector<int> steps;
    int64_t largest = 0;
    for (const auto& [step, bytes] : scratch) {
      steps.push_back(step);
      largest = std::max(largest, bytes);
    }
    if (steps.empty()) return;
    AddIfLower("scratch",
               absl::StrCat(StepNames(steps), " without scratch memory, of up to ", largest, " B"),
               blocks, overlaps_, peak);
  }

  // Returns the uses of block `i` before and after `step`, which does not use it; nullopt if it
  // does.
  std::optional<std::pair<int, int>> IdleAround(size_t i, int step) const {
    const auto it = uses_.find(i);
    if (it == uses_.end()) return std::nullopt;
    const std::vector<int>& uses = it->second;
    const auto next = std::lower_bound(uses.begin(), uses.end(), step);
    if (next == uses.begin() || next == uses.end() || *next == step) return std::nullopt;
    return std::pair(*(next - 1), *next);
  }

  // Tensors that wait for a later step could be in another memory, or be computed again.
  void AddWithoutIdle(PeakExplanation& peak) const {
    std::vector<std::pair<size_t, std::pair<int, int>>> idle;
    for (size_t i = 0; i < blocks_.size() && !routine_.loops; ++i) {
      if (!IsAlive(i, peak.steps[0])) continue;
      if (const auto around = IdleAround(i, peak.steps[0])) idle.emplace_back(i, *around);
    }
    std::stable_sort(idle.begin(), idle.end(), [&](const auto& a, const auto& b) {
      return blocks_[a.first].size > blocks_[b.first].size;
    });
    if (idle.size() > kMaxIdleTensors) idle.resize(kMaxIdleTensors);
    std::vector<Block> all = blocks_;
    for (const auto& [i, around] : idle) {
      std::vector<Block> blocks = blocks_;
      for (std::vector<Block>* each : {&blocks, &all}) {
        Block later = (*each)[i];
        later.first = around.second;
        (*each)[i].last = around.first;
        each->push_back(later);
      }
      AddIfLower("idle",
                 absl::StrCat("'", NameOf(i), "' elsewhere, or computed again, between steps ",
                              around.first, " and ", around.second, ", which use it"),
                 blocks, OverlapsWithout({i}), peak);
    }
    if (idle.size() < 2) return;
    std::vector<size_t> moved;
    for (const auto& [i, around] : idle) moved.push_back(i);
    AddIfLower("idle",
               absl::StrCat("all ", idle.size(), " tensors that ", StepNames({peak.steps[0]}),
                            " does not use elsewhere, or computed again"),
               all, OverlapsWithout(moved), peak);
  }

  // A block that was split ends at another step; its overlap as an input is of the last part.
  std::vector<BlockOverlap> OverlapsWithout(const std::vector<size_t>& blocks) const {
    std::vector<BlockOverlap> left;
    for (const BlockOverlap& o : overlaps_) {
      if (std::find(blocks.begin(), blocks.end(), o.read) == blocks.end()) left.push_back(o);
    }
    return left;
  }

  // Plans with a fast memory of three quarters, a half and a quarter of the arena. A plan whose
  // slow memory is as large as the arena lowers nothing.
  void AddPools(PeakExplanation& peak) const {
    constexpr int kParts = 4;
    const int64_t align = target_.ram_align;
    for (int part = kParts - 1; part > 0; --part) {
      const int64_t fast = plan_.arena_size * part / kParts / align * align;
      if (fast <= 0) break;
      const auto planned =
          plan::PlanInPools(program_, target_, {{"fast", fast}, {"slow", plan_.arena_size}});
      if (!planned.ok()) continue;
      const PoolChoice choice = {planned->pools[0].size, planned->pools[1].size};
      const bool is_known = !peak.pools.empty() && peak.pools.back().fast == choice.fast;
      if (choice.fast == 0 || choice.slow >= plan_.arena_size || is_known) continue;
      peak.pools.push_back(choice);
    }
  }

  const ir::Program& program_;
  const plan::Plan& plan_;
  const Target& target_;
  const ir::Routine& routine_;
  const std::vector<StepReport>& steps_;
  const IdVector<ir::TensorId, TensorReport>& tensors_;
  const plan::Share& share_;
  const size_t pool_;
  plan::OverlapFinder finder_;  // all steps share its limit of visits
  std::vector<Block> blocks_;
  std::vector<BlockOverlap> overlaps_;
  std::vector<const ir::Step*> nodes_;
  absl::flat_hash_map<ir::TensorId, size_t> number_of_;
  absl::flat_hash_map<size_t, std::vector<int>> uses_;  // ascending
};

}  // namespace

std::vector<PeakExplanation> ExplainPeaks(const GeneratedModel& model, const ModelReport& report,
                                          const Target& target) {
  std::vector<PeakExplanation> peaks;
  for (size_t pool = 0; pool < model.plan.pools.size(); ++pool) {
    std::optional<ir::RoutineId> most;
    for (int32_t i = 0; i < std::ssize(model.program.routines); ++i) {
      const ir::RoutineId id{i};
      if (!model.program.routines[id].exported) continue;
      const auto size = [&](ir::RoutineId of) {
        return model.plan.frames[of].shares[pool].fixed_size;
      };
      if (!most || size(id) > size(*most)) most = id;
    }
    if (!most) continue;
    PeakExplanation peak = PeakExplainer(model, report, target, *most, pool).Explain();
    if (!peak.steps.empty()) peaks.push_back(std::move(peak));
  }
  return peaks;
}

}  // namespace lathe::driver

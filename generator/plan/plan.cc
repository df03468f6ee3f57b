#include "generator/plan/plan.h"

#include <algorithm>

#include "absl/container/flat_hash_map.h"
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

}  // namespace

std::vector<Buffer> Lifetimes(const ir::Program& program, const ir::EntryPoint& entry) {
  std::vector<Buffer> buffers;
  absl::flat_hash_map<ir::TensorId, size_t> index;
  for (size_t step = 0; step < entry.steps.size(); ++step) {
    for (ir::TensorId id : entry.steps[step].args) {
      const ir::Tensor& tensor = program.tensors[id];
      if (tensor.home != ir::Home::kArena) continue;
      const auto [it, is_new] = index.try_emplace(id, buffers.size());
      if (is_new) {
        buffers.push_back({id, static_cast<int64_t>(tensor.bytes()), static_cast<int>(step), 0});
      }
      buffers[it->second].last = static_cast<int>(step);
    }
  }
  return buffers;
}

Plan PlanMemory(const ir::Program& program, const Target& target) {
  Plan plan;
  for (const ir::EntryPoint& entry : program.entries) {
    const std::vector<Buffer> buffers = Lifetimes(program, entry);
    const std::vector<Placement> placed = PackLargestFirst(buffers, target.arena_align);
    int64_t size = 0;
    for (const Placement& p : placed) size = std::max(size, p.offset + p.buffer.size);
    CheckPlan(placed, size, target.arena_align);
    plan.arena_size = std::max(plan.arena_size, size);
    plan.lower_bound = std::max(plan.lower_bound, PeakOfLives(buffers));
    plan.placements.insert(plan.placements.end(), placed.begin(), placed.end());
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

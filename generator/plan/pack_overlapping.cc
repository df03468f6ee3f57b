#include "generator/plan/pack_overlapping.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "generator/plan/first_fit_overlapping.h"
#include "generator/plan/peak.h"
#include "generator/support/align_up.h"

namespace lathe::plan {
namespace {

// Chains of blocks: each block is the `read` of at most one chosen overlap, and the `written` of at
// most one. A chain is packed as one block, which is alive from its first step to its last.
class Chains {
 public:
  Chains(absl::Span<const Block> blocks, absl::Span<const BlockOverlap> overlaps)
      : blocks_(blocks),
        overlaps_(overlaps),
        chosen_(overlaps.size(), false),
        is_read_(blocks.size(), false),
        is_written_(blocks.size(), false) {}

  // Returns false if another chosen overlap has one of its blocks in the same role.
  bool Choose(size_t overlap) {
    const BlockOverlap& blocks = overlaps_[overlap];
    if (is_read_[blocks.read] || is_written_[blocks.written]) return false;
    Set(overlap, true);
    return true;
  }
  void Drop(size_t overlap) {
    if (chosen_[overlap]) Set(overlap, false);
  }
  bool IsChosen(size_t overlap) const { return chosen_[overlap]; }

  // The joined blocks. Fills, for each block, the number of its joined block and its offset there.
  std::vector<Block> Joined(std::vector<std::pair<size_t, int64_t>>& places) const {
    std::vector<std::optional<size_t>> next(blocks_.size());  // the overlap in which it is read
    std::vector<bool> is_first(blocks_.size(), true);
    for (size_t i = 0; i < overlaps_.size(); ++i) {
      if (!chosen_[i]) continue;
      next[overlaps_[i].read] = i;
      is_first[overlaps_[i].written] = false;
    }
    places.assign(blocks_.size(), {0, 0});
    std::vector<Block> joined;
    for (size_t i = 0; i < blocks_.size(); ++i) {
      if (is_first[i]) Join(i, next, places, joined);
    }
    return joined;
  }

 private:
  void Set(size_t overlap, bool chosen) {
    chosen_[overlap] = chosen;
    is_read_[overlaps_[overlap].read] = chosen;
    is_written_[overlaps_[overlap].written] = chosen;
  }

  // Each block of the chain starts below the one before it.
  void Join(size_t first, const std::vector<std::optional<size_t>>& next,
            std::vector<std::pair<size_t, int64_t>>& places, std::vector<Block>& joined) const {
    Block whole = blocks_[first];
    for (size_t at = first; next[at];) {
      at = overlaps_[*next[at]].written;
      whole.align = std::lcm(whole.align, blocks_[at].align);
    }
    std::vector<std::pair<size_t, int64_t>> members = {{first, 0}};
    int64_t lowest = 0;
    for (size_t at = first; next[at];) {
      const BlockOverlap& overlap = overlaps_[*next[at]];
      at = overlap.written;
      lowest -= AlignUp(overlap.distance, whole.align);
      members.emplace_back(at, lowest);
      whole.first = std::min(whole.first, blocks_[at].first);
      whole.last = std::max(whole.last, blocks_[at].last);
    }
    whole.size = 0;
    for (const auto& [block, offset] : members) {
      places[block] = {joined.size(), offset - lowest};
      whole.size = std::max(whole.size, offset - lowest + blocks_[block].size);
    }
    joined.push_back(whole);
  }

  absl::Span<const Block> blocks_;
  absl::Span<const BlockOverlap> overlaps_;
  std::vector<bool> chosen_;                // overlaps
  std::vector<bool> is_read_, is_written_;  // blocks, in a chosen overlap
};

// What a choice of overlaps costs: the peak first, then bytes times steps.
std::pair<int64_t, int64_t> CostOf(const Chains& chains) {
  std::vector<std::pair<size_t, int64_t>> places;
  const std::vector<Block> joined = chains.Joined(places);
  int64_t area = 0;
  for (const Block& block : joined) area += block.size * (block.last - block.first + 1);
  return {FindPeak(joined).bytes, area};
}

// Adds and drops overlaps while that lowers the cost, up to four at a time: overlaps of
// neighbouring steps often lower the peak only together.
void Improve(Chains& chains, size_t count) {
  constexpr int kRounds = 8;
  constexpr size_t kTogether = 4;
  auto cost = CostOf(chains);
  bool improved = true;
  const auto try_all = [&](size_t first, size_t end, bool choose) {
    Chains changed = chains;
    bool differs = false;
    for (size_t i = first; i < end; ++i) {
      if (changed.IsChosen(i) == choose) continue;
      if (!choose) changed.Drop(i);
      differs = !choose || changed.Choose(i) || differs;
    }
    const auto changed_cost = differs ? CostOf(changed) : cost;
    if (changed_cost >= cost) return;
    cost = changed_cost;
    chains = std::move(changed);
    improved = true;
  };
  for (int round = 0; round < kRounds && improved; ++round) {
    improved = false;
    for (size_t i = 0; i < count; ++i) {
      for (size_t end = i + 1; end <= std::min(count, i + kTogether); ++end) {
        try_all(i, end, false);
        try_all(i, end, true);
      }
    }
  }
}

}  // namespace

Packing PackOverlapping(absl::Span<const Block> blocks, absl::Span<const BlockOverlap> overlaps,
                        int64_t steps) {
  PackLimits limits;
  limits.steps = steps;
  if (overlaps.empty()) return Pack(blocks, limits);
  // Three searches share the steps of one.
  limits.steps = steps / 3;
  Packing best = Pack(blocks, limits);
  int64_t used = best.steps;
  const auto finish = [&] {
    best.steps = used;
    best.lower_bound = FindOverlappingPeak(blocks, overlaps).bytes;
    for (const Block& block : blocks) best.lower_bound = std::max(best.lower_bound, block.size);
    best.optimal = best.height == best.lower_bound;
    return best;
  };
  Chains all(blocks, overlaps), none(blocks, overlaps);
  for (size_t i = 0; i < overlaps.size(); ++i) (void)all.Choose(i);
  // Each round computes eight peaks for each overlap.
  constexpr size_t kSmall = 500'000;
  const bool improves = overlaps.size() * blocks.size() < kSmall;
  for (Chains* chains : {&all, &none}) {
    if (improves) Improve(*chains, overlaps.size());
    std::vector<std::pair<size_t, int64_t>> places;
    const std::vector<Block> joined = chains->Joined(places);
    if (FindPeak(joined).bytes >= best.height) continue;
    Packing packing = Pack(joined, limits);
    used += packing.steps;
    if (packing.height >= best.height) continue;
    std::vector<int64_t> offsets;
    for (const auto& [block, offset] : places) offsets.push_back(packing.offsets[block] + offset);
    packing.offsets = std::move(offsets);
    best = std::move(packing);
  }
  // Chains are rectangles; first fit also uses what a block of a chain leaves free.
  std::vector<int64_t> offsets = FirstFitOverlapping(blocks, overlaps);
  if (offsets.empty()) return finish();
  const int64_t height = HeightOf(blocks, offsets);
  if (height >= best.height) return finish();
  best.offsets = std::move(offsets);
  best.height = height;
  return finish();
}

}  // namespace lathe::plan

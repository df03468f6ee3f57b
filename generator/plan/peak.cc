#include "generator/plan/peak.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lathe::plan {

namespace {

// The largest number of bytes that overlaps can save, by step. The inputs of a result are disjoint,
// so that they share no more than the result has above the least distance.
std::map<int, int64_t> SavedBytes(absl::Span<const Block> blocks,
                                  absl::Span<const BlockOverlap> overlaps) {
  struct Shared {
    int64_t read = 0;     // bytes of all inputs
    int64_t written = 0;  // bytes above the least distance
  };
  std::map<size_t, Shared> of_result;
  for (const BlockOverlap& o : overlaps) {
    Shared& shared = of_result[o.written];
    shared.read += blocks[o.read].size;
    shared.written = std::max(shared.written, blocks[o.written].size - o.distance);
  }
  std::map<int, int64_t> saved;
  for (const auto& [written, shared] : of_result) {
    saved[blocks[written].first] += std::min(shared.read, shared.written);
  }
  return saved;
}

}  // namespace

Peak FindPeak(absl::Span<const Block> blocks) { return FindOverlappingPeak(blocks, {}); }

Peak FindOverlappingPeak(absl::Span<const Block> blocks, absl::Span<const BlockOverlap> overlaps) {
  std::map<int, int64_t> saved;
  if (!overlaps.empty()) saved = SavedBytes(blocks, overlaps);
  // A block that begins in a step conflicts with one that ends in the same step. Blocks are alive
  // after all changes of a step.
  std::vector<std::pair<int64_t, int64_t>> changes;
  changes.reserve(2 * (blocks.size() + saved.size()));
  for (const Block& b : blocks) {
    changes.emplace_back(b.first, b.size);
    changes.emplace_back(static_cast<int64_t>(b.last) + 1, -b.size);
  }
  for (const auto& [step, bytes] : saved) {
    changes.emplace_back(step, -bytes);
    changes.emplace_back(static_cast<int64_t>(step) + 1, bytes);
  }
  std::sort(changes.begin(), changes.end());
  Peak peak;
  int64_t alive = 0;
  for (size_t i = 0; i < changes.size(); ++i) {
    alive += changes[i].second;
    if (i + 1 < changes.size() && changes[i + 1].first == changes[i].first) continue;
    if (alive <= peak.bytes) continue;
    peak.bytes = alive;
    peak.step = static_cast<int>(changes[i].first);
  }
  for (size_t i = 0; i < blocks.size(); ++i) {
    const Block& b = blocks[i];
    if (b.size > 0 && b.first <= peak.step && peak.step <= b.last) {
      peak.owners.push_back(static_cast<int>(i));
    }
  }
  std::stable_sort(peak.owners.begin(), peak.owners.end(),
                   [blocks](int a, int b) { return blocks[a].size > blocks[b].size; });
  return peak;
}

int64_t BytesInUse(absl::Span<const Block> blocks, absl::Span<const int64_t> offsets, int step) {
  std::vector<std::pair<int64_t, int64_t>> live;
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].first <= step && step <= blocks[i].last) {
      live.emplace_back(offsets[i], offsets[i] + blocks[i].size);
    }
  }
  std::sort(live.begin(), live.end());
  int64_t bytes = 0, end = 0;
  for (const auto& [from, to] : live) {
    bytes += std::max<int64_t>(0, to - std::max(from, end));
    end = std::max(end, to);
  }
  return bytes;
}

}  // namespace lathe::plan

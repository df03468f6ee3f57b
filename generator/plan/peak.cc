#include "generator/plan/peak.h"

#include <algorithm>
#include <utility>

namespace lathe::plan {

Peak FindPeak(absl::Span<const Block> blocks) {
  // A block that begins in a step conflicts with one that ends in the same step.
  std::vector<std::pair<int64_t, int64_t>> changes;
  for (const Block& b : blocks) {
    changes.emplace_back(b.first, b.size);
    changes.emplace_back(static_cast<int64_t>(b.last) + 1, -b.size);
  }
  std::sort(changes.begin(), changes.end());  // at equal steps, ends (negative sizes) first
  Peak peak;
  int64_t alive = 0;
  for (const auto& [step, bytes] : changes) {
    alive += bytes;
    if (alive <= peak.bytes) continue;
    peak.bytes = alive;
    peak.step = static_cast<int>(step);
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

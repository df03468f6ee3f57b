#include "generator/plan/check_packing.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"

namespace lathe::plan {
namespace {

absl::Status CheckPlace(const Block& block, size_t number, int64_t offset, int64_t height) {
  if (offset < 0 || offset % block.align != 0) {
    return absl::InternalError(absl::StrFormat(
        "block %d has offset %d, which is not a multiple of %d", number, offset, block.align));
  }
  if (block.size > height - offset) {
    return absl::InternalError(
        absl::StrFormat("block %d of %d bytes at offset %d exceeds the height %d", number,
                        block.size, offset, height));
  }
  return absl::OkStatus();
}

absl::Status CheckPlaces(absl::Span<const Block> blocks, absl::Span<const int64_t> offsets,
                         int64_t height) {
  if (offsets.size() != blocks.size()) {
    return absl::InternalError(
        absl::StrFormat("%d offsets for %d blocks", offsets.size(), blocks.size()));
  }
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (absl::Status s = CheckPlace(blocks[i], i, offsets[i], height); !s.ok()) return s;
  }
  return absl::OkStatus();
}

absl::Status Overlap(absl::Span<const Block> blocks, absl::Span<const int64_t> offsets,
                     size_t lower, size_t upper) {
  const int64_t end =
      std::min(offsets[lower] + blocks[lower].size, offsets[upper] + blocks[upper].size);
  return absl::InternalError(absl::StrFormat("blocks %d and %d share bytes %d to %d in step %d",
                                             std::min(lower, upper), std::max(lower, upper),
                                             offsets[upper], end - 1,
                                             std::max(blocks[lower].first, blocks[upper].first)));
}

}  // namespace

absl::Status CheckPacking(absl::Span<const Block> blocks, absl::Span<const int64_t> offsets,
                          int64_t height) {
  if (absl::Status s = CheckPlaces(blocks, offsets, height); !s.ok()) return s;
  std::vector<size_t> starts;
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].size > 0) starts.push_back(i);
  }
  std::vector<size_t> ends = starts;
  std::stable_sort(starts.begin(), starts.end(),
                   [blocks](size_t a, size_t b) { return blocks[a].first < blocks[b].first; });
  std::stable_sort(ends.begin(), ends.end(),
                   [blocks](size_t a, size_t b) { return blocks[a].last < blocks[b].last; });
  // Live blocks by offset. They do not overlap, so a new block can only overlap its neighbours.
  std::map<int64_t, size_t> alive;
  size_t ended = 0;
  for (size_t i : starts) {
    for (; blocks[ends[ended]].last < blocks[i].first; ++ended) alive.erase(offsets[ends[ended]]);
    const auto above = alive.lower_bound(offsets[i]);
    if (above != alive.end() && above->first < offsets[i] + blocks[i].size) {
      return Overlap(blocks, offsets, i, above->second);
    }
    if (above != alive.begin()) {
      const auto [offset, below] = *std::prev(above);
      if (offset + blocks[below].size > offsets[i]) return Overlap(blocks, offsets, below, i);
    }
    alive.emplace(offsets[i], i);
  }
  return absl::OkStatus();
}

absl::Status CheckOverlapping(absl::Span<const Block> blocks,
                              absl::Span<const BlockOverlap> overlaps,
                              absl::Span<const int64_t> offsets, int64_t height) {
  if (absl::Status s = CheckPlaces(blocks, offsets, height); !s.ok()) return s;
  std::map<std::pair<size_t, size_t>, int64_t> distances;  // the smallest ones
  for (const BlockOverlap& overlap : overlaps) {
    const auto [it, is_new] =
        distances.try_emplace({overlap.read, overlap.written}, overlap.distance);
    if (!is_new) it->second = std::min(it->second, overlap.distance);
  }
  const auto allowed = [&](size_t read, size_t written) {
    const auto it = distances.find({read, written});
    return it != distances.end() && blocks[read].last == blocks[written].first &&
           blocks[read].first < blocks[written].first &&
           offsets[read] - offsets[written] >= it->second;
  };
  std::vector<size_t> starts, alive;
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].size > 0) starts.push_back(i);
  }
  std::stable_sort(starts.begin(), starts.end(),
                   [blocks](size_t a, size_t b) { return blocks[a].first < blocks[b].first; });
  for (size_t i : starts) {
    std::erase_if(alive, [&](size_t other) { return blocks[other].last < blocks[i].first; });
    for (size_t j : alive) {
      const bool apart =
          offsets[i] + blocks[i].size <= offsets[j] || offsets[j] + blocks[j].size <= offsets[i];
      if (apart || allowed(i, j) || allowed(j, i)) continue;
      const bool in_order = offsets[j] <= offsets[i];
      return Overlap(blocks, offsets, in_order ? j : i, in_order ? i : j);
    }
    alive.push_back(i);
  }
  return absl::OkStatus();
}

}  // namespace lathe::plan

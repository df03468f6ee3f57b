#include "generator/plan/first_fit_overlapping.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "generator/support/align_up.h"

namespace lathe::plan {
namespace {

// Their lists take 16 bytes a pair.
constexpr size_t kMaxPairsAlive = 20'000'000;

// Offsets of a new block that are above `low` and below `high` are in use.
struct Taken {
  int64_t low = 0;
  int64_t high = 0;
};

// Returns the number of pairs of blocks that are alive together.
size_t PairsAliveTogether(absl::Span<const Block> blocks) {
  std::vector<int> firsts, lasts;
  for (const Block& block : blocks) {
    if (block.size == 0) continue;
    firsts.push_back(block.first);
    lasts.push_back(block.last);
  }
  std::sort(firsts.begin(), firsts.end());
  std::sort(lasts.begin(), lasts.end());
  size_t pairs = 0, ended = 0;
  for (size_t i = 0; i < firsts.size(); ++i) {
    while (lasts[ended] < firsts[i]) ++ended;
    pairs += i - ended;
  }
  return pairs;
}

class FirstFit {
 public:
  FirstFit(absl::Span<const Block> blocks, absl::Span<const BlockOverlap> overlaps)
      : blocks_(blocks), partners_(blocks.size()), alive_(blocks.size()) {
    for (const BlockOverlap& overlap : overlaps) {
      partners_[overlap.read].push_back(&overlap);
      partners_[overlap.written].push_back(&overlap);
    }
    std::vector<size_t> starts;
    for (size_t i = 0; i < blocks.size(); ++i) {
      if (blocks[i].size > 0) starts.push_back(i);
    }
    std::stable_sort(starts.begin(), starts.end(),
                     [&](size_t a, size_t b) { return blocks[a].first < blocks[b].first; });
    std::vector<size_t> alive;
    for (size_t i : starts) {
      std::erase_if(alive, [&](size_t other) { return blocks[other].last < blocks[i].first; });
      for (size_t other : alive) {
        alive_[i].push_back(other);
        alive_[other].push_back(i);
      }
      alive.push_back(i);
    }
  }

  std::vector<int64_t> Place(const std::vector<size_t>& order) const {
    constexpr int64_t kNowhere = -1;
    std::vector<int64_t> offsets(blocks_.size(), kNowhere);
    for (size_t block : order) {
      std::vector<Taken> taken;
      for (size_t other : alive_[block]) {
        if (offsets[other] != kNowhere) taken.push_back(TakenBy(block, other, offsets[other]));
      }
      offsets[block] = Lowest(taken, blocks_[block].align);
    }
    return offsets;
  }

 private:
  Taken TakenBy(size_t block, size_t other, int64_t at) const {
    Taken taken = {at - blocks_[block].size, at + blocks_[other].size};
    for (const BlockOverlap* overlap : partners_[block]) {
      if (overlap->read == other && overlap->written == block) taken.low = at - overlap->distance;
      if (overlap->read == block && overlap->written == other) taken.high = at + overlap->distance;
    }
    return taken;
  }

  static int64_t Lowest(std::vector<Taken>& taken, int64_t align) {
    std::sort(taken.begin(), taken.end(), [](const Taken& a, const Taken& b) {
      return std::pair(a.low, a.high) < std::pair(b.low, b.high);
    });
    int64_t offset = 0;
    for (const Taken& part : taken) {
      if (part.low < offset && offset < part.high) offset = AlignUp(part.high, align);
    }
    return offset;
  }

  absl::Span<const Block> blocks_;
  std::vector<std::vector<const BlockOverlap*>> partners_;
  std::vector<std::vector<size_t>> alive_;
};

}  // namespace

int64_t HeightOf(absl::Span<const Block> blocks, absl::Span<const int64_t> offsets) {
  int64_t height = 0;
  for (size_t i = 0; i < blocks.size(); ++i) height = std::max(height, offsets[i] + blocks[i].size);
  return height;
}

std::vector<int64_t> FirstFitOverlapping(absl::Span<const Block> blocks,
                                         absl::Span<const BlockOverlap> overlaps) {
  if (PairsAliveTogether(blocks) > kMaxPairsAlive) return {};
  const FirstFit first_fit(blocks, overlaps);
  std::vector<size_t> by_size(blocks.size());
  std::iota(by_size.begin(), by_size.end(), size_t{0});
  std::vector<size_t> by_start = by_size;
  std::stable_sort(by_size.begin(), by_size.end(),
                   [&](size_t a, size_t b) { return blocks[a].size > blocks[b].size; });
  std::stable_sort(by_start.begin(), by_start.end(),
                   [&](size_t a, size_t b) { return blocks[a].first < blocks[b].first; });
  std::vector<size_t> by_end(by_start.rbegin(), by_start.rend());
  // Fewer tries for many blocks, each of which takes at most their square.
  constexpr size_t kWork = 20'000'000, kTries = 100;
  const size_t square = std::max<size_t>(1, blocks.size() * blocks.size());
  const size_t tries = std::clamp<size_t>(kWork / square, 1, kTries);
  std::vector<int64_t> best;
  int64_t lowest = 0;
  for (std::vector<size_t>* order : {&by_size, &by_start, &by_end}) {
    for (size_t n = 0; n < tries; ++n) {
      std::vector<int64_t> offsets = first_fit.Place(*order);
      const int64_t height = HeightOf(blocks, offsets);
      const auto topmost = std::find_if(order->begin(), order->end(), [&](size_t block) {
        return offsets[block] + blocks[block].size == height;
      });
      if (best.empty() || height < lowest) {
        lowest = height;
        best = std::move(offsets);
      }
      if (topmost == order->begin() || topmost == order->end()) break;
      std::rotate(order->begin(), topmost, topmost + 1);
    }
  }
  return best;
}

}  // namespace lathe::plan

#include "generator/plan/pack.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "absl/strings/str_format.h"
#include "generator/plan/conflicts.h"
#include "generator/plan/order_bars.h"
#include "generator/plan/pack_exact.h"
#include "generator/plan/pack_first_fit.h"
#include "generator/plan/pack_skyline.h"
#include "generator/plan/sections.h"
#include "generator/support/check.h"

namespace lathe::plan {
namespace {

constexpr int64_t kMaxAlign = int64_t{1} << 40;
constexpr int64_t kMaxTotal = int64_t{1} << 60;
// Above this number of conflicting pairs, first fit and exact search are skipped.
constexpr int64_t kMaxPairs = 2'000'000;

constexpr Ordering kOrderings[] = {
    {Key::kSize, Key::kLength, Key::kEarly},    {Key::kEarly, Key::kLength, Key::kSize},
    {Key::kLength, Key::kArea, Key::kPressure}, {Key::kPressure, Key::kArea, Key::kLength},
    {Key::kArea, Key::kSize, Key::kEarly},      {Key::kLate, Key::kLength, Key::kSize},
    {Key::kPressure, Key::kSize, Key::kLength},
};

// Packs one group of blocks whose lifetimes are connected, and keeps the best packing found.
class GroupPacker {
 public:
  // Stops at a packing of at most `enough` bytes.
  GroupPacker(Sections sections, int64_t enough, int64_t& steps)
      : sections_(std::move(sections)), steps_(steps) {
    Compress(sections_);
    lower_bound_ = LowerBound(sections_);
    enough_ = std::max(enough, lower_bound_);
    for (const Bar& bar : sections_.bars) {
      granule_ = std::gcd(granule_, std::gcd(bar.bytes, bar.align));
    }
  }

  void Pack() {
    TryOrderings();
    if (height_ <= enough_) return;
    conflicts_ = Conflicts::Find(sections_.bars, kMaxPairs);
    if (!conflicts_) return;
    TryGaps();
    if (height_ <= enough_) return;
    Search();
  }

  const std::vector<int64_t>& offsets() const { return offsets_; }
  int64_t height() const { return height_; }
  int64_t lower_bound() const { return lower_bound_; }

 private:
  std::vector<int> Order(const Ordering& ordering) const {
    std::vector<int> order(sections_.bars.size());
    std::iota(order.begin(), order.end(), 0);
    SortBars(sections_, totals_, ordering, order);
    return order;
  }

  void Keep(std::vector<int64_t> offsets) {
    int64_t height = 0;
    for (size_t i = 0; i < offsets.size(); ++i) {
      height = std::max(height, offsets[i] + sections_.bars[i].bytes);
    }
    if (height >= height_) return;
    height_ = height;
    offsets_ = std::move(offsets);
  }

  void TryOrderings() {
    totals_ = SectionTotals(sections_);
    for (const Ordering& ordering : kOrderings) {
      Keep(PackSkyline(sections_, Order(ordering)));
      if (height_ <= enough_) return;
    }
  }

  void TryGaps() {
    for (const Ordering& ordering : kOrderings) {
      for (Gap gap : {Gap::kLowest, Gap::kSmallest}) {
        std::vector<int64_t> offsets(sections_.bars.size(), -1);
        PackFirstFit(sections_, *conflicts_, Order(ordering), gap, offsets);
        Keep(std::move(offsets));
        if (height_ <= enough_) return;
      }
    }
  }

  // Tries the wanted capacity first, then bisects between the best height found and the lowest
  // capacity that is not proved impossible. Heights are multiples of the granule.
  void Search() {
    int64_t capacity = enough_ / granule_ * granule_;
    int64_t low = capacity;  // lower bound of the bisection
    while (low < height_ && steps_ > 0) {
      // The first capacity is the one that matters most, so it gets most of the steps.
      const int64_t share = capacity == enough_ ? steps_ / 4 * 3 + 1 : steps_ / 3 + 1;
      int64_t left = share;
      std::vector<int64_t> offsets;
      const SearchResult result = PackExact(sections_, *conflicts_, capacity, left, offsets);
      steps_ -= share - left;
      if (result == SearchResult::kFound) {
        Keep(std::move(offsets));
      } else {
        low = capacity + granule_;
        if (result == SearchResult::kImpossible) lower_bound_ = std::max(lower_bound_, low);
      }
      capacity = low + (height_ - granule_ - low) / 2 / granule_ * granule_;
    }
  }

  Sections sections_;
  int64_t& steps_;
  int64_t enough_ = 0;
  int64_t granule_ = 0;
  int64_t lower_bound_ = 0;
  int64_t height_ = std::numeric_limits<int64_t>::max();
  std::vector<int64_t> totals_;
  std::vector<int64_t> offsets_;
  std::optional<Conflicts> conflicts_;
};

}  // namespace

absl::Status CheckBlocks(absl::Span<const Block> blocks) {
  int64_t total = 0;
  for (size_t i = 0; i < blocks.size(); ++i) {
    const Block& b = blocks[i];
    if (b.align < 1 || b.align > kMaxAlign) {
      return absl::InvalidArgumentError(absl::StrFormat("block %d: alignment %d", i, b.align));
    }
    if (b.last < b.first || b.last == std::numeric_limits<int>::max()) {
      return absl::InvalidArgumentError(
          absl::StrFormat("block %d: alive from step %d to %d", i, b.first, b.last));
    }
    if (b.size < 0)
      return absl::InvalidArgumentError(absl::StrFormat("block %d: size %d", i, b.size));
    // Twice the alignment: padding after the block and before its start.
    if (b.size >= kMaxTotal || total + b.size + 2 * b.align >= kMaxTotal) {
      return absl::ResourceExhaustedError("more than 2^60 bytes in all");
    }
    total += b.size + 2 * b.align;
  }
  return absl::OkStatus();
}

Packing Pack(absl::Span<const Block> blocks, const PackLimits& limits) {
  LATHE_CHECK(CheckBlocks(blocks).ok(), "Pack requires blocks that CheckBlocks accepts");
  Packing packing;
  packing.offsets.assign(blocks.size(), 0);
  const Sections all = BarsOf(blocks);
  std::vector<int> numbers;  // without empty blocks, which may have any offset
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].size > 0) numbers.push_back(static_cast<int>(i));
  }
  // The highest group determines the height. The others need not be lower than its lower bound.
  std::vector<std::vector<int>> groups = IndependentGroups(all.bars, std::move(numbers));
  std::vector<Sections> parts;
  for (const std::vector<int>& group : groups) {
    Sections part;
    part.unit = all.unit;
    for (int i : group) part.bars.push_back(all.bars[i]);
    Sections compressed = part;
    Compress(compressed);
    packing.lower_bound = std::max(packing.lower_bound, LowerBound(compressed));
    parts.push_back(std::move(part));
  }
  int64_t steps = std::max<int64_t>(limits.steps, 0);
  int64_t enough = std::max(packing.lower_bound, limits.capacity.value_or(0));
  for (size_t k = 0; k < groups.size(); ++k) {
    GroupPacker packer(std::move(parts[k]), enough, steps);
    packer.Pack();
    for (size_t m = 0; m < groups[k].size(); ++m) {
      packing.offsets[groups[k][m]] = packer.offsets()[m];
    }
    packing.height = std::max(packing.height, packer.height());
    packing.lower_bound = std::max(packing.lower_bound, packer.lower_bound());
    enough = std::max(enough, packing.height);
  }
  packing.optimal = packing.height == packing.lower_bound;
  packing.steps = std::max<int64_t>(limits.steps, 0) - steps;
  return packing;
}

}  // namespace lathe::plan

#include "generator/plan/pack_exact.h"

#include <algorithm>

#include "generator/plan/order_bars.h"
#include "generator/plan/pack_first_fit.h"
#include "generator/plan/peel_bars.h"

namespace lathe::plan {
namespace {

constexpr Ordering kExactOrderings[] = {
    {Key::kLength, Key::kArea, Key::kPressure},
    {Key::kPressure, Key::kArea, Key::kLength},
    {Key::kPressure, Key::kLength, Key::kArea},
    {Key::kWidth, Key::kSectionArea, Key::kPressure},
    {Key::kPressure, Key::kSectionArea, Key::kWidth},
    {Key::kPressure, Key::kWidth, Key::kSectionArea},
};

// It is not known in advance which ordering finds a packing quickly. Runs all of them, and doubles
// the node limit after each pass.
SearchResult SearchWithRestarts(const Sections& sections, int64_t capacity, int64_t& steps,
                                std::vector<int64_t>& offsets) {
  int64_t nodes = 2 * static_cast<int64_t>(sections.bars.size());
  for (; steps > 0; nodes *= 2) {
    for (const Ordering& ordering : kExactOrderings) {
      CanonicalSearch search(sections, capacity, ordering, nodes, steps);
      const SearchResult result = search.Run();
      if (result == SearchResult::kFound) offsets = search.offsets();
      if (result != SearchResult::kOutOfSteps) return result;
    }
  }
  return SearchResult::kOutOfSteps;
}

}  // namespace

SearchResult PackExact(const Sections& sections, const Conflicts& conflicts, int64_t capacity,
                       int64_t& steps, std::vector<int64_t>& offsets) {
  if (LowerBound(sections) > capacity) return SearchResult::kImpossible;
  std::vector<int> peeled = PeelBars(sections, conflicts, capacity);
  std::vector<char> is_peeled(sections.bars.size(), 0);
  for (int i : peeled) is_peeled[i] = 1;
  Sections core;
  core.unit = sections.unit;
  std::vector<int> numbers;
  for (size_t i = 0; i < sections.bars.size(); ++i) {
    if (is_peeled[i]) continue;
    core.bars.push_back(sections.bars[i]);
    numbers.push_back(static_cast<int>(i));
  }
  std::vector<int64_t> found(sections.bars.size(), -1);
  if (!core.bars.empty()) {
    if (core.bars.size() > kMaxExactBars) return SearchResult::kOutOfSteps;
    Compress(core);
    std::vector<int64_t> core_offsets;
    const SearchResult result = SearchWithRestarts(core, capacity, steps, core_offsets);
    if (result != SearchResult::kFound) return result;
    for (size_t k = 0; k < numbers.size(); ++k) found[numbers[k]] = core_offsets[k];
  }
  std::reverse(peeled.begin(), peeled.end());
  PackFirstFit(sections, conflicts, peeled, Gap::kLowest, found);
  offsets = std::move(found);
  return SearchResult::kFound;
}

}  // namespace lathe::plan

#include "generator/transform/reduce/minimize_set.h"

#include <algorithm>
#include <numeric>

namespace lathe::transform {
namespace {

using Subset = std::vector<size_t>;

Subset SubsetBetween(const Subset& items, size_t begin, size_t end) {
  return Subset(items.begin() + static_cast<std::ptrdiff_t>(begin),
                items.begin() + static_cast<std::ptrdiff_t>(end));
}

Subset SubsetWithout(const Subset& items, size_t begin, size_t end) {
  Subset rest = SubsetBetween(items, 0, begin);
  rest.insert(rest.end(), items.begin() + static_cast<std::ptrdiff_t>(end), items.end());
  return rest;
}

}  // namespace

std::vector<size_t> MinimizeSet(size_t count,
                                absl::FunctionRef<bool(const std::vector<size_t>&)> holds) {
  Subset items(count);
  std::iota(items.begin(), items.end(), size_t{0});
  // Half of the items is much less than half of the work if the property depends on few.
  for (bool halved = true; halved && items.size() > 1;) {
    halved = false;
    const size_t middle = items.size() / 2;
    for (const Subset& half :
         {SubsetBetween(items, 0, middle), SubsetBetween(items, middle, items.size())}) {
      if (!holds(half)) continue;
      items = half;
      halved = true;
      break;
    }
  }
  for (size_t chunk = std::max<size_t>(items.size() / 4, 1); items.size() > 1;) {
    bool removed = false;
    for (size_t begin = 0; begin < items.size() && items.size() > 1;) {
      const size_t end = std::min(begin + chunk, items.size());
      Subset rest = SubsetWithout(items, begin, end);
      if (!rest.empty() && holds(rest)) {
        items = std::move(rest);
        removed = true;
      } else {
        begin = end;
      }
    }
    // Single items are tried again until none can be removed.
    if (chunk == 1 && !removed) break;
    chunk = std::max<size_t>(chunk / 2, 1);
  }
  if (items.size() == 1 && holds({})) items.clear();
  return items;
}

}  // namespace lathe::transform

#include "tests/reference/distinct.h"

#include <algorithm>

namespace lathe::reference {

Distinct Unique(const Array& x, bool sorted, std::optional<int64_t> axis) {
  if (!axis.has_value() || x.rank() == 0) {
    const Array flat({SizeOf(x.shape)}, x.data);
    if (x.rank() != 1) return Unique(flat, sorted, 0);
    axis = 0;
  }
  const auto along = static_cast<size_t>(*axis < 0 ? *axis + x.rank() : *axis);
  using Slice = std::vector<double>;
  std::vector<Slice> slices(static_cast<size_t>(x.shape[along]));
  ForEach(x.shape, [&](const Shape& at) { slices[size_t(at[along])].push_back(x[at]); });
  std::vector<Slice> different;
  for (const Slice& slice : slices) {
    if (std::find(different.begin(), different.end(), slice) == different.end()) {
      different.push_back(slice);
    }
  }
  if (sorted) std::sort(different.begin(), different.end());
  const auto count = static_cast<int64_t>(different.size());
  Shape shape = x.shape;
  shape[along] = count;
  Distinct out{Array(shape), Array({count}), Array({x.shape[along]}), Array({count})};
  for (int64_t n = x.shape[along]; n-- > 0;) {
    const auto found = std::find(different.begin(), different.end(), slices[size_t(n)]);
    const int64_t which = found - different.begin();
    out.inverse[{n}] = static_cast<double>(which);
    out.first[{which}] = static_cast<double>(n);
    out.counts[{which}] += 1;
  }
  ForEach(shape, [&](const Shape& at) {
    Shape from = at;
    from[along] = static_cast<int64_t>(out.first[{at[along]}]);
    out.values[at] = x[from];
  });
  return out;
}

Array Nonzero(const Array& x) {
  if (x.rank() == 0) return Nonzero(Array({1}, x.data));
  std::vector<Shape> found;
  ForEach(x.shape, [&](const Shape& at) {
    if (x[at] != 0) found.push_back(at);
  });
  Array out({x.rank(), static_cast<int64_t>(found.size())});
  ForEach(out.shape, [&](const Shape& at) {
    out[at] = static_cast<double>(found[size_t(at[1])][size_t(at[0])]);
  });
  return out;
}

}  // namespace lathe::reference

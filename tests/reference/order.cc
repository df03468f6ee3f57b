#include "tests/reference/order.h"

#include <algorithm>
#include <cmath>

namespace lathe::reference {

namespace {

bool Before(double a, double b) { return a < b || (std::isnan(b) && !std::isnan(a)); }

}  // namespace

Array ArgSort(const Array& x, int64_t axis, bool descending, int64_t keep) {
  const size_t along = FromFront(axis, x.shape.size());
  Shape lines = x.shape, kept = x.shape;
  lines[along] = 1;
  kept[along] = keep > 0 ? std::min(keep, x.shape[along]) : x.shape[along];
  Array out(kept);
  ForEach(lines, [&](const Shape& line) {
    const auto at = [&](int64_t n) {
      Shape place = line;
      place[along] = n;
      return place;
    };
    std::vector<int64_t> order;
    for (int64_t n = 0; n < x.shape[along]; ++n) order.push_back(n);
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      return descending ? Before(x[at(b)], x[at(a)]) : Before(x[at(a)], x[at(b)]);
    });
    for (int64_t n = 0; n < kept[along]; ++n) out[at(n)] = static_cast<double>(order[size_t(n)]);
  });
  return out;
}

Array TakeAlong(const Array& x, const Array& places, int64_t axis) {
  Array out(places.shape);
  ForEach(places.shape, [&](const Shape& at) {
    Shape from = at;
    from[FromFront(axis, x.shape.size())] = static_cast<int64_t>(places[at]);
    out[at] = x[from];
  });
  return out;
}

Array Bucketize(const Array& x, const Array& boundaries, bool right) {
  Array out(x.shape);
  for (size_t n = 0; n < x.data.size(); ++n) {
    for (double bound : boundaries.data) {
      out.data[n] += (right ? bound <= x.data[n] : bound < x.data[n]) ? 1 : 0;
    }
  }
  return out;
}

Array Multinomial(const Array& probabilities, const Array& samples, const Array& rows) {
  Array out(samples.shape);
  for (int64_t n = 0; n < samples.shape[0]; ++n) {
    double so_far = 0;
    int64_t chosen = 0;
    for (; chosen < probabilities.shape[1]; ++chosen) {
      so_far += probabilities[{static_cast<int64_t>(rows[{n, 0}]), chosen}];
      if (so_far > samples[{n, 0}]) break;
    }
    out[{n, 0}] = static_cast<double>(chosen);
  }
  return out;
}

Array ReverseSequence(const Array& x, const Array& lengths, int64_t seq, int64_t batch) {
  const size_t along = FromFront(seq, x.shape.size());
  Array out(x.shape);
  ForEach(x.shape, [&](const Shape& at) {
    const auto length = static_cast<int64_t>(lengths[{at[FromFront(batch, x.shape.size())]}]);
    Shape from = at;
    if (at[along] < length) from[along] = length - 1 - at[along];
    out[at] = x[from];
  });
  return out;
}

}  // namespace lathe::reference

#include "tests/reference/reduce.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lathe::reference {

Groups Reduced(const Shape& shape, const std::optional<std::vector<int64_t>>& axes, bool keepdims) {
  const auto rank = static_cast<int64_t>(shape.size());
  std::vector<bool> gone(shape.size(), !axes.has_value());
  if (axes.has_value()) {
    for (int64_t axis : *axes) gone[static_cast<size_t>(axis < 0 ? axis + rank : axis)] = true;
  }
  Groups groups;
  Shape kept = shape;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (gone[d]) kept[d] = 1;
    if (!gone[d] || keepdims) groups.shape.push_back(kept[d]);
  }
  groups.positions.resize(static_cast<size_t>(SizeOf(kept)));
  ForEach(shape, [&](const Shape& at) {
    Shape to = at;
    for (size_t d = 0; d < to.size(); ++d) to[d] = gone[d] ? 0 : to[d];
    groups.positions[Position(kept, to)].push_back(Position(shape, at));
  });
  return groups;
}

Groups SoFar(const Shape& shape, std::optional<int64_t> axis, bool exclusive) {
  if (!axis.has_value()) return SoFar({SizeOf(shape)}, 0, exclusive);
  const auto rank = static_cast<int64_t>(shape.size());
  const auto along = static_cast<size_t>(*axis < 0 ? *axis + rank : *axis);
  Groups groups{shape, {}};
  ForEach(shape, [&](const Shape& at) {
    std::vector<size_t> before;
    Shape from = at;
    for (from[along] = 0; from[along] < at[along] + (exclusive ? 0 : 1); ++from[along]) {
      before.push_back(Position(shape, from));
    }
    groups.positions.push_back(before);
  });
  return groups;
}

double Sum(const Reals& x, const InDType& r) {
  double sum = 0;
  for (double each : x) sum = r(sum + each);
  return sum;
}

double Prod(const Reals& x, const InDType& r) {
  double product = 1;
  for (double each : x) product = r(product * each);
  return product;
}

namespace {

// Sums and averages are taken in float32 at least, and rounded once.
InDType AtLeastFloat32(const InDType& r) { return r.dtype == "float64" ? r : InDType{"float32"}; }

double WideMean(const Reals& x, const InDType& r) {
  return r(Sum(x, r) / static_cast<double>(x.size()));
}

double WideVariance(const Reals& x, const InDType& r) {
  const double mean = WideMean(x, r);
  double sum = 0;
  for (double each : x) {
    const double difference = r(each - mean);
    sum = r(sum + r(difference * difference));
  }
  return r(sum / static_cast<double>(x.size()));
}

}  // namespace

double SumRoundedOnce(const Reals& x, const InDType& r) { return r(Sum(x, AtLeastFloat32(r))); }
double Mean(const Reals& x, const InDType& r) { return r(WideMean(x, AtLeastFloat32(r))); }

double Variance(const Reals& x, const InDType& r) { return r(WideVariance(x, AtLeastFloat32(r))); }

double Deviation(const Reals& x, const InDType& r) {
  const InDType wide = AtLeastFloat32(r);
  return r(wide(std::sqrt(WideVariance(x, wide))));
}

double Largest(const Reals& x) {
  double largest = x[0];
  for (double each : x) largest = each > largest ? each : largest;
  return largest;
}

size_t MedianPosition(const Reals& x) {
  std::vector<size_t> order(x.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return x[a] < x[b]; });
  return order[(x.size() - 1) / 2];
}

}  // namespace lathe::reference

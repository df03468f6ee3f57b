#include "tests/reference/pool.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lathe::reference {

Shape Pooled(const Shape& x, const PoolNumbers& n) {
  const size_t rank = n.size.size();
  Shape out = {x[0], x[1]};
  for (size_t i = 0; i < rank; ++i) {
    const double room = static_cast<double>(x[2 + i] + n.padding[i] + n.padding[rank + i] -
                                            n.dilation[i] * (n.size[i] - 1) - 1);
    const double steps = room / static_cast<double>(n.strides[i]);
    auto windows = static_cast<int64_t>(n.ceil ? std::ceil(steps) : std::floor(steps)) + 1;
    // One that would start in the padding after the image is skipped.
    while (n.ceil && windows > 0 && (windows - 1) * n.strides[i] >= x[2 + i] + n.padding[i]) {
      --windows;
    }
    out.push_back(windows);
  }
  return out;
}

void ForEachMet(
    const Shape& x, const PoolNumbers& n,
    const std::function<void(const Shape&, const Shape&, const std::optional<Shape>&)>& visit) {
  ForEach(Pooled(x, n), [&](const Shape& window) {
    ForEach(n.size, [&](const Shape& offset) {
      Shape at = {window[0], window[1]};
      bool inside = true;
      for (size_t i = 0; i < offset.size(); ++i) {
        at.push_back(window[2 + i] * n.strides[i] + offset[i] * n.dilation[i] - n.padding[i]);
        inside = inside && at.back() >= 0 && at.back() < x[2 + i];
      }
      visit(window, offset, inside ? std::optional<Shape>(at) : std::nullopt);
    });
  });
}

Array MaxPool(const Array& x, const PoolNumbers& n, double lowest) {
  Array out(Pooled(x.shape, n), lowest);
  ForEachMet(x.shape, n, [&](const Shape& window, const Shape&, const std::optional<Shape>& at) {
    if (at.has_value()) out[window] = std::max(out[window], x[*at]);
  });
  return out;
}

namespace {

// How many elements each window's average counts.
Array Counts(const Shape& x, const PoolNumbers& n, bool all) {
  Array counts(Pooled(x, n));
  ForEachMet(x, n, [&](const Shape& window, const Shape& offset, const std::optional<Shape>& at) {
    bool padded = all;  // positions beyond the padding are not counted
    for (size_t i = 0; i < offset.size(); ++i) {
      const int64_t place = window[2 + i] * n.strides[i] + offset[i] * n.dilation[i];
      const int64_t end = n.padding[i] + x[2 + i] + n.padding[offset.size() + i];
      padded = padded && place < end;
    }
    if (padded || at.has_value()) counts[window] += 1;
  });
  return counts;
}

}  // namespace

Array AveragePool(const Array& x, const PoolNumbers& n, bool all) {
  const Array counts = Counts(x.shape, n, all);
  Array out(counts.shape);
  ForEachMet(x.shape, n, [&](const Shape& window, const Shape&, const std::optional<Shape>& at) {
    if (at.has_value()) out[window] += x[*at];
  });
  for (size_t i = 0; i < out.data.size(); ++i) out.data[i] /= std::max(counts.data[i], 1.0);
  return out;
}

Array AdaptiveAveragePool(const Array& x, const Shape& size) {
  Shape shape = {x.shape[0], x.shape[1]};
  shape.insert(shape.end(), size.begin(), size.end());
  Array out(shape);
  ForEach(shape, [&](const Shape& o) {
    Shape begin, lengths;
    for (size_t i = 0; i < size.size(); ++i) {
      const double part = static_cast<double>(x.shape[2 + i]) / static_cast<double>(size[i]);
      // Halves and thirds may be computed slightly off an integer.
      const double first = std::floor(static_cast<double>(o[2 + i]) * part + 1e-9);
      const double last = std::ceil(static_cast<double>(o[2 + i] + 1) * part - 1e-9);
      begin.push_back(static_cast<int64_t>(first));
      lengths.push_back(static_cast<int64_t>(last - first));
    }
    double sum = 0;
    ForEach(lengths, [&](const Shape& offset) {
      Shape at = {o[0], o[1]};
      for (size_t i = 0; i < size.size(); ++i) at.push_back(begin[i] + offset[i]);
      sum += x[at];
    });
    out[o] = sum / static_cast<double>(SizeOf(lengths));
  });
  return out;
}

Array MaxPoolGradient(const Array& g, const Array& x, const PoolNumbers& n) {
  Array out(x.shape);
  Array largest(g.shape, -INFINITY);
  std::vector<Shape> where(g.data.size());
  Array number(g.shape);  // of each window, in row-major order
  for (size_t i = 0; i < number.data.size(); ++i) number.data[i] = static_cast<double>(i);
  ForEachMet(x.shape, n, [&](const Shape& window, const Shape&, const std::optional<Shape>& at) {
    if (!at.has_value() || x[*at] <= largest[window]) return;
    largest[window] = x[*at];
    where[static_cast<size_t>(number[window])] = *at;
  });
  ForEach(g.shape, [&](const Shape& window) {
    const Shape& at = where[static_cast<size_t>(number[window])];
    if (!at.empty()) out[at] += g[window];
  });
  return out;
}

Array AveragePoolGradient(const Array& g, const Array& x, const PoolNumbers& n, bool all) {
  const Array counts = Counts(x.shape, n, all);
  Array out(x.shape);
  ForEachMet(x.shape, n, [&](const Shape& window, const Shape&, const std::optional<Shape>& at) {
    if (at.has_value()) out[*at] += g[window] / counts[window];
  });
  return out;
}

}  // namespace lathe::reference

#include "tests/reference/image.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace lathe::reference {

namespace {

int64_t Clamped(int64_t index, int64_t length) { return std::clamp<int64_t>(index, 0, length - 1); }

// A quotient that is an integer in exact arithmetic may be computed slightly off it.
constexpr double kSlack = 1e-9;

double Place(const ResizeNumbers& n, size_t axis, int64_t at, int64_t from, int64_t to) {
  const double in = Double(from), out = Double(to), x = Double(at);
  if (n.mode == "half_pixel") return (x + 0.5) * in / out - 0.5;
  if (n.mode == "pytorch_half_pixel") return to > 1 ? (x + 0.5) * in / out - 0.5 : 0;
  if (n.mode == "align_corners") return to > 1 ? x * (in - 1) / (out - 1) : 0;
  if (n.mode == "asymmetric") return x * in / out;
  if (n.mode == "tf_half_pixel_for_nn") return (x + 0.5) * in / out;
  const double start = n.starts[axis], end = n.ends[axis];
  if (to == 1) return 0.5 * (start + end) * (in - 1);
  return start * (in - 1) + x * (end - start) * (in - 1) / (out - 1);
}

double Nearest(const std::string& rounding, double x) {
  if (rounding == "floor") return std::floor(x + kSlack);
  if (rounding == "ceil") return std::ceil(x - kSlack);
  const double low = std::floor(x), part = x - low;
  if (std::fabs(part - 0.5) > kSlack) return part < 0.5 ? low : low + 1;
  if (rounding == "round_prefer_floor") return low;
  if (rounding == "round_prefer_ceil") return low + 1;
  return std::fmod(low, 2) == 0 ? low : low + 1;
}

// How much an element counts that is so far away.
double Weight(const std::string& method, double away, double alpha) {
  const double d = std::fabs(away);
  if (method == "linear" || method == "bilinear") return std::max(0.0, 1 - d);
  if (d <= 1) return (alpha + 2) * d * d * d - (alpha + 3) * d * d + 1;
  if (d < 2) return alpha * d * d * d - 5 * alpha * d * d + 8 * alpha * d - 4 * alpha;
  return 0;
}

// Of one axis, which elements count, by their index before padding, and how much.
struct Tap {
  int64_t index;
  double weight;
};
std::vector<Tap> TapsAround(const std::string& method, double place, double alpha) {
  std::vector<Tap> taps;
  for (int64_t i = Whole(std::floor(place)) - 1; i <= Whole(std::floor(place)) + 2; ++i) {
    taps.push_back({i, Weight(method, place - Double(i), alpha)});
  }
  return taps;
}

// The sum over one tap of each axis of their weights times what `read` gives.
double Mixed(const std::vector<std::vector<Tap>>& axes,
             const std::function<double(const Shape&)>& read) {
  Shape counts;
  for (const std::vector<Tap>& taps : axes) counts.push_back(static_cast<int64_t>(taps.size()));
  double sum = 0;
  ForEach(counts, [&](const Shape& choice) {
    Shape at;
    double weight = 1;
    for (size_t i = 0; i < axes.size(); ++i) {
      const Tap& tap = axes[i][static_cast<size_t>(choice[i])];
      at.push_back(tap.index);
      weight *= tap.weight;
    }
    if (weight != 0) sum += weight * read(at);
  });
  return sum;
}

Shape With(const Shape& leading, const Shape& spatial) {
  Shape out = {leading[0], leading[1]};
  out.insert(out.end(), spatial.begin(), spatial.end());
  return out;
}

}  // namespace

Array Resize(const Array& x, const Shape& size, const ResizeNumbers& n) {
  Array out(With(x.shape, size));
  ForEach(out.shape, [&](const Shape& at) {
    std::vector<std::vector<Tap>> axes;
    bool outside = false;
    for (size_t i = 0; i < size.size(); ++i) {
      const int64_t length = x.shape[2 + i];
      const double place = Place(n, i, at[2 + i], length, size[i]);
      outside = outside || place < -kSlack || place > Double(length - 1) + kSlack;
      std::vector<Tap> taps;
      if (n.method == "nearest_neighbor") {
        taps.push_back({Whole(Nearest(n.rounding, place)), 1});
      } else {
        taps = TapsAround(n.method, place, n.alpha);
      }
      double total = 0;
      for (Tap& tap : taps) {
        const bool inside = tap.index >= 0 && tap.index < length;
        if (n.method == "cubic" && n.excludes && !inside) tap.weight = 0;
        total += tap.weight;
        tap.index = Clamped(tap.index, length);
      }
      for (Tap& tap : taps) tap.weight /= total;
      axes.push_back(taps);
    }
    if (n.mode == "tf_crop_and_resize" && outside) {
      out[at] = n.outside;
    } else {
      out[at] = Mixed(axes, [&](const Shape& from) { return x[With(at, from)]; });
    }
  });
  return out;
}

namespace {

// Back and forth between the first and the last element, or their outer edges.
double Reflected(double place, int64_t length, bool corners) {
  const double low = corners ? 0 : -0.5;
  const double span = corners ? Double(length - 1) : Double(length);
  if (span == 0) return 0;
  const double away = std::fmod(std::fabs(place - low), 2 * span);
  return low + (away > span ? 2 * span - away : away);
}

double Padded(const SampleNumbers& n, double place, int64_t length) {
  if (n.padding == "zeros") return place;
  if (n.padding == "reflection") place = Reflected(place, length, n.corners);
  return std::clamp(place, 0.0, Double(length - 1));
}

}  // namespace

Array GridSample(const Array& x, const Array& grid, const SampleNumbers& n) {
  const Shape size(grid.shape.begin() + 2, grid.shape.end());
  const size_t rank = size.size();
  Array out(With(x.shape, size));
  ForEach(out.shape, [&](const Shape& at) {
    std::vector<std::vector<Tap>> axes;
    for (size_t i = 0; i < rank; ++i) {
      const int64_t length = x.shape[2 + i];
      Shape where = at;
      where[1] = static_cast<int64_t>(rank - 1 - i);
      const double along = (grid[where] + 1) / 2;
      double place = n.corners ? along * Double(length - 1) : along * Double(length) - 0.5;
      // Cubic pads the elements that it reads instead, which are around the position.
      if (n.method != "bicubic") place = Padded(n, place, length);
      std::vector<Tap> taps = {{Whole(std::nearbyint(place)), 1}};
      if (n.method != "nearest") taps = TapsAround(n.method, place, -0.75);
      if (n.method == "bicubic") {
        for (Tap& tap : taps) tap.index = Whole(Padded(n, Double(tap.index), length));
      }
      axes.push_back(taps);
    }
    out[at] = Mixed(axes, [&](const Shape& from) {
      for (size_t i = 0; i < rank; ++i) {
        if (from[i] < 0 || from[i] >= x.shape[2 + i]) return 0.0;
      }
      return x[With(at, from)];
    });
  });
  return out;
}

Array AffineGrid(const Array& matrices, const Shape& size, bool corners) {
  const int64_t rank = static_cast<int64_t>(size.size());
  Array out(With({matrices.shape[0], rank}, size));
  ForEach(out.shape, [&](const Shape& at) {
    double sum = matrices[{at[0], at[1], rank}];
    for (int64_t axis = 0; axis < rank; ++axis) {  // x is the last axis of the size
      const size_t i = static_cast<size_t>(1 + rank - axis);
      const double length = Double(size[i - 2]), k = Double(at[i]);
      double along = (2 * k + 1) / length - 1;
      if (corners) along = length > 1 ? 2 * k / (length - 1) - 1 : 0;
      sum += matrices[{at[0], at[1], axis}] * along;
    }
    out[at] = sum;
  });
  return out;
}

}  // namespace lathe::reference

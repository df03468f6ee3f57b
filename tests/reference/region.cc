#include "tests/reference/region.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lathe::reference {

namespace {

// Between the four elements around a place; up to one element beyond the image its edge goes on.
double Between(const Array& x, int64_t image, int64_t channel, double y, double w) {
  const int64_t height = x.shape[2], width = x.shape[3];
  if (y < -1 || y > Double(height) || w < -1 || w > Double(width)) return 0;
  y = std::clamp(y, 0.0, Double(height - 1));
  w = std::clamp(w, 0.0, Double(width - 1));
  double sum = 0;
  for (int64_t i = 0; i < height; ++i) {
    for (int64_t j = 0; j < width; ++j) {
      const double weight =
          std::max(0.0, 1 - std::fabs(y - Double(i))) * std::max(0.0, 1 - std::fabs(w - Double(j)));
      sum += weight * x[{image, channel, i, j}];
    }
  }
  return sum;
}

}  // namespace

Array RoiAlign(const Array& x, const Array& regions, const RegionNumbers& n) {
  Array out({regions.shape[0], x.shape[1], n.height, n.width});
  ForEach(out.shape, [&](const Shape& at) {
    const auto edge = [&](int64_t column) { return regions[{at[0], column}] * n.scale; };
    double height = edge(4) - edge(2), width = edge(3) - edge(1);
    if (!n.aligned) height = std::max(height, 1.0);
    if (!n.aligned) width = std::max(width, 1.0);
    const double bin_height = height / Double(n.height), bin_width = width / Double(n.width);
    const int64_t rows = n.samples > 0 ? n.samples : Whole(std::ceil(bin_height));
    const int64_t columns = n.samples > 0 ? n.samples : Whole(std::ceil(bin_width));
    double sum = 0, largest = -std::numeric_limits<double>::infinity();
    ForEach({rows, columns}, [&](const Shape& r) {
      const double y = edge(2) + (Double(at[2]) + (Double(r[0]) + 0.5) / Double(rows)) * bin_height;
      const double w =
          edge(1) + (Double(at[3]) + (Double(r[1]) + 0.5) / Double(columns)) * bin_width;
      const double sample = Between(x, Whole(regions[{at[0], 0}]), at[1], y, w);
      sum += sample;
      largest = std::max(largest, sample);
    });
    out[at] = n.average ? sum / Double(rows * columns) : largest;
  });
  return out;
}

Array RoiPool(const Array& x, const Array& regions, const RegionNumbers& n) {
  Array out({regions.shape[0], x.shape[1], n.height, n.width});
  ForEach(out.shape, [&](const Shape& at) {
    struct Span {
      int64_t begin, end;
    };
    // From the columns of the first and the last edge along one axis.
    const auto span = [&](int64_t first, int64_t last, int64_t place, int64_t bins) {
      const auto rounded = [&](int64_t column) {
        return std::floor(regions[{at[0], column}] * n.scale + 0.5);
      };
      const double start = rounded(first);
      const double bin = std::max(rounded(last) - start + 1, 1.0) / Double(bins);
      // Thirds may be computed slightly off an integer.
      return Span{Whole(start + std::floor(Double(place) * bin + 1e-9)),
                  Whole(start + std::ceil(Double(place + 1) * bin - 1e-9))};
    };
    const Span rows = span(2, 4, at[2], n.height), columns = span(1, 3, at[3], n.width);
    double largest = -std::numeric_limits<double>::infinity();
    for (int64_t i = std::max<int64_t>(rows.begin, 0); i < std::min(rows.end, x.shape[2]); ++i) {
      for (int64_t j = std::max<int64_t>(columns.begin, 0); j < std::min(columns.end, x.shape[3]);
           ++j) {
        largest = std::max(largest, x[{Whole(regions[{at[0], 0}]), at[1], i, j}]);
      }
    }
    out[at] = std::isinf(largest) ? 0 : largest;
  });
  return out;
}

Boxes MultiboxTransform(const Array& classes, const Array& places, const Array& anchors,
                        const BoxNumbers& n) {
  const int64_t count = classes.shape[2];
  Boxes out = {Array({classes.shape[0], count, 4}), Array(classes.shape)};
  ForEach({classes.shape[0], count}, [&](const Shape& at) {
    const auto anchor = [&](int64_t i) { return anchors[{0, at[1], i}]; };
    const auto place = [&](int64_t i) {
      return places[{at[0], 4 * at[1] + i}] * n.variances[static_cast<size_t>(i)];
    };
    const double width = anchor(2) - anchor(0), height = anchor(3) - anchor(1);
    const double x = (anchor(0) + anchor(2)) / 2 + place(0) * width;
    const double y = (anchor(1) + anchor(3)) / 2 + place(1) * height;
    const double half_width = std::exp(place(2)) * width / 2;
    const double half_height = std::exp(place(3)) * height / 2;
    const double edges[] = {y - half_height, x - half_width, y + half_height, x + half_width};
    for (int64_t i = 0; i < 4; ++i) {
      out.boxes[{at[0], at[1], i}] = n.clip ? std::clamp(edges[i], 0.0, 1.0) : edges[i];
    }
    double sum = 0;
    for (int64_t k = 0; k < classes.shape[1]; ++k) sum += std::exp(classes[{at[0], k, at[1]}]);
    for (int64_t k = 0; k < classes.shape[1]; ++k) {
      const double score = std::exp(classes[{at[0], k, at[1]}]) / sum;
      const bool kept = score >= n.threshold && (n.background || k > 0);
      out.scores[{at[0], k, at[1]}] = kept ? score : 0;
    }
  });
  return out;
}

Valid ValidBoxes(const Array& data, double threshold, int64_t id, int64_t score) {
  Valid out = {Array({data.shape[0]}), Array(data.shape, -1),
               Array({data.shape[0], data.shape[1]}, -1)};
  for (int64_t n = 0; n < data.shape[0]; ++n) {
    int64_t next = 0;
    for (int64_t box = 0; box < data.shape[1]; ++box) {
      const bool some_class = id < 0 || data[{n, box, id}] >= 0;
      if (!some_class || data[{n, box, score}] <= threshold) continue;
      for (int64_t i = 0; i < data.shape[2]; ++i) out.boxes[{n, next, i}] = data[{n, box, i}];
      out.indices[{n, next}] = Double(box);
      ++next;
    }
    out.counts[{n}] = Double(next);
  }
  return out;
}

}  // namespace lathe::reference

#include "tests/reference/suppression.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace lathe::reference {
namespace {

// Of the numbers of box `i` those of its corners, the lower first.
struct Box {
  double left, top, right, bottom;
};
Box BoxAt(const Array& data, int64_t batch, int64_t i, int64_t corners) {
  const auto at = [&](int64_t k) { return data[{batch, i, corners + k}]; };
  return {std::min(at(0), at(2)), std::min(at(1), at(3)), std::max(at(0), at(2)),
          std::max(at(1), at(3))};
}

double Area(const Box& b) { return (b.right - b.left) * (b.bottom - b.top); }

double OverlapOf(const Box& a, const Box& b) {
  const double width = std::min(a.right, b.right) - std::max(a.left, b.left);
  const double height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  const double both = std::max(width, 0.0) * std::max(height, 0.0);
  const double either = Area(a) + Area(b) - both;
  return either <= 0 ? 0 : both / either;
}

// Of `order`, those that no kept one before them puts out.
std::vector<int64_t> KeptOf(const std::vector<int64_t>& order, int64_t most,
                            const std::function<bool(int64_t, int64_t)>& puts_out) {
  std::vector<int64_t> kept;
  for (int64_t i : order) {
    if (most >= 0 && static_cast<int64_t>(kept.size()) >= most) break;
    const bool out =
        std::any_of(kept.begin(), kept.end(), [&](int64_t better) { return puts_out(better, i); });
    if (!out) kept.push_back(i);
  }
  return kept;
}

std::vector<int64_t> ByScore(int64_t count, const std::function<double(int64_t)>& score) {
  std::vector<int64_t> order;
  for (int64_t i = 0; i < count; ++i) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t a, int64_t b) { return score(a) > score(b); });
  return order;
}

}  // namespace

Kept SuppressBoxes(const Array& data, const Array& valid, const Array& indices,
                   const SuppressionNumbers& n) {
  const int64_t batches = data.shape[0], boxes = data.shape[1], numbers = data.shape[2];
  Kept result{Array(data.shape), Array(data.shape), Array({batches, boxes}), Array({batches, 1})};
  for (Array* array : {&result.boxes, &result.front, &result.indices}) {
    std::fill(array->data.begin(), array->data.end(), -1);
  }
  for (int64_t b = 0; b < batches; ++b) {
    const auto score = [&](int64_t i) { return data[{b, i, n.score}]; };
    std::vector<int64_t> order = ByScore(static_cast<int64_t>(valid[{b}]), score);
    if (n.top > 0 && static_cast<int64_t>(order.size()) > n.top) order.resize(n.top);
    std::vector<int64_t> good;
    for (int64_t i : order) {
      if (score(i) > 0) good.push_back(i);
    }
    const auto kept = KeptOf(good, n.most > 0 ? n.most : -1, [&](int64_t better, int64_t i) {
      const bool rivals = n.force || n.id < 0 || data[{b, better, n.id}] == data[{b, i, n.id}];
      return rivals && OverlapOf(BoxAt(data, b, better, n.corners), BoxAt(data, b, i, n.corners)) >=
                           n.overlap;
    });
    for (size_t k = 0; k < kept.size(); ++k) {
      const auto place = std::find(order.begin(), order.end(), kept[k]) - order.begin();
      for (int64_t j = 0; j < numbers; ++j) {
        result.boxes[{b, place, j}] = data[{b, kept[k], j}];
        result.front[{b, static_cast<int64_t>(k), j}] = data[{b, kept[k], j}];
      }
      result.indices[{b, static_cast<int64_t>(k)}] = indices[{b, kept[k]}];
    }
    result.counts[{b, 0}] = static_cast<double>(kept.size());
  }
  return result;
}

Selected SuppressByClass(const Array& boxes, const Array& scores, int64_t most, double overlap,
                         double threshold) {
  const int64_t batches = scores.shape[0], classes = scores.shape[1], count = scores.shape[2];
  Selected result{Array({batches * classes * count, 3}), 0};
  int64_t row = 0;
  for (int64_t b = 0; b < batches; ++b) {
    for (int64_t c = 0; c < classes; ++c) {
      const auto score = [&](int64_t i) { return scores[{b, c, i}]; };
      std::vector<int64_t> good;
      for (int64_t i : ByScore(count, score)) {
        if (score(i) > threshold && overlap > 0) good.push_back(i);
      }
      const auto kept = KeptOf(good, std::max<int64_t>(most, 0), [&](int64_t better, int64_t i) {
        return OverlapOf(BoxAt(boxes, b, better, 0), BoxAt(boxes, b, i, 0)) >= overlap;
      });
      for (int64_t i : kept) {
        const int64_t columns[] = {b, c, i};
        for (int64_t j = 0; j < 3; ++j) result.indices[{row, j}] = static_cast<double>(columns[j]);
        ++row;
      }
    }
  }
  result.count = static_cast<double>(row);
  return result;
}

}  // namespace lathe::reference

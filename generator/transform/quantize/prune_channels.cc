#include "generator/transform/quantize/prune_channels.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>

namespace lathe::transform {
namespace {

// The values of a channel, with the zero point.
struct Range {
  int64_t lo = 0, hi = 0;
  bool is_constant() const { return lo == hi; }
};

class Pruning {
 public:
  Pruning(std::vector<ChainedProduct>& list, int64_t granule) : list_(list), granule_(granule) {}

  bool Run() {
    for (size_t i = 0; i < list_.size(); ++i) FindRanges(i);
    for (const ChainedProduct& one : list_) {
      kept_.emplace_back(static_cast<size_t>(one.product.columns),
                         one.open || !IsPlain(one.product));
    }
    do {
      changed_ = false;
      for (size_t i = list_.size(); i-- > 0;) MarkInputs(i);
      for (size_t i = 0; !changed_ && i < list_.size(); ++i) FillGranule(i);
    } while (changed_);
    bool pruned = false;
    std::vector<IntegerProduct> made;
    for (size_t i = 0; i < list_.size(); ++i) {
      made.push_back(Pruned(i));
      pruned |= made.back().weights != list_[i].product.weights;
    }
    for (size_t i = 0; i < list_.size(); ++i) list_[i].product = std::move(made[i]);
    return pruned;
  }

 private:
  // True if columns and inputs can be removed one by one.
  static bool IsPlain(const IntegerProduct& p) {
    return !p.window || p.window->groups == 1 || IsDepthwise(p);
  }
  static int64_t InputsOf(const IntegerProduct& p) {
    return p.window ? p.window->channels : p.depth;
  }
  static bool HasPadding(const IntegerProduct& p) { return p.window && p.window->has_padding(); }
  int64_t BiasOf(const IntegerProduct& p, int64_t c) const {
    return p.bias.empty() ? 0 : static_cast<int64_t>(p.bias[static_cast<size_t>(c)]);
  }
  // The producer, if the channels of its result are the inputs of the product.
  std::optional<size_t> ProducerOf(size_t i) const {
    const IntegerProduct& p = list_[i].product;
    const int from = list_[i].from;
    if (from < 0 || !IsPlain(p)) return std::nullopt;
    const auto at = static_cast<size_t>(from);
    return list_[at].product.columns == InputsOf(p) ? std::optional(at) : std::nullopt;
  }

  Range InputRange(size_t i, int64_t channel) const {
    const auto producer = ProducerOf(i);
    if (producer) return ranges_[*producer][static_cast<size_t>(channel)];
    const ir::DType t = list_[i].product.x.affine.dtype;
    const int64_t half = int64_t{1} << (t.bits - 1);
    return t.is_int() ? Range{-half, half - 1} : Range{0, 2 * half - 1};
  }
  // Calls `visit(channel, weight)` for each element of a column.
  template <typename F>
  void ForEachWeight(const IntegerProduct& p, int64_t column, F visit) const {
    const bool depthwise = IsDepthwise(p);
    for (int64_t k = 0; k < p.depth; ++k) {
      const int64_t weight = p.weights[static_cast<size_t>(column * p.depth + k)];
      visit(depthwise ? column : k % InputsOf(p), weight);
    }
  }

  void FindRanges(size_t i) {
    const IntegerProduct& p = list_[i].product;
    const IntegerResult& all = p.epilogue->range();
    std::vector<Range> ranges(static_cast<size_t>(p.columns), Range{all.lo, all.hi});
    for (int64_t c = 0; IsPlain(p) && c < p.columns; ++c) {
      Range sum = {BiasOf(p, c), BiasOf(p, c)};
      ForEachWeight(p, c, [&](int64_t channel, int64_t weight) {
        const Range x = InputRange(i, channel);
        int64_t a = weight * (x.lo - p.x.affine.zero), b = weight * (x.hi - p.x.affine.zero);
        if (a > b) std::swap(a, b);
        sum.lo += HasPadding(p) ? std::min<int64_t>(a, 0) : a;
        sum.hi += HasPadding(p) ? std::max<int64_t>(b, 0) : b;
      });
      const auto lo = p.epilogue->ResultOf(sum.lo, c), hi = p.epilogue->ResultOf(sum.hi, c);
      if (lo && hi) ranges[static_cast<size_t>(c)] = {*lo, *hi};
    }
    ranges_.push_back(std::move(ranges));
  }

  bool IsConstant(size_t i, int64_t column) const {
    return ranges_[i][static_cast<size_t>(column)].is_constant();
  }
  // True if the channel contributes a constant to every sum.
  bool CanFold(size_t i, int64_t channel) const {
    const IntegerProduct& p = list_[i].product;
    const Range x = InputRange(i, channel);
    return x.is_constant() && (!HasPadding(p) || x.lo == p.x.affine.zero);
  }

  // Marks the columns of the producer that product `i` needs.
  void MarkInputs(size_t i) {
    const IntegerProduct& p = list_[i].product;
    const auto producer = ProducerOf(i);
    if (!producer) {
      if (list_[i].from >= 0) MarkAll(kept_[static_cast<size_t>(list_[i].from)]);
      if (IsDepthwise(p)) MarkAll(kept_[i]);
      return;
    }
    for (int64_t c = 0; c < p.columns; ++c) {
      if (!kept_[i][static_cast<size_t>(c)]) continue;
      if (IsDepthwise(p)) {
        Mark(*producer, c);
      } else if (!IsConstant(i, c)) {
        ForEachWeight(p, c, [&](int64_t channel, int64_t weight) {
          if (weight != 0 && !CanFold(i, channel)) Mark(*producer, channel);
        });
      }
    }
    // The channels of a depthwise convolution are those of its input.
    for (int64_t c = 0; IsDepthwise(p) && c < p.columns; ++c) {
      if (kept_[*producer][static_cast<size_t>(c)]) Mark(i, c);
    }
  }
  // Keeps more columns, at least one in all, until their number is a multiple.
  void FillGranule(size_t i) {
    for (int64_t c = 0; c < std::ssize(kept_[i]); ++c) {
      const int64_t count = CountOf(kept_[i]);
      if (count > 0 && count % granule_ == 0) return;
      Mark(i, c);
    }
  }
  void Mark(size_t product, int64_t column) {
    auto&& kept = kept_[product][static_cast<size_t>(column)];
    changed_ |= !kept;
    kept = true;
  }
  void MarkAll(std::vector<bool>& kept) {
    changed_ |= std::find(kept.begin(), kept.end(), false) != kept.end();
    kept.assign(kept.size(), true);
  }

  IntegerProduct Pruned(size_t i) const {
    const IntegerProduct& p = list_[i].product;
    if (!IsPlain(p)) return p;
    const auto producer = ProducerOf(i);
    const bool depthwise = IsDepthwise(p);
    std::vector<int64_t> columns;
    IntegerProduct made = p;
    made.weights.clear();
    made.bias.clear();
    for (int64_t c = 0; c < p.columns; ++c) {
      if (!kept_[i][static_cast<size_t>(c)]) continue;
      columns.push_back(c);
      int64_t bias = BiasOf(p, c);
      const bool constant = IsConstant(i, c);
      ForEachWeight(p, c, [&](int64_t channel, int64_t weight) {
        const bool stays = !producer || kept_[*producer][static_cast<size_t>(channel)];
        if (stays) made.weights.push_back(static_cast<int32_t>(constant ? 0 : weight));
        if (!stays && !constant && weight != 0) {
          bias += weight * (InputRange(i, channel).lo - p.x.affine.zero);
        }
      });
      made.bias.push_back(static_cast<double>(constant ? SmallestSum(i, c) : bias));
    }
    const int64_t count = std::ssize(columns);
    const int64_t inputs = producer ? CountOf(kept_[*producer]) : InputsOf(p);
    made.columns = count;
    made.dims.back() = count;
    made.epilogue->Keep(columns);
    made.x.dims.back() = inputs;
    if (!depthwise) made.depth = p.depth / InputsOf(p) * inputs;
    if (made.window) {
      made.window->channels = inputs;
      if (depthwise) made.window->groups = inputs;
    }
    return made;
  }

  // A sum near 0 with the constant result of the column.
  int64_t SmallestSum(size_t i, int64_t c) const {
    const IntegerProduct& p = list_[i].product;
    const int64_t result = ranges_[i][static_cast<size_t>(c)].lo;
    // Bisects between 0 and the largest sum, or the lowest: results only grow with sums.
    constexpr int64_t kMax = std::numeric_limits<int32_t>::max();
    int64_t near = 0, far = p.epilogue->ResultOf(0, c) < result ? kMax : -kMax;
    if (p.epilogue->ResultOf(near, c) == result) return near;
    while (std::abs(far - near) > 1) {
      const int64_t middle = near + (far - near) / 2;
      const bool reached = far > 0 ? p.epilogue->ResultOf(middle, c) >= result
                                   : p.epilogue->ResultOf(middle, c) <= result;
      (reached ? far : near) = middle;
    }
    return far;
  }

  static int64_t CountOf(const std::vector<bool>& kept) {
    return std::count(kept.begin(), kept.end(), true);
  }

  std::vector<ChainedProduct>& list_;
  const int64_t granule_;
  std::vector<std::vector<Range>> ranges_;  // of the results of each column
  std::vector<std::vector<bool>> kept_;     // the columns that stay
  bool changed_ = false;
};

}  // namespace

bool PruneChannels(std::vector<ChainedProduct>& products, int64_t granule) {
  return Pruning(products, granule).Run();
}

}  // namespace lathe::transform

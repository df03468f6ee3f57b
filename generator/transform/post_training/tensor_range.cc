#include "generator/transform/post_training/tensor_range.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "generator/transform/post_training/constant_values.h"

namespace lathe::transform {

void TensorRange::Widen(double magnitude) {
  if (bins_.empty()) {
    bins_.resize(kBins);
    limit_ = std::ldexp(1.0, std::ilogb(magnitude) + 1);
    return;
  }
  while (magnitude > limit_) {
    // Each half of the new histogram is the old one in bins of twice the width.
    std::vector<uint64_t> wider(kBins);
    for (size_t i = 0; i < kBins; ++i) wider[kBins / 4 + i / 2] += bins_[i];
    bins_ = std::move(wider);
    limit_ *= 2;
  }
}

void TensorRange::Add(const interp::Tensor& tensor) {
  const std::vector<float> values = FloatsOf(tensor);
  for (const float value : values) {
    if (!std::isfinite(value)) {
      finite_ = false;
      continue;
    }
    ++count_;
    low_ = std::min<double>(low_, value);
    high_ = std::max<double>(high_, value);
  }
  const double magnitude = std::max(-low_, high_);
  if (magnitude < std::numeric_limits<float>::min()) {
    zeros_ += values.size();
    return;
  }
  Widen(magnitude);
  const double per_bin = (kBins / 2) / limit_;
  for (const float value : values) {
    if (value == 0) ++zeros_;
    if (value == 0 || !std::isfinite(value)) continue;
    const auto bin = static_cast<int64_t>((value + limit_) * per_bin);
    ++bins_[static_cast<size_t>(std::clamp<int64_t>(bin, 0, kBins - 1))];
  }
}

ValueRange TensorRange::Choose(const RangeChoice& choice, int64_t levels) const {
  if (bins_.empty()) return observed();
  switch (choice.method) {
    case RangeMethod::kMinMax:
      return observed();
    case RangeMethod::kPercentile:
      return Percentile(choice.percentile);
    case RangeMethod::kEntropy:
      return LeastEntropy(levels);
    case RangeMethod::kSquaredError:
      return LeastSquaredError(levels);
  }
  return observed();
}

ValueRange TensorRange::Percentile(double percentile) const {
  const double share = (1 - percentile / 100) * static_cast<double>(count_);
  ValueRange range = observed();
  double seen = 0;
  for (size_t i = kBins; i-- > kBins / 2;) {
    seen += static_cast<double>(bins_[i]);
    if (seen <= share) continue;
    range.high = std::min(high_, Center(i) + limit_ / kBins);
    break;
  }
  seen = 0;
  for (size_t i = 0; i < kBins / 2; ++i) {
    seen += static_cast<double>(bins_[i]);
    if (seen <= share) continue;
    range.low = std::max(low_, Center(i) - limit_ / kBins);
    break;
  }
  return range;
}

// Compares the distribution of the values with that after clipping and quantization, for each
// threshold of their magnitude.
ValueRange TensorRange::LeastEntropy(int64_t levels) const {
  constexpr size_t kSteps = 100;
  double best = std::numeric_limits<double>::infinity();
  ValueRange chosen = observed();
  for (size_t step = kSteps; step > 0; --step) {
    const double threshold = std::max(-low_, high_) * static_cast<double>(step) / kSteps;
    const ValueRange range = {std::max(low_, -threshold), std::min(high_, threshold)};
    const double width = (range.high - range.low) / static_cast<double>(levels - 1);
    // The occurrences in each level, and the bins in it that have any.
    std::vector<double> mass(static_cast<size_t>(levels)), used(mass.size());
    std::vector<double> clipped(kBins);
    const auto level_of = [&](double value) {
      const double level =
          std::round((std::clamp(value, range.low, range.high) - range.low) / width);
      return static_cast<size_t>(std::clamp(level, 0.0, static_cast<double>(levels - 1)));
    };
    for (size_t i = 0; i < kBins; ++i) {
      if (bins_[i] == 0) continue;
      const double at = std::clamp(Center(i), range.low, range.high);
      const size_t bin = std::min<size_t>(
          static_cast<size_t>(std::max(0.0, (at + limit_) * (kBins / 2) / limit_)), kBins - 1);
      clipped[bin] += static_cast<double>(bins_[i]);
      // Values out of range are part of the reference only.
      if (Center(i) < range.low || Center(i) > range.high) continue;
      mass[level_of(Center(i))] += static_cast<double>(bins_[i]);
      used[level_of(Center(i))] += 1;
    }
    const double total = std::accumulate(clipped.begin(), clipped.end(), 0.0);
    const double inside = std::accumulate(mass.begin(), mass.end(), 0.0);
    if (inside == 0) continue;
    double divergence = 0;
    for (size_t i = 0; i < kBins; ++i) {
      if (clipped[i] == 0) continue;
      const size_t level = level_of(Center(i));
      const double p = clipped[i] / total;
      const double q = used[level] == 0 ? 1e-9 : mass[level] / used[level] / inside;
      divergence += p * std::log(p / std::max(q, 1e-9));
    }
    if (divergence >= best) continue;
    best = divergence;
    chosen = range;
  }
  return chosen;
}

double TensorRange::SquaredError(const std::vector<Bin>& bins, const ValueRange& range,
                                 int64_t levels) {
  const double width = (range.high - range.low) / static_cast<double>(levels - 1);
  double error = 0;
  for (const auto& [value, count] : bins) {
    const double outside = std::max({0.0, range.low - value, value - range.high});
    // The error of rounding is uniform within half a step.
    const double each = outside > 0 ? outside * outside : width * width / 12;
    error += each * count;
  }
  return error;
}

// Searches the two ends in turn: each is best for the other one within a few steps.
ValueRange TensorRange::LeastSquaredError(int64_t levels) const {
  constexpr int kSteps = 80;
  std::vector<Bin> bins;
  for (size_t i = 0; i < kBins; ++i) {
    if (bins_[i] != 0) bins.push_back({Center(i), static_cast<double>(bins_[i])});
  }
  ValueRange chosen = observed();
  double best = SquaredError(bins, chosen, levels);
  for (int round = 0; round < 2; ++round) {
    for (const bool upper : {true, false}) {
      for (int step = 1; step < kSteps; ++step) {
        ValueRange range = chosen;
        const double share = 1 - static_cast<double>(step) / kSteps;
        (upper ? range.high : range.low) = (upper ? high_ : low_) * share;
        if (range.high <= range.low) continue;
        const double error = SquaredError(bins, range, levels);
        if (error >= best) continue;
        best = error;
        chosen = range;
      }
    }
  }
  return chosen;
}

std::vector<uint64_t> TensorRange::Histogram(size_t bins) const {
  std::vector<uint64_t> out(bins);
  const double width = high_ - low_;
  if (width <= 0 || bins == 0) return out;
  const auto bin_of = [&](double value) {
    const double at = (value - low_) / width * static_cast<double>(bins);
    return static_cast<size_t>(std::clamp(at, 0.0, static_cast<double>(bins - 1)));
  };
  for (size_t i = 0; i < bins_.size(); ++i) out[bin_of(Center(i))] += bins_[i];
  out[bin_of(0)] += zeros_;
  return out;
}

int64_t LowestInteger(ir::DType dtype) {
  if (dtype.is_uint()) return 0;
  const int64_t lowest = -(int64_t{1} << (dtype.bits - 1));
  return dtype.bits == 16 ? lowest + 1 : lowest;
}

int64_t HighestInteger(ir::DType dtype) {
  return dtype.is_uint() ? (int64_t{1} << dtype.bits) - 1 : (int64_t{1} << (dtype.bits - 1)) - 1;
}

AffineScale ScaleOf(const ValueRange& range, ir::DType dtype) {
  const auto lowest = static_cast<double>(LowestInteger(dtype));
  const auto highest = static_cast<double>(HighestInteger(dtype));
  const double low = std::min(range.low, 0.0), high = std::max(range.high, 0.0);
  AffineScale out;
  if (dtype.is_int() && dtype.bits == 16) {
    const double scale = std::max(-low, high) / highest;
    if (scale >= std::numeric_limits<float>::min()) out.scale = static_cast<float>(scale);
    return out;
  }
  const double scale = (high - low) / (highest - lowest);
  if (scale >= std::numeric_limits<float>::min()) out.scale = static_cast<float>(scale);
  const double zero = std::nearbyint(lowest - low / static_cast<double>(out.scale));
  out.zero = static_cast<int64_t>(std::clamp(zero, lowest, highest));
  return out;
}

}  // namespace lathe::transform

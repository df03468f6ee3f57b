#include "generator/transform/post_training/quantize_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "generator/transform/post_training/constant_values.h"

namespace lathe::transform {
namespace {

double RoundTo(float value, double scale, double highest) {
  return std::clamp(std::nearbyint(static_cast<double>(value) / scale), -highest, highest);
}

// Shrinks the scale of the largest value as long as smaller ones gain more than it loses.
double BestScale(const std::vector<float>& values, double highest) {
  double largest = 0;
  for (const float value : values)
    largest = std::max(largest, std::abs(static_cast<double>(value)));
  if (largest / highest < std::numeric_limits<float>::min()) return 1;
  constexpr int kSteps = 40;
  double best = std::numeric_limits<double>::infinity(), chosen = 0;
  for (int step = 0; step < kSteps; ++step) {
    const double scale = largest / highest * (1 - 0.5 * step / kSteps);
    double error = 0;
    for (const float value : values) {
      const double off = static_cast<double>(value) - RoundTo(value, scale, highest) * scale;
      error += off * off;
    }
    if (error >= best) continue;
    best = error;
    chosen = scale;
  }
  return chosen;
}

}  // namespace

std::vector<size_t> ChannelsOf(const std::vector<int64_t>& shape, int axis) {
  int64_t inner = 1, total = 1;
  for (size_t i = 0; i < shape.size(); ++i) {
    total *= shape[i];
    if (static_cast<int>(i) > axis) inner *= shape[i];
  }
  const int64_t channels = shape[static_cast<size_t>(axis)];
  std::vector<size_t> out(static_cast<size_t>(total));
  for (int64_t i = 0; i < total; ++i) {
    out[static_cast<size_t>(i)] = static_cast<size_t>(i / inner % channels);
  }
  return out;
}

QuantizedWeights QuantizeWeights(const ir::Constant& weights, int axis, int bits,
                                 const std::vector<double>& least_scales) {
  const std::vector<float> values = FloatsOf(weights);
  const std::vector<size_t> channels = ChannelsOf(weights.shape, axis);
  std::vector<std::vector<float>> by_channel(
      static_cast<size_t>(weights.shape[static_cast<size_t>(axis)]));
  for (size_t i = 0; i < values.size(); ++i) by_channel[channels[i]].push_back(values[i]);
  const auto highest = static_cast<double>((int64_t{1} << (bits - 1)) - 1);
  QuantizedWeights out;
  for (size_t c = 0; c < by_channel.size(); ++c) {
    double least = least_scales.empty() ? 0 : least_scales[c];
    // The bias of such a channel stays in float32.
    if (least > static_cast<double>(std::numeric_limits<float>::max())) least = 0;
    out.scales.push_back(static_cast<float>(std::max(BestScale(by_channel[c], highest), least)));
  }
  for (size_t i = 0; i < values.size(); ++i) {
    const auto scale = static_cast<double>(out.scales[channels[i]]);
    out.integers.push_back(static_cast<int64_t>(RoundTo(values[i], scale, highest)));
  }
  return out;
}

}  // namespace lathe::transform

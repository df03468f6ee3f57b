#include "generator/transform/post_training/quantize_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "generator/transform/post_training/constant_values.h"

namespace lathe::transform {
namespace {

// Shrinks the scale of the largest value as long as smaller ones gain more than it loses.
double BestScale(const std::vector<float>& values, int bits) {
  const auto highest = static_cast<double>((int64_t{1} << (bits - 1)) - 1);
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
      const auto real = static_cast<double>(value);
      const double off = real - RoundToBits(real, scale, bits) * scale;
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

ScaleGroups ChannelGroups(const std::vector<int64_t>& shape, int axis) {
  return {ChannelsOf(shape, axis), {shape[static_cast<size_t>(axis)]}, axis, 0};
}

ScaleGroups BlockGroups(const std::vector<int64_t>& shape, int axis, int64_t block) {
  ScaleGroups groups;
  groups.axis = axis;
  groups.block = block;
  groups.shape = shape;
  const auto along = static_cast<size_t>(axis);
  groups.shape[along] = (shape[along] + block - 1) / block;
  const std::vector<size_t> positions = ChannelsOf(shape, axis);
  int64_t inner = 1;
  for (size_t a = along + 1; a < shape.size(); ++a) inner *= shape[a];
  for (size_t i = 0; i < positions.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    const int64_t outer = shape[along] == 0 ? 0 : at / (inner * shape[along]);
    const int64_t blocks = outer * groups.shape[along] + static_cast<int64_t>(positions[i]) / block;
    groups.of.push_back(static_cast<size_t>(blocks * inner + at % inner));
  }
  return groups;
}

double RoundToBits(double value, double scale, int bits) {
  const auto highest = static_cast<double>((int64_t{1} << (bits - 1)) - 1);
  const double lowest = bits < 8 ? -highest - 1 : -highest;
  return std::clamp(std::nearbyint(value / scale), lowest, highest);
}

QuantizedWeights QuantizeWeights(const ir::Constant& weights, ScaleGroups groups, int bits,
                                 const std::vector<double>& least_scales) {
  const std::vector<float> values = FloatsOf(weights);
  size_t count = 1;
  for (const int64_t size : groups.shape) count *= static_cast<size_t>(size);
  std::vector<std::vector<float>> by_group(count);
  for (size_t i = 0; i < values.size(); ++i) by_group[groups.of[i]].push_back(values[i]);
  QuantizedWeights out;
  out.bits = bits;
  for (size_t c = 0; c < count; ++c) {
    double least = least_scales.empty() ? 0 : least_scales[c];
    // The bias of such a channel stays in float32.
    if (least > static_cast<double>(std::numeric_limits<float>::max())) least = 0;
    out.scales.push_back(static_cast<float>(std::max(BestScale(by_group[c], bits), least)));
  }
  out.groups = std::move(groups);
  for (size_t i = 0; i < values.size(); ++i) {
    const double q = RoundToBits(static_cast<double>(values[i]), out.ScaleAt(i), bits);
    out.integers.push_back(static_cast<int64_t>(q));
  }
  return out;
}

}  // namespace lathe::transform

#include "generator/transform/post_training/equalize_channels.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "generator/ir/op.h"
#include "generator/support/status.h"
#include "generator/transform/count_uses.h"
#include "generator/transform/post_training/constant_values.h"
#include "generator/transform/post_training/quantize_weights.h"

namespace lathe::transform {
namespace {

using ir::ValueId;

// Weights of very different sizes in one column are as bad as channels of very different ranges.
constexpr double kMaxScale = 64;
// Samples that are not among the calibration data exceed the ranges of more channels when these are
// similar. A smaller gain is lost to that.
constexpr double kLeastGain = 0.25;
// Steps of integers of 8 bits, from 0 to the largest magnitude.
constexpr double kActivationSteps = 255, kWeightSteps = 127;

// Channels of zeros, and those that are not finite, keep their scale.
bool IsPositive(double magnitude) { return magnitude > 0 && std::isfinite(magnitude); }

// Two layers with the tensor between them.
struct LayerPair {
  const QuantizedLayer* first = nullptr;
  const QuantizedLayer* second = nullptr;
  size_t channels = 0;
};

// The magnitudes of the channels of a tensor.
struct ChannelValues {
  std::vector<double> largest;
  std::vector<double> squares;  // mean

  void Add(const std::vector<float>& values, const std::vector<size_t>& of, size_t channels) {
    largest.resize(channels);
    squares.resize(channels);
    std::vector<double> sums(channels);
    for (size_t i = 0; i < values.size(); ++i) {
      const double magnitude = std::abs(static_cast<double>(values[i]));
      largest[of[i]] = std::max(largest[of[i]], magnitude);
      sums[of[i]] += magnitude * magnitude;
    }
    const auto each = static_cast<double>(values.size()) / static_cast<double>(channels);
    ++samples;
    for (size_t c = 0; c < channels; ++c) {
      squares[c] += (sums[c] / each - squares[c]) / static_cast<double>(samples);
    }
  }
  size_t samples = 0;
};

class Equalization {
 public:
  Equalization(const FloatNetwork& network, const NetworkLayers& layers)
      : network_(network), module_(network.module), calls_(CallsOf(network)) {
    const Uses uses = CountUses(network.module);
    for (const QuantizedLayer& second : layers.layers) {
      if (second.kind != LayerKind::kProduct) continue;
      for (const QuantizedLayer& first : layers.layers) {
        if (first.kind != LayerKind::kProduct || first.result != second.inputs[0]) continue;
        if (uses[first.result] != 1 || first.axes.result != second.axes.input) continue;
        if (!IsHomogeneous(first) || !IsOnlyReader(first) || !IsOnlyReader(second)) continue;
        const auto& shape = WeightsOf(first).shape;
        pairs_.push_back(
            {&first, &second, static_cast<size_t>(shape[static_cast<size_t>(first.axes.weights)])});
      }
    }
  }

  absl::Status Observe(const std::vector<Sample>& samples, Diagnostics& diags,
                       const ProgressCallback& report) {
    absl::flat_hash_set<ValueId> recorded;
    for (const LayerPair& pair : pairs_) recorded.insert(pair.first->result);
    SampleRunner runner(network_.ir, network_.module, network_.function, std::move(recorded));
    for (size_t s = 0; s < samples.size(); ++s) {
      LATHE_RETURN_IF_ERROR(runner.Run(samples[s], diags).status());
      for (const LayerPair& pair : pairs_) {
        const auto found = runner.tensors().find(pair.first->result);
        if (found == runner.tensors().end()) continue;
        channels_[pair.first->result].Add(FloatsOf(*found->second),
                                          ChannelsOf(found->second->shape, pair.first->axes.result),
                                          pair.channels);
      }
      ReportTenths(report, "equalizing", s + 1, samples.size());
    }
    return absl::OkStatus();
  }

  ir::Module Apply() {
    for (const LayerPair& pair : pairs_) {
      const std::vector<double> scales = ScalesOf(pair);
      Divide(*pair.first, scales);
      Multiply(*pair.second, scales);
    }
    return std::move(module_);
  }

 private:
  const ir::Call& CallOf(const QuantizedLayer& layer) const { return *calls_.at(layer.core); }
  ir::ConstantId WeightsIdOf(const QuantizedLayer& layer) const {
    return *CallOf(layer).args[1].As<ir::ConstantId>();
  }
  const ir::Constant& WeightsOf(const QuantizedLayer& layer) const {
    return module_.constants[WeightsIdOf(layer)];
  }

  // Returns whether scaling the sums of a channel scales the result.
  bool IsHomogeneous(const QuantizedLayer& layer) const {
    const ValueId sums = layer.sum.value_or(layer.core);
    for (ValueId at = layer.result; at != sums;) {
      const auto call = calls_.find(at);
      if (call == calls_.end() || call->second->op()->name != "relax.nn.relu") return false;
      const auto* before = call->second->args[0].As<ValueId>();
      if (before == nullptr) return false;
      at = *before;
    }
    return true;
  }

  // Returns whether no other layer has the same weights or bias.
  bool IsOnlyReader(const QuantizedLayer& layer) const {
    size_t weights = 0, biases = 0;
    for (const auto& [value, call] : calls_) {
      for (const ir::Operand& arg : call->args) {
        ForEachLeaf(arg, [&](const ir::Operand& leaf) {
          const auto* id = leaf.As<ir::ConstantId>();
          if (id == nullptr) return;
          weights += *id == WeightsIdOf(layer) ? 1 : 0;
          biases += layer.bias && *id == *layer.bias ? 1 : 0;
        });
      }
    }
    return weights == 1 && biases <= 1;
  }

  // Returns the input channel that each element of the weights multiplies.
  std::vector<size_t> InputsOf(const LayerPair& pair) const {
    const QuantizedLayer& layer = *pair.second;
    const std::vector<int64_t>& shape = WeightsOf(layer).shape;
    const auto inputs = static_cast<size_t>(shape[static_cast<size_t>(layer.axes.summed)]);
    const auto outputs = static_cast<size_t>(shape[static_cast<size_t>(layer.axes.weights)]);
    const size_t groups = inputs == 0 ? 1 : pair.channels / inputs;
    std::vector<size_t> of = ChannelsOf(shape, layer.axes.summed);
    const std::vector<size_t> columns = ChannelsOf(shape, layer.axes.weights);
    for (size_t i = 0; i < of.size(); ++i) of[i] += columns[i] * groups / outputs * inputs;
    return of;
  }

  // Returns the ranges of the channels to that power, divided by their geometric mean, of those
  // powers from 0 to 1 that leave the least noise in the sums of the second layer.
  std::vector<double> ScalesOf(const LayerPair& pair) {
    std::vector<double> best(pair.channels, 1);
    double least = NoiseOf(pair, best) * kLeastGain;
    for (const double power : {0.25, 0.5, 0.75, 1.0}) {
      std::vector<double> scales = PowersOf(pair, power);
      const double noise = NoiseOf(pair, scales);
      if (!(noise < least)) continue;
      least = noise;
      best = std::move(scales);
    }
    return best;
  }

  std::vector<double> PowersOf(const LayerPair& pair, double power) const {
    const std::vector<double>& largest = channels_.at(pair.first->result).largest;
    std::vector<double> used;
    std::copy_if(largest.begin(), largest.end(), std::back_inserter(used), IsPositive);
    std::vector<double> scales(pair.channels, 1);
    if (used.empty()) return scales;
    const auto middle = used.begin() + std::ssize(used) / 2;
    std::nth_element(used.begin(), middle, used.end());
    for (size_t c = 0; c < largest.size(); ++c) {
      if (!IsPositive(largest[c])) continue;
      scales[c] = std::pow(std::clamp(largest[c] / *middle, 1 / kMaxScale, kMaxScale), power);
    }
    return scales;
  }

  // The noise of the sums of the second layer, relative to their size and up to a factor, as the
  // geometric mean of its channels: that of rounded activations, times weights, and that of rounded
  // weights, times activations.
  double NoiseOf(const LayerPair& pair, const std::vector<double>& scales) const {
    const ChannelValues& seen = channels_.at(pair.first->result);
    double step = 0;
    for (size_t c = 0; c < scales.size(); ++c) step = std::max(step, seen.largest[c] / scales[c]);
    step /= kActivationSteps;
    const ir::Constant& weights = WeightsOf(*pair.second);
    const std::vector<float> values = FloatsOf(weights);
    const std::vector<size_t> columns = ChannelsOf(weights.shape, pair.second->axes.weights);
    const std::vector<size_t> inputs = InputsOf(pair);
    std::vector<double> largest(
        static_cast<size_t>(weights.shape[static_cast<size_t>(pair.second->axes.weights)]));
    const auto scaled = [&](size_t i) {
      return std::abs(static_cast<double>(values[i])) * scales[inputs[i]];
    };
    for (size_t i = 0; i < values.size(); ++i) {
      largest[columns[i]] = std::max(largest[columns[i]], scaled(i));
    }
    std::vector<double> noise(largest.size()), signal(largest.size());
    for (size_t i = 0; i < values.size(); ++i) {
      const double weight = scaled(i), off = largest[columns[i]] / kWeightSteps;
      const double square = seen.squares[inputs[i]] / std::pow(scales[inputs[i]], 2);
      noise[columns[i]] += weight * weight * step * step + off * off * square;
      signal[columns[i]] += weight * weight * square;
    }
    double logs = 0, count = 0;
    for (size_t o = 0; o < noise.size(); ++o) {
      if (!IsPositive(signal[o]) || !IsPositive(noise[o])) continue;
      logs += std::log(noise[o] / signal[o]);
      ++count;
    }
    return count == 0 ? 0 : std::exp(logs / count);
  }

  void Scale(ir::ConstantId id, const std::vector<size_t>& of, const std::vector<double>& factors) {
    const ir::Constant& old = module_.constants[id];
    std::vector<float> values = FloatsOf(old);
    for (size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<float>(static_cast<double>(values[i]) * factors[of[i]]);
    }
    module_.constants[id] = FloatConstant(old.shape, values);
  }

  void Divide(const QuantizedLayer& layer, const std::vector<double>& scales) {
    std::vector<double> inverse;
    for (const double scale : scales) inverse.push_back(1 / scale);
    const ir::ConstantId weights = WeightsIdOf(layer);
    Scale(weights, ChannelsOf(WeightsOf(layer).shape, layer.axes.weights), inverse);
    if (!layer.bias) return;
    // A bias has one element per channel.
    std::vector<size_t> of(scales.size());
    for (size_t c = 0; c < of.size(); ++c) of[c] = c;
    Scale(*layer.bias, of, inverse);
  }

  void Multiply(const QuantizedLayer& layer, const std::vector<double>& scales) {
    for (const LayerPair& pair : pairs_) {
      if (pair.second == &layer) Scale(WeightsIdOf(layer), InputsOf(pair), scales);
    }
  }

  const FloatNetwork& network_;
  ir::Module module_;
  const absl::flat_hash_map<ValueId, const ir::Call*> calls_;
  std::vector<LayerPair> pairs_;
  absl::flat_hash_map<ValueId, ChannelValues> channels_;
};

}  // namespace

absl::StatusOr<ir::Module> EqualizeChannels(const FloatNetwork& network,
                                            const NetworkLayers& layers,
                                            const std::vector<Sample>& samples, Diagnostics& diags,
                                            const ProgressCallback& report) {
  Equalization equalization(network, layers);
  LATHE_RETURN_IF_ERROR(equalization.Observe(samples, diags, report));
  return equalization.Apply();
}

}  // namespace lathe::transform

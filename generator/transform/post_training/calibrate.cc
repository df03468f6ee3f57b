#include "generator/transform/post_training/calibrate.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/support/status.h"
#include "generator/transform/post_training/float_constant.h"

namespace lathe::transform {
namespace {

void AddChannelSums(const interp::Tensor& tensor, int axis, std::vector<double>& sums) {
  if (axis < 0 || axis >= tensor.ndim()) return;
  int64_t inner = 1;
  for (int a = axis + 1; a < tensor.ndim(); ++a) inner *= tensor.shape[static_cast<size_t>(a)];
  const int64_t channels = tensor.shape[static_cast<size_t>(axis)];
  sums.resize(static_cast<size_t>(channels));
  const std::vector<float> values = FloatsOf(tensor);
  const auto each =
      static_cast<double>(channels) / static_cast<double>(std::max<size_t>(values.size(), 1));
  int64_t i = 0;
  for (const float value : values) {
    sums[static_cast<size_t>(i / inner % channels)] += static_cast<double>(value) * each;
    ++i;
  }
}

}  // namespace

void SayTenths(const SayProgress& say, absl::string_view what, size_t done, size_t total) {
  constexpr size_t kFew = 20;
  if (!say || total < kFew || done * 10 / total == (done - 1) * 10 / total) return;
  say(absl::StrCat(what, ": ", done, " of ", total, " samples"));
}

absl::StatusOr<Observations> Calibrate(const FloatNetwork& network, const NetworkLayers& layers,
                                       const std::vector<Sample>& samples, Diagnostics& diags,
                                       const SayProgress& say) {
  absl::flat_hash_set<ir::ValueId> taps(layers.points.begin(), layers.points.end());
  absl::flat_hash_map<ir::ValueId, int> sum_axes;  // of the inputs of products
  for (const QuantizedLayer& layer : layers.layers) {
    if (layer.kind == LayerKind::kProduct) sum_axes[layer.inputs[0]] = layer.axes.input;
  }
  SampleRunner runner(network.ir, network.module, network.function, std::move(taps));
  Observations out;
  for (size_t s = 0; s < samples.size(); ++s) {
    LATHE_RETURN_IF_ERROR(runner.Run(samples[s], diags).status());
    for (const auto& [id, tensor] : runner.tensors()) {
      Observation& seen = out[id];
      if (!layers.moved_from.contains(id)) seen.range.Add(*tensor);
      const auto axis = sum_axes.find(id);
      if (axis != sum_axes.end()) AddChannelSums(*tensor, axis->second, seen.channel_means);
    }
    SayTenths(say, "calibrating", s + 1, samples.size());
  }
  for (auto& [id, seen] : out) {
    for (double& mean : seen.channel_means) mean /= static_cast<double>(samples.size());
    if (seen.range.is_finite()) continue;
    return diags.Unsupported(network.module.values[id].loc, "quantize-not-finite")
           << "'" << network.module.values[id].name
           << "' has values on the calibration data that are not finite";
  }
  return out;
}

}  // namespace lathe::transform

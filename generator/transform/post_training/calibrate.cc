#include "generator/transform/post_training/calibrate.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "generator/ir/each_body.h"
#include "generator/support/status.h"

namespace lathe::transform {

void ReportTenths(const ProgressCallback& report, absl::string_view what, size_t done,
                  size_t total) {
  constexpr size_t kFew = 20;
  if (!report || total < kFew || done * 10 / total == (done - 1) * 10 / total) return;
  report(absl::StrCat(what, ": ", done, " of ", total, " samples"));
}

absl::flat_hash_map<ir::ValueId, const ir::Call*> CallsOf(const FloatNetwork& network) {
  absl::flat_hash_map<ir::ValueId, const ir::Call*> calls;
  const ir::Function& function = *network.module.globals[network.function].function();
  ForEachBinding(function.body, [&](const ir::Block&, const ir::Binding& binding) {
    if (const auto* call = std::get_if<ir::Call>(&binding.rhs)) calls[binding.var] = call;
  });
  return calls;
}

absl::StatusOr<Observations> Calibrate(const FloatNetwork& network, const NetworkLayers& layers,
                                       const std::vector<ir::ValueId>& finite,
                                       const std::vector<Sample>& samples, bool with_moments,
                                       Diagnostics& diags, const ProgressCallback& report) {
  absl::flat_hash_set<ir::ValueId> recorded(layers.points.begin(), layers.points.end());
  Observations out;
  absl::flat_hash_map<ir::ValueId, std::vector<ir::ValueId>> products;  // by their inputs
  if (with_moments) {
    const auto calls = CallsOf(network);
    for (const QuantizedLayer& layer : layers.layers) {
      if (layer.kind != LayerKind::kProduct) continue;
      products[layer.inputs[0]].push_back(layer.core);
      out.moments.emplace(layer.core,
                          InputMoments(ProductView(network.module, *calls.at(layer.core))));
    }
  }
  SampleRunner runner(network.ir, network.module, network.function, std::move(recorded));
  for (size_t s = 0; s < samples.size(); ++s) {
    LATHE_RETURN_IF_ERROR(runner.Run(samples[s], diags).status());
    for (const auto& [id, tensor] : runner.tensors()) {
      out.ranges[id].Add(*tensor);
      const auto readers = products.find(id);
      if (readers == products.end()) continue;
      for (ir::ValueId core : readers->second) out.moments.at(core).Add(*tensor);
    }
    ReportTenths(report, "calibrating", s + 1, samples.size());
  }
  for (ir::ValueId point : layers.points) {
    const auto seen = out.ranges.find(point);
    if (seen == out.ranges.end() || seen->second.is_finite()) continue;
    if (!absl::c_linear_search(finite, point)) {
      out.ranges.erase(seen);
      continue;
    }
    return diags.Unsupported(network.module.values[point].loc, "quantize-not-finite")
           << "'" << network.module.values[point].name
           << "' has values on the calibration data that are not finite";
  }
  return out;
}

}  // namespace lathe::transform

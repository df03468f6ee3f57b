#include "generator/driver/cli/render_quantization.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "nlohmann/json.hpp"

namespace lathe::driver {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kWorst = 3;

const char* MethodName(transform::RangeMethod method) {
  switch (method) {
    case transform::RangeMethod::kMinMax:
      return "min-max";
    case transform::RangeMethod::kPercentile:
      return "percentile";
    case transform::RangeMethod::kEntropy:
      return "entropy";
    case transform::RangeMethod::kSquaredError:
      return "mse";
  }
  return "";
}

const char* MetricName(LossMetric metric) {
  switch (metric) {
    case LossMetric::kMse:
      return "mse";
    case LossMetric::kCosine:
      return "cosine";
    case LossMetric::kTop1:
      return "top1";
  }
  return "";
}

std::string Decibels(double sqnr) {
  return sqnr >= transform::kExactSqnr ? "exact" : absl::StrFormat("%.1f dB", sqnr);
}

// The quantized layers that compute, the lowest ratio first.
std::vector<const LayerResult*> WorstFirst(const QuantizeResult& result) {
  std::vector<const LayerResult*> layers;
  for (const LayerResult& layer : result.layers) {
    if (layer.quantized && !layer.moves) layers.push_back(&layer);
  }
  std::stable_sort(layers.begin(), layers.end(),
                   [](const LayerResult* a, const LayerResult* b) { return a->sqnr < b->sqnr; });
  return layers;
}

size_t CountQuantized(const QuantizeResult& result) {
  return static_cast<size_t>(
      std::count_if(result.layers.begin(), result.layers.end(),
                    [](const LayerResult& layer) { return layer.quantized; }));
}

double Share(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

void AppendMemory(const QuantizeRequest& request, const QuantizeResult& result, std::string& out) {
  if (result.memory) {
    absl::StrAppend(&out, "compiled for ", request.limits.target->name, ": ",
                    result.memory->weights, " bytes of weights, ", result.memory->ram,
                    " bytes of RAM\n");
  }
}

// Appends what the comparison with the float network on the samples shows.
void AppendOutputs(const QuantizeRequest& request, const QuantizeResult& result, std::string& out) {
  const transform::Comparison& c = result.comparison;
  const bool others = result.compared != result.samples;
  if (result.compared == 0) return AppendMemory(request, result, out);
  absl::StrAppendFormat(&out, "outputs%s: SQNR %s, cosine %.6f, same largest index in %.2f %%\n",
                        others ? absl::StrCat(" on ", result.compared, " samples") : "",
                        Decibels(c.outputs.sqnr()), c.outputs.cosine(),
                        100 * Share(c.agreeing, c.samples));
  if (result.has_labels) {
    absl::StrAppendFormat(&out, "accuracy: %.2f %% in float32, %.2f %% quantized\n",
                          100 * Share(c.float_correct, c.samples),
                          100 * Share(c.quantized_correct, c.samples));
  }
  std::vector<std::string> worst;
  for (const LayerResult* layer : WorstFirst(result)) {
    if (worst.size() == kWorst) break;
    worst.push_back(absl::StrCat(layer->name, " (", Decibels(layer->sqnr), ")"));
  }
  if (!worst.empty()) absl::StrAppend(&out, "lowest SQNR: ", absl::StrJoin(worst, ", "), "\n");
  AppendMemory(request, result, out);
  if (request.max_loss && result.loss <= *request.max_loss) {
    absl::StrAppend(&out, "loss (", MetricName(request.metric), "): ", result.loss,
                    ", within --max-loss ", *request.max_loss, "\n");
  }
}

// Returns "int8 per channel", of the weights that are quantized.
std::string DescribeWeights(const QuantizeResult& result) {
  std::set<std::string> forms;
  for (const LayerResult& layer : result.layers) {
    if (!layer.quantized || !layer.weights) continue;
    const LayerWeights& w = *layer.weights;
    forms.insert(absl::StrCat(
        "int", w.bits,
        w.block == 0 ? " per channel"
                     : absl::StrCat(" in blocks of ", w.block, " (products in float32)")));
  }
  return absl::StrJoin(forms, " and ");
}

// The report of layers of which only the weights are quantized.
std::string RenderWeights(const QuantizeRequest& request, const QuantizeResult& result) {
  size_t name_width = 5, op_width = 8;
  for (const LayerResult& layer : result.layers) {
    name_width = std::max(name_width, layer.name.size());
    op_width = std::max(op_width, layer.op.size());
  }
  const auto name = static_cast<int>(name_width), op = static_cast<int>(op_width);
  std::string out =
      absl::StrFormat("%-*s  %-*s  %16s  %7s  %7s  %10s  %10s  %9s\n", name, "layer", op,
                      "operator", "shape", "weights", "block", "bytes", "SQNR", "of result");
  uint64_t bytes = 0, float_bytes = 0;
  for (const LayerResult& layer : result.layers) {
    const LayerWeights& w = *layer.weights;
    const std::string shape = absl::StrCat("(", absl::StrJoin(w.shape, ", "), ")");
    absl::StrAppendFormat(&out, "%-*s  %-*s  %16s  ", name, layer.name, op, layer.op, shape);
    float_bytes += w.float_bytes;
    bytes += layer.quantized ? w.bytes : w.float_bytes;
    if (!layer.quantized) {
      absl::StrAppendFormat(&out, "%7s  %7s  %10d\n", "float32", "", w.float_bytes);
      continue;
    }
    absl::StrAppendFormat(&out, "%7s  %7s  %10d  %10s  %9s\n", absl::StrCat("int", w.bits),
                          w.block == 0 ? "channel" : absl::StrCat(w.block), w.bytes,
                          Decibels(w.sqnr), result.compared == 0 ? "" : Decibels(layer.sqnr));
  }
  absl::StrAppendFormat(&out, "\nweights of %d of %d layers in integers: %d bytes, %d in float32\n",
                        CountQuantized(result), result.layers.size(), bytes, float_bytes);
  AppendOutputs(request, result, out);
  return out;
}

}  // namespace

std::string RenderQuantization(const QuantizeRequest& request, const QuantizeResult& result) {
  if (request.scheme.weights_only()) return RenderWeights(request, result);
  size_t name_width = 5, op_width = 8;
  for (const LayerResult& layer : result.layers) {
    name_width = std::max(name_width, layer.name.size());
    op_width = std::max(op_width, layer.op.size());
  }
  const auto name = static_cast<int>(name_width), op = static_cast<int>(op_width);
  std::string out = absl::StrFormat("%-*s  %-*s  %12s  %12s  %12s  %9s\n", name, "layer", op,
                                    "operator", "low", "high", "scale", "SQNR");
  for (const LayerResult& layer : result.layers) {
    absl::StrAppendFormat(&out, "%-*s  %-*s  %12.5g  %12.5g  ", name, layer.name, op, layer.op,
                          layer.range.low, layer.range.high);
    if (layer.quantized) {
      absl::StrAppendFormat(&out, "%12.5g  %9s\n", static_cast<double>(layer.scale.scale),
                            Decibels(layer.sqnr));
    } else {
      absl::StrAppendFormat(&out, "%12s  %9s\n", "float32", "");
    }
  }
  const std::string weights = DescribeWeights(result);
  absl::StrAppendFormat(&out, "\n%d of %d layers in %s%s; ranges by %s on %d samples\n",
                        CountQuantized(result), result.layers.size(),
                        ToString(request.scheme.activations),
                        weights.empty() ? "" : absl::StrCat(", weights ", weights),
                        MethodName(request.scheme.range.method), result.samples);
  AppendOutputs(request, result, out);
  return out;
}

std::string RenderQuantizationAsJson(const QuantizeRequest& request, const QuantizeResult& result) {
  const transform::Comparison& c = result.comparison;
  const transform::QuantizationScheme& scheme = request.scheme;
  Json out = {{"schema_version", 1}, {"activations", ToString(scheme.activations)}};
  out["weights"] = absl::StrCat("int", scheme.weight_bits);
  if (scheme.weights_only() || scheme.block > 0) out["block"] = scheme.block;
  if (!scheme.weights_only()) {
    out["calibrate"] = MethodName(scheme.range.method);
  }
  out["samples"] = result.samples;
  out["compared_samples"] = result.compared;
  if (result.memory) {
    out["memory"] = {{"weights_bytes", result.memory->weights}, {"ram_bytes", result.memory->ram}};
  }
  out["metric"] = MetricName(request.metric);
  out["loss"] = result.loss;
  out["outputs"] = {{"sqnr_db", c.outputs.sqnr()},
                    {"cosine", c.outputs.cosine()},
                    {"agreement", Share(c.agreeing, c.samples)}};
  if (result.has_labels) {
    out["outputs"]["float_accuracy"] = Share(c.float_correct, c.samples);
    out["outputs"]["quantized_accuracy"] = Share(c.quantized_correct, c.samples);
  }
  out["layers"] = Json::array();
  for (const LayerResult& layer : result.layers) {
    Json one = {{"name", layer.name},           {"operator", layer.op},
                {"quantized", layer.quantized}, {"low", layer.range.low},
                {"high", layer.range.high},     {"histogram", layer.histogram}};
    if (layer.weights && layer.quantized) {
      const LayerWeights& w = *layer.weights;
      one["weights"] = {{"shape", w.shape},
                        {"bits", w.bits},
                        {"block", w.block},
                        {"bytes", w.bytes},
                        {"sqnr_db", w.sqnr}};
    }
    if (layer.quantized && scheme.weights_only()) {
      one["sqnr_db"] = layer.sqnr;
    } else if (layer.quantized) {
      one["scale"] = layer.scale.scale;
      one["zero_point"] = layer.scale.zero;
      one["sqnr_db"] = layer.sqnr;
    }
    out["layers"].push_back(std::move(one));
  }
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lathe::driver

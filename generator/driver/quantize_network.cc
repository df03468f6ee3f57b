#include "generator/driver/quantize_network.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "generator/driver/graph_passes.h"
#include "generator/driver/layer_weights.h"
#include "generator/driver/loss_metric.h"
#include "generator/driver/order_moves.h"
#include "generator/ir/each_body.h"
#include "generator/ir/op.h"
#include "generator/ir/verify_graph.h"
#include "generator/support/closest_name.h"
#include "generator/support/status.h"
#include "generator/transform/post_training/constant_values.h"
#include "generator/transform/post_training/equalize_channels.h"
#include "generator/transform/post_training/insert_weights.h"
#include "generator/transform/rederive_info.h"
#include "generator/writer/onnx/write_onnx.h"

namespace lathe::driver {
namespace {

using transform::QuantizedLayer;

constexpr size_t kReportedBins = 32;

// A quantized version of the network and its deviation.
struct Trial {
  ir::Module module;
  absl::flat_hash_map<ir::ValueId, ir::ValueId> dequantized;
  transform::Comparison comparison;
  double loss = 0;
};

class NetworkQuantizer {
 public:
  NetworkQuantizer(const transform::FloatNetwork& network, const NetworkSamples& data,
                   const QuantizeRequest& request, Diagnostics& diags,
                   const transform::ProgressCallback& report)
      : network_(network), data_(data), request_(request), diags_(diags), report_(report) {}

  absl::StatusOr<QuantizeResult> Run() {
    LATHE_RETURN_IF_ERROR(CheckFloat());
    all_ = Layers({});
    LATHE_RETURN_IF_ERROR(CheckKept());
    const bool has_arithmetic = absl::c_any_of(all_.layers, [](const QuantizedLayer& layer) {
      return layer.kind != transform::LayerKind::kMove;
    });
    if (!has_arithmetic) {
      return diags_.Unsupported(network_.module.globals[network_.function].loc,
                                "quantize-no-layers")
             << "no operator can be quantized: '" << network_.module.globals[network_.function].name
             << "' has no float32 "
             << (request_.scheme.weights_only()
                     ? "convolution or matrix product with constant weights"
                     : "convolution, matrix product, sum, pool or activation");
    }
    absl::flat_hash_set<std::string> keep(request_.keep.begin(), request_.keep.end());
    const auto layers = Layers(keep);
    LATHE_RETURN_IF_ERROR(CheckConstants(layers));
    LATHE_ASSIGN_OR_RETURN(observations_,
                           Calibrate(network_, all_, layers.points, data_.calibration.samples,
                                     request_.scheme.needs_moments(), diags_, report_));
    if (request_.limits.has_any()) return FitMemory(std::move(keep));
    plan_ = PlanQuantization(network_, layers, observations_, request_.scheme);
    LATHE_ASSIGN_OR_RETURN(Trial trial, Try(plan_, keep, data_.compared(), report_));
    if (request_.max_loss && !(trial.loss <= *request_.max_loss)) {
      LATHE_RETURN_IF_ERROR(KeepSensitive(keep, trial));
    }
    return Result(std::move(trial), keep);
  }

 private:
  const ir::Function& function() const {
    return *network_.module.globals[network_.function].function();
  }

  transform::NetworkLayers Layers(const absl::flat_hash_set<std::string>& keep) const {
    transform::NetworkLayers found = transform::FindLayers(network_.module, function(), keep);
    return request_.scheme.weights_only() ? OnlyProducts(std::move(found)) : found;
  }

  absl::Status CheckFloat() {
    const ir::Binding* quantized = nullptr;
    ForEachBinding(function().body, [&](const ir::Block&, const ir::Binding& binding) {
      const auto* call = std::get_if<ir::Call>(&binding.rhs);
      if (quantized != nullptr || call == nullptr || call->op() == nullptr) return;
      if (call->op()->name == "relax.quantize") quantized = &binding;
    });
    if (quantized == nullptr) return absl::OkStatus();
    return diags_.Unsupported(quantized->loc, "quantize-already-quantized")
           << "'" << network_.module.values[quantized->var].name
           << "' is quantized already: a float model is required";
  }

  absl::Status CheckKept() const {
    std::vector<absl::string_view> names;
    for (const QuantizedLayer& layer : all_.layers) names.push_back(layer.name);
    for (const std::string& name : request_.keep) {
      if (absl::c_linear_search(names, name)) continue;
      return absl::InvalidArgumentError(
          absl::StrCat("no layer is named '", name, "'", DidYouMean(name, names)));
    }
    return absl::OkStatus();
  }

  // Integers represent no infinity and no NaN.
  absl::Status CheckConstants(const transform::NetworkLayers& layers) {
    const auto calls = CallsOf(network_);
    for (const QuantizedLayer& layer : layers.layers) {
      if (layer.kind == transform::LayerKind::kMove) continue;
      for (const ir::ValueId id : {layer.core, layer.sum.value_or(layer.core)}) {
        const auto call = calls.find(id);
        if (call == calls.end() || HasFiniteConstants(*call->second)) continue;
        return NotFinite(id, absl::StrCat("a constant of '", layer.name, "'"));
      }
    }
    return absl::OkStatus();
  }

  bool HasFiniteConstants(const ir::Call& call) const {
    bool finite = true;
    for (const ir::Operand& arg : call.args) {
      ForEachLeaf(arg, [&](const ir::Operand& leaf) {
        const auto* id = leaf.As<ir::ConstantId>();
        if (id == nullptr || network_.module.constants[*id].dtype != ir::DType::Float(32)) return;
        for (const float value : transform::FloatsOf(network_.module.constants[*id])) {
          finite &= std::isfinite(value);
        }
      });
    }
    return finite;
  }

  absl::Status NotFinite(ir::ValueId at, absl::string_view what) {
    return diags_.Unsupported(network_.module.values[at].loc, "quantize-not-finite")
           << what << " has values that are not finite";
  }

  absl::StatusOr<Trial> Try(const transform::QuantizationPlan& whole,
                            const absl::flat_hash_set<std::string>& keep,
                            const CalibrationData& data,
                            const transform::ProgressCallback& report) {
    const auto plan = RestrictPlan(whole, Layers(keep));
    Trial trial{network_.module, {}, {}, 0};
    if (request_.scheme.weights_only()) {
      LATHE_ASSIGN_OR_RETURN(trial.dequantized,
                             InsertWeights(plan, network_.function, network_.ir, trial.module));
    } else {
      LATHE_ASSIGN_OR_RETURN(trial.dequantized, InsertQuantization(plan, network_.function,
                                                                   network_.ir, trial.module));
    }
    transform::RederiveInfo(network_.ir, trial.module, diags_);
    if (diags_.has_errors()) return absl::InternalError("the quantized network has errors");
    ir::VerifyGraph(trial.module, "insert_quantization");
    LATHE_ASSIGN_OR_RETURN(trial.comparison,
                           CompareLayers(network_, {trial.module, trial.dequantized}, data.samples,
                                         data.labels, diags_, report));
    const transform::Deviation& outputs = trial.comparison.outputs;
    if (!std::isfinite(outputs.signal) || !std::isfinite(outputs.noise)) {
      return diags_.Unsupported(network_.module.globals[network_.function].loc,
                                "quantize-not-finite")
             << "a result of '" << network_.module.globals[network_.function].name
             << "' has values on the calibration data that are not finite";
    }
    trial.loss = LossOf(trial.comparison, request_.metric, !data.labels.empty());
    return trial;
  }

  // Raises the bits of the layers whose quantization alone costs most, one after the other, until
  // the loss is small enough: first weights of 4 bits to 8, then layers to float32.
  absl::Status KeepSensitive(absl::flat_hash_set<std::string>& keep, Trial& trial) {
    std::vector<const QuantizedLayer*> layers;
    for (const QuantizedLayer& layer : all_.layers) {
      if (layer.kind != transform::LayerKind::kMove && !keep.contains(layer.name)) {
        layers.push_back(&layer);
      }
    }
    const CalibrationData few = RankingSamples();
    std::vector<std::pair<double, const QuantizedLayer*>> ranked;
    for (size_t i = 0; i < layers.size(); ++i) {
      LATHE_ASSIGN_OR_RETURN(const double loss, LossAlone(plan_, *layers[i], few));
      ranked.emplace_back(loss, layers[i]);
      ReportLayers("sensitivity", i + 1, layers.size());
    }
    absl::c_stable_sort(ranked, [](const auto& a, const auto& b) { return a.first > b.first; });
    LATHE_RETURN_IF_ERROR(WidenSensitive(ranked, keep, trial));
    for (size_t i = 0; i < ranked.size() && !(trial.loss <= *request_.max_loss); ++i) {
      keep.insert(ranked[i].second->name);
      LATHE_ASSIGN_OR_RETURN(trial, Try(plan_, keep, data_.compared(), nullptr));
      ReportLayers("left in float32", i + 1, ranked.size());
    }
    return absl::OkStatus();
  }

  // Gives weights of fewer bits 8 bits, layer by layer, until the loss is small enough.
  absl::Status WidenSensitive(const std::vector<std::pair<double, const QuantizedLayer*>>& ranked,
                              const absl::flat_hash_set<std::string>& keep, Trial& trial) {
    if (request_.scheme.weight_bits == 8) return absl::OkStatus();
    transform::QuantizationScheme scheme = request_.scheme;
    scheme.weight_bits = 8;
    const auto wide = PlanQuantization(network_, Layers(keep), observations_, scheme);
    for (size_t i = 0; i < ranked.size() && !(trial.loss <= *request_.max_loss); ++i) {
      if (!TakeWeights(wide, *ranked[i].second)) continue;
      LATHE_ASSIGN_OR_RETURN(trial, Try(plan_, keep, data_.compared(), nullptr));
      ReportLayers("weights in int8", i + 1, ranked.size());
    }
    return absl::OkStatus();
  }

  // Gives a layer the weights and the bias of another plan. Returns false if it has no weights.
  bool TakeWeights(const transform::QuantizationPlan& from, const QuantizedLayer& layer) {
    const auto weights = from.weights.find(layer.core);
    if (weights == from.weights.end()) return false;
    plan_.weights[layer.core] = weights->second;
    const auto bias = from.biases.find(layer.core);
    if (bias != from.biases.end()) plan_.biases[layer.core] = bias->second;
    return true;
  }

  // A few samples rank the layers; all of them judge the result.
  CalibrationData RankingSamples() const {
    constexpr size_t kRankingSamples = 8;
    CalibrationData few = data_.compared();
    if (few.samples.size() > kRankingSamples) few.samples.resize(kRankingSamples);
    return few;
  }

  // Returns the names of all layers but `layer`, and of those that the request keeps.
  absl::flat_hash_set<std::string> AllBut(const std::string& layer) const {
    absl::flat_hash_set<std::string> others(request_.keep.begin(), request_.keep.end());
    for (const QuantizedLayer& one : all_.layers) {
      if (one.name != layer && one.kind != transform::LayerKind::kMove) others.insert(one.name);
    }
    return others;
  }

  // Returns the loss that quantization of one layer by `plan` causes. Without samples, it is that
  // of its weights.
  absl::StatusOr<double> LossAlone(const transform::QuantizationPlan& plan,
                                   const QuantizedLayer& layer, const CalibrationData& few) {
    if (few.samples.empty()) {
      return std::pow(10, -WeightsResult(network_, layer, plan.weights.at(layer.core)).sqnr / 10);
    }
    LATHE_ASSIGN_OR_RETURN(const Trial alone, Try(plan, AllBut(layer.name), few, nullptr));
    return alone.comparison.outputs.share();
  }

  // Returns the moves of all layers to 8 bits and, where the request has them, to 4 bits.
  absl::StatusOr<std::vector<PrecisionMove>> Moves(
      const std::vector<transform::QuantizationPlan>& plans) {
    const CalibrationData few = RankingSamples();
    std::vector<PrecisionMove> moves;
    for (size_t i = 0; i < all_.layers.size(); ++i) {
      const QuantizedLayer& layer = all_.layers[i];
      const bool kept = absl::c_linear_search(request_.keep, layer.name);
      if (layer.kind == transform::LayerKind::kMove || kept) continue;
      double before = 0;
      int64_t bytes = 0;
      for (const transform::QuantizationPlan& plan : plans) {
        PrecisionMove move{i, plan.weight_bits};
        LATHE_ASSIGN_OR_RETURN(const double loss, LossAlone(plan, layer, few));
        move.loss = std::max(loss - before, 0.0);
        before = loss;
        const auto weights = plan.weights.find(layer.core);
        if (weights != plan.weights.end()) {
          const LayerWeights sizes = WeightsResult(network_, layer, weights->second);
          if (bytes == 0) bytes = static_cast<int64_t>(sizes.float_bytes);
          move.saved = bytes - static_cast<int64_t>(sizes.bytes);
          bytes = static_cast<int64_t>(sizes.bytes);
        }
        moves.push_back(move);
      }
      ReportLayers("sensitivity", i + 1, all_.layers.size());
    }
    return OrderMoves(std::move(moves), !request_.limits.weights);
  }

  absl::StatusOr<MemoryNeed> MemoryOf(const Trial& trial) {
    LATHE_ASSIGN_OR_RETURN(const std::string model,
                           onnx::WriteOnnx(network_.ir, trial.module, network_.function, diags_));
    return MeasureMemory(model, *request_.limits.target, diags_);
  }

  // Quantizes one layer after the other until the compiled model is within the limits.
  absl::StatusOr<QuantizeResult> FitMemory(absl::flat_hash_set<std::string> keep) {
    std::vector<transform::QuantizationPlan> plans;
    const auto layers = Layers(keep);
    for (const int bits : {8, 4}) {
      if (bits < request_.scheme.weight_bits) continue;
      transform::QuantizationScheme scheme = request_.scheme;
      scheme.weight_bits = bits;
      plans.push_back(PlanQuantization(network_, layers, observations_, scheme));
    }
    LATHE_ASSIGN_OR_RETURN(const std::vector<PrecisionMove> moves, Moves(plans));
    keep = AllBut("");
    plan_ = plans[0];
    LATHE_ASSIGN_OR_RETURN(Trial trial, Try(plan_, keep, {}, nullptr));
    LATHE_ASSIGN_OR_RETURN(MemoryNeed need, MemoryOf(trial));
    for (size_t i = 0; i < moves.size() && !request_.limits.Fit(need); ++i) {
      const QuantizedLayer& layer = all_.layers[moves[i].layer];
      keep.erase(layer.name);
      const auto plan =
          absl::c_find_if(plans, [&](const auto& one) { return one.weight_bits == moves[i].bits; });
      TakeWeights(*plan, layer);
      LATHE_ASSIGN_OR_RETURN(trial, Try(plan_, keep, {}, nullptr));
      LATHE_ASSIGN_OR_RETURN(need, MemoryOf(trial));
      ReportLayers("fitting", i + 1, moves.size());
    }
    LATHE_ASSIGN_OR_RETURN(trial, Try(plan_, keep, data_.compared(), report_));
    QuantizeResult result = Result(std::move(trial), keep);
    result.memory = need;
    return result;
  }

  // Reports about ten times.
  void ReportLayers(absl::string_view what, size_t done, size_t total) const {
    if (!report_ || done * 10 / total == (done - 1) * 10 / total) return;
    report_(absl::StrCat(what, ": ", done, " of ", total, " layers"));
  }

  QuantizeResult Result(Trial trial, const absl::flat_hash_set<std::string>& keep) const {
    QuantizeResult out;
    const auto kept = Layers(keep);
    const auto plan = RestrictPlan(plan_, kept);
    for (const QuantizedLayer& layer : all_.layers) {
      LayerResult result;
      result.name = layer.name;
      result.op = layer.op;
      result.moves = layer.kind == transform::LayerKind::kMove;
      result.quantized = absl::c_any_of(
          kept.layers, [&](const QuantizedLayer& one) { return one.result == layer.result; });
      const auto source = all_.moved_from.find(layer.result);
      const ir::ValueId seen = source == all_.moved_from.end() ? layer.result : source->second;
      const auto found = observations_.ranges.find(seen);
      if (found != observations_.ranges.end()) {
        result.range = found->second.observed();
        result.histogram = found->second.Histogram(kReportedBins);
      }
      const auto scale = plan.scales.find(layer.result);
      if (scale != plan.scales.end()) result.scale = scale->second;
      const auto weights = plan.weights.find(layer.core);
      if (weights != plan.weights.end()) {
        result.weights = WeightsResult(network_, layer, weights->second);
      }
      const auto deviation = trial.comparison.points.find(layer.result);
      result.sqnr = deviation == trial.comparison.points.end() ? transform::kExactSqnr
                                                               : deviation->second.sqnr();
      out.layers.push_back(std::move(result));
    }
    out.module = std::move(trial.module);
    out.comparison = std::move(trial.comparison);
    out.loss = trial.loss;
    out.samples = data_.calibration.samples.size();
    out.compared = data_.compared().samples.size();
    out.has_labels = !data_.compared().labels.empty();
    return out;
  }

  const transform::FloatNetwork& network_;
  const NetworkSamples& data_;
  const QuantizeRequest& request_;
  Diagnostics& diags_;
  const transform::ProgressCallback& report_;
  transform::NetworkLayers all_;
  transform::Observations observations_;
  transform::QuantizationPlan plan_;  // of all layers
};

}  // namespace

absl::Status PrepareForQuantization(ir::Context& context, ir::Module& module, Diagnostics& diags) {
  PassContext passes{context, diags};
  return ApplyPasses(passes,
                     "inline_private_functions,canonicalize_bindings,fold_constants,"
                     "move_channels_first,fold_affine,dead_code_elimination",
                     module);
}

absl::StatusOr<QuantizeResult> QuantizeNetwork(ir::Context& context, const ir::Module& module,
                                               ir::GlobalId function, const NetworkSamples& data,
                                               const QuantizeRequest& request, Diagnostics& diags,
                                               const transform::ProgressCallback& report) {
  const transform::FloatNetwork network{context, module, function};
  if (!request.equalize || request.scheme.weights_only()) {
    return NetworkQuantizer(network, data, request, diags, report).Run();
  }
  const absl::flat_hash_set<std::string> keep(request.keep.begin(), request.keep.end());
  const auto layers = transform::FindLayers(module, *module.globals[function].function(), keep);
  LATHE_ASSIGN_OR_RETURN(
      const ir::Module equalized,
      EqualizeChannels(network, layers, data.calibration.samples, diags, report));
  return NetworkQuantizer({context, equalized, function}, data, request, diags, report).Run();
}

}  // namespace lathe::driver

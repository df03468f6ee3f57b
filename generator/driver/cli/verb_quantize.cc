#include "generator/driver/cli/verb_quantize.h"

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "generator/driver/cli/render_quantization.h"
#include "generator/driver/cli/write_result.h"
#include "generator/driver/load_program.h"
#include "generator/driver/options/model_options.h"
#include "generator/driver/options/parse_bytes.h"
#include "generator/driver/options/read_source.h"
#include "generator/driver/options/target_option.h"
#include "generator/driver/quantize_network.h"
#include "generator/ir/print/print_tvmscript.h"
#include "generator/support/closest_name.h"
#include "generator/support/status.h"
#include "generator/writer/onnx/write_onnx.h"

namespace lathe::driver {
namespace {

constexpr absl::string_view kMetrics[] = {"mse", "cosine", "top1"};
constexpr int64_t kDefaultBlock = 32;
constexpr int64_t kMinBlock = 2;
constexpr int64_t kMaxBlock = int64_t{1} << 20;

constexpr Option kQuantizeOptions[] = {
    {"--data", 0, "DATA",
     "calibration samples: an .npz file with an array for each input, samples along the first "
     "axis; "
     "a folder of such files; or random:seed=N,samples=N"},
    {"--activations", 0, "int8|uint8|int16|float",
     "the integers between layers (int8); float quantizes only weights, and needs no data"},
    {"--weights", 0, "int8|int4", "the integers of weights (int8)"},
    {"--block", 0, "N",
     "the elements of weights that share a scale, along the axis that is summed; 0: all of a "
     "channel "
     "(32 for --activations float, otherwise 0: products of blocks compute in float32)"},
    {"--calibrate", 0, "min-max|percentile|entropy|mse",
     "the range of values that the integers cover: all, all but --percentile, or that of the least "
     "divergence or squared error (mse)"},
    {"--percentile", 0, "P",
     "the share of values in the range, for --calibrate percentile (99.99)"},
    {"--rounding", 0, "nearest|adaptive",
     "round weights to the nearest integers, or so that the error of the products is small "
     "(adaptive)"},
    {"--bias", 0, "given|corrected",
     "biases as given, or corrected by the mean error of the rounded weights (corrected)"},
    {"--equalize", 0, "on|off",
     "move scales between consecutive layers, so that channels have similar ranges (on)"},
    {"--keep", 0, "LAYER,...", "leave these layers in float32"},
    {"--max-loss", 0, "LOSS",
     "leave the most sensitive layers in float32 until the loss is at most this: 1%"},
    {"--max-flash", 0, "BYTES",
     "quantize as few layers, to as many bits, as the weights of the compiled model need to fit: "
     "64K"},
    {"--max-ram", 0, "BYTES", "the same for arena, inputs and outputs"},
    {"--target", 't', "TARGET",
     "the processor that --max-flash and --max-ram are for (generic-c99)"},
    {"--metric", 0, "METRIC",
     "the loss: mse, the relative squared error of the outputs; cosine, one minus their cosine; "
     "top1, the share of samples that change their class; or FILE, the accuracy that is lost on "
     "its "
     "samples with labels (mse)"},
    {"--func", 0, "NAME", "the function to quantize (main)"},
    {"--dim", 'D', "NAME=N", "the model for this size of a shape variable"},
    kOutputsOption,
    kIoOption,
    kTapOption,
    kLikeOption,
    {"--output", 'o', "FILE",
     "write the quantized model: ONNX, or Relax for a name in .py; - writes ONNX to standard "
     "output "
     "instead of the report"},
};

absl::StatusOr<double> ReadNumber(absl::string_view option, absl::string_view text, double low,
                                  double high) {
  double value = 0;
  if (!absl::SimpleAtod(text, &value) || !(value >= low && value <= high)) {
    return absl::InvalidArgumentError(absl::StrCat("option '", option, "' must be a number from ",
                                                   low, " to ", high, "; got '", text, "'"));
  }
  return value;
}

// A share, or a percentage with its sign.
absl::StatusOr<double> ReadLoss(absl::string_view text) {
  const bool percent = absl::ConsumeSuffix(&text, "%");
  LATHE_ASSIGN_OR_RETURN(const double value, ReadNumber("--max-loss", text, 0, 100));
  return percent ? value / 100 : value;
}

// Returns the name of the file that --metric names, or an empty text.
std::string MetricFile(const Arguments& args) {
  const absl::string_view metric = args.Value("--metric", "mse");
  return absl::c_linear_search(kMetrics, metric) ? "" : std::string(metric);
}

// Reads the options of weights, and checks those that depend on --activations.
absl::Status ReadWeights(const Arguments& args, transform::QuantizationScheme& scheme) {
  const bool only = scheme.weights_only();
  scheme.weight_bits = args.Value("--weights", "int8") == "int4" ? 4 : 8;
  for (const char* option : {"--calibrate", "--percentile", "--equalize"}) {
    if (!only || !args.Has(option)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("option '", option, "' is for activations in integers only"));
  }
  scheme.block = only ? kDefaultBlock : 0;
  if (!args.Has("--block")) return absl::OkStatus();
  const absl::string_view text = args.Value("--block");
  const bool read = absl::SimpleAtoi(text, &scheme.block);
  if (read && (scheme.block == 0 || (scheme.block >= kMinBlock && scheme.block <= kMaxBlock))) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat("option '--block' must be 0 or a number from ",
                                                 kMinBlock, " to ", kMaxBlock, "; got '", text,
                                                 "'"));
}

absl::StatusOr<MemoryLimits> ReadLimits(const Arguments& args) {
  MemoryLimits limits;
  for (const auto& [option, into] :
       {std::pair("--max-flash", &limits.weights), {"--max-ram", &limits.ram}}) {
    if (!args.Has(option)) continue;
    const auto bytes = ParseBytes(args.Value(option));
    if (!bytes.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("in option '", option, "', ", bytes.status().message()));
    }
    *into = *bytes;
  }
  if (args.Has("--target") && !limits.has_any()) {
    return absl::InvalidArgumentError("option '--target' is for '--max-flash' and '--max-ram'");
  }
  LATHE_ASSIGN_OR_RETURN(const ChosenTarget chosen, ReadTargetOption(args, "generic-c99"));
  if (chosen.gpus) {
    return absl::InvalidArgumentError(
        "options '--max-flash' and '--max-ram' are for processors, not for GPUs");
  }
  limits.target = chosen.target;
  return limits;
}

absl::StatusOr<QuantizeRequest> ReadRequest(const Arguments& args) {
  QuantizeRequest request;
  const absl::string_view activations = args.Value("--activations", "int8");
  request.scheme.activations = activations == "uint8"   ? ir::DType::UInt(8)
                               : activations == "int16" ? ir::DType::Int(16)
                               : activations == "float" ? ir::DType::Float(32)
                                                        : ir::DType::Int(8);
  LATHE_RETURN_IF_ERROR(ReadWeights(args, request.scheme));
  const absl::string_view method = args.Value("--calibrate", "mse");
  request.scheme.range.method = method == "min-max"      ? transform::RangeMethod::kMinMax
                                : method == "percentile" ? transform::RangeMethod::kPercentile
                                : method == "entropy"    ? transform::RangeMethod::kEntropy
                                                         : transform::RangeMethod::kSquaredError;
  if (args.Has("--percentile")) {
    if (method != "percentile") {
      return absl::InvalidArgumentError(
          "option '--percentile' is for '--calibrate percentile' only");
    }
    LATHE_ASSIGN_OR_RETURN(request.scheme.range.percentile,
                           ReadNumber("--percentile", args.Value("--percentile"), 50, 100));
  }
  request.scheme.adapt_rounding = args.Value("--rounding", "adaptive") == "adaptive";
  request.scheme.correct_bias = args.Value("--bias", "corrected") == "corrected";
  LATHE_ASSIGN_OR_RETURN(request.limits, ReadLimits(args));
  request.equalize = args.Value("--equalize", "on") == "on";
  for (absl::string_view list : args.Values("--keep")) {
    for (absl::string_view name : absl::StrSplit(list, ',', absl::SkipEmpty())) {
      request.keep.emplace_back(name);
    }
  }
  const absl::string_view metric = args.Value("--metric", "mse");
  request.metric = metric == "cosine" ? LossMetric::kCosine
                   : metric == "mse"  ? LossMetric::kMse
                                      : LossMetric::kTop1;
  if (args.Has("--max-loss")) {
    LATHE_ASSIGN_OR_RETURN(const double loss, ReadLoss(args.Value("--max-loss")));
    request.max_loss = loss;
  }
  return request;
}

absl::StatusOr<ir::GlobalId> FunctionToQuantize(const Arguments& args, const ir::Module& module) {
  return FindExported(module, std::string(args.Value("--func", "main")));
}

// Writes the model as the name of the file asks for.
ExitCode WriteQuantized(const Invocation& in, ir::Context& context, const ir::Module& module,
                        ir::GlobalId function) {
  const std::string path(in.args.Value("--output"));
  std::string bytes;
  if (absl::EndsWith(path, ".py")) {
    bytes = ir::PrintTvmScript(module, {});
  } else {
    Diagnostics diags;
    auto model = onnx::WriteOnnx(context, module, function, diags);
    if (!model.ok()) return in.report->Add(diags);
    bytes = *std::move(model);
  }
  return WriteResult(in, path, bytes);
}

// Returns the diagnostics with the file as the place of those that have none, such as those of
// whole functions of ONNX models.
Diagnostics WithPlaces(const Diagnostics& diags, const SourceFile& file) {
  Diagnostics placed;
  for (Diagnostic d : diags.all()) {
    if (std::holds_alternative<std::monostate>(d.loc)) {
      d.loc = std::make_shared<const ModelNode>(ModelNode{std::string(file.path()), "", "", 0});
    }
    placed.Add(std::move(d));
  }
  return placed;
}

// Returns why the options need --data, or an empty text.
std::string MissingData(const Arguments& args, const QuantizeRequest& request) {
  if (args.Has("--data")) return "";
  if (!request.scheme.weights_only()) {
    return "option '--data' is required: calibration samples, such as --data samples.npz";
  }
  if (args.Has("--metric") && MetricFile(args).empty()) {
    return absl::StrCat("option '--metric ", args.Value("--metric"),
                        "' needs '--data', on which it measures the loss");
  }
  if (!request.max_loss || !MetricFile(args).empty()) return "";
  return "option '--max-loss' needs '--data' or '--metric FILE', on which it measures the loss";
}

absl::StatusOr<NetworkSamples> ReadSamples(const Arguments& args, const ir::Module& module,
                                           ir::GlobalId function) {
  NetworkSamples out;
  if (args.Has("--data")) {
    LATHE_ASSIGN_OR_RETURN(
        out.calibration, ReadCalibrationData(std::string(args.Value("--data")), module, function));
  }
  const std::string file = MetricFile(args);
  if (file.empty()) return out;
  if (!absl::EndsWith(file, ".npz") && !std::filesystem::exists(file)) {
    const std::vector<absl::string_view> metrics(std::begin(kMetrics), std::end(kMetrics));
    return absl::InvalidArgumentError(absl::StrCat(
        "option '--metric' must be one of: ", absl::StrJoin(metrics, ", "),
        ", or a file of samples with labels; got '", file, "'", DidYouMean(file, metrics)));
  }
  LATHE_ASSIGN_OR_RETURN(out.labelled, ReadCalibrationData(file, module, function));
  if (out.labelled.labels.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(file, ": there is no array '", kLabelsArray,
                                                   "' with the class of each sample"));
  }
  return out;
}

// Fails if the result exceeds a limit of the request.
ExitCode CheckLimits(const Invocation& in, const QuantizeRequest& request,
                     const QuantizeResult& result) {
  if (result.memory && !request.limits.Fit(*result.memory)) {
    const auto part = [](absl::string_view what, int64_t need, std::optional<int64_t> most) {
      return absl::StrCat(need, " bytes of ", what,
                          most ? absl::StrCat(" (at most ", *most, ")") : "");
    };
    return in.report->Fail(
        kExitLimit, absl::StrCat("with every layer quantized, the model needs ",
                                 part("weights", result.memory->weights, request.limits.weights),
                                 " and ", part("RAM", result.memory->ram, request.limits.ram),
                                 " on ", request.limits.target->name));
  }
  if (!request.max_loss || result.loss <= *request.max_loss) return kExitOk;
  return in.report->Fail(
      kExitLimit, absl::StrCat("the loss is ", result.loss, ", more than ", *request.max_loss,
                               result.memory ? ", with the layers that the limits allow in float32"
                                             : ", with every layer in float32"));
}

ExitCode Quantize(const Invocation& in) {
  const auto request = ReadRequest(in.args);
  if (!request.ok()) return in.report->Usage(request.status().message());
  if (const std::string missing = MissingData(in.args, *request); !missing.empty()) {
    return in.report->Usage(missing);
  }
  const auto sizes = ReadDimOptions(in.args);
  if (!sizes.ok()) return in.report->Usage(sizes.status().message());
  const auto file = ReadSource(in.args.operands[0], in.io);
  if (!file.ok()) return in.report->EnvironmentError(file.status());
  auto read = ReadModelOptions(in.args, Numerics::kOnnx);
  if (!read.ok()) return in.report->Usage(read.status().message());
  const absl::Status liked = ReadLikeOption(in.args, *file, *read);
  if (!liked.ok()) return in.report->InputError(liked);

  ir::Context context;
  Diagnostics diags;
  NotChecked not_checked;
  const LoadRequest load{*std::move(read), *sizes, {}, FindTarget("generic-c99")};
  auto program = LoadProgram(context, *file, load, diags, not_checked);
  if (!program.ok()) return in.report->InputError(program.status());
  if (!*program) return in.report->Add(diags, {not_checked});
  ir::Module& module = (*program)->module;
  const absl::Status prepared = PrepareForQuantization(context, module, diags);
  if (!prepared.ok()) return in.report->EnvironmentError(prepared);
  if (diags.has_errors()) return in.report->Add(diags);
  const auto function = FunctionToQuantize(in.args, module);
  if (!function.ok()) return in.report->Usage(function.status().message());
  const auto data = ReadSamples(in.args, module, *function);
  if (!data.ok()) return in.report->InputError(data.status());
  if (absl::StartsWith(in.args.Value("--data"), "random")) {
    in.report->Remark(
        "calibration data is random: ranges and losses are for trials, not for a model that is "
        "used");
  }
  const auto result = QuantizeNetwork(context, module, *function, *data, *request, diags,
                                      [&](absl::string_view text) { in.report->Remark(text); });
  const ExitCode code = in.report->Add(WithPlaces(diags, *file));
  if (code != kExitOk) return code;
  if (!result.ok()) return in.report->Usage(result.status().message());
  // The report would be in the same stream as the model.
  const bool to_stdout = in.args.Value("--output") == "-";
  if (in.args.Has("--output")) {
    const ExitCode written = WriteQuantized(in, context, result->module, *function);
    if (written != kExitOk) return written;
  }
  if (!to_stdout) {
    Print(in.io.out, in.args.Has("--json") ? RenderQuantizationAsJson(*request, *result)
                                           : RenderQuantization(*request, *result));
    if (in.args.Has("--output") && !in.args.Has("--json")) {
      Print(in.io.out, absl::StrCat("wrote ", in.args.Value("--output"), "\n"));
    }
  }
  return CheckLimits(in, *request, *result);
}

}  // namespace

constexpr Verb kVerbQuantize = {
    .name = "quantize",
    .summary = "quantize a float model on calibration data",
    .operands = "FILE",
    .min_operands = 1,
    .max_operands = 1,
    .reports = true,
    .options = kQuantizeOptions,
    .details =
        "Reads a float32 model and writes it with QuantizeLinear and DequantizeLinear around the\n"
        "layers that integers can compute; 'lathe compile' and ONNX Runtime run these in "
        "integers.\n"
        "Reports the range, scale and signal-to-noise ratio of each layer.\n"
        "With --activations float only the weights become integers, which the layers dequantize.\n"
        "\n"
        "Examples:\n"
        "  lathe quantize model.onnx --data samples.npz -o model_int8.onnx\n"
        "  lathe quantize model.tflite --data samples/ --calibrate entropy -o model_int8.onnx\n"
        "  lathe quantize model.onnx --data few.npz --metric test.npz --max-loss 1% -o q.onnx\n"
        "  lathe quantize model.onnx --activations float --weights int4 --block 32 -o q.onnx\n"
        "  lathe quantize model.py --data random:seed=1 --json\n",
    .run = Quantize,
};

}  // namespace lathe::driver

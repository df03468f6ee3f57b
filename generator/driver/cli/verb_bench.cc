#include "generator/driver/cli/verb_bench.h"

#include <map>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "generator/driver/generate_model.h"
#include "generator/driver/load_program.h"
#include "generator/driver/options/dim_option.h"
#include "generator/driver/options/fusion_options.h"
#include "generator/driver/options/model_options.h"
#include "generator/driver/options/numerics.h"
#include "generator/driver/options/params_option.h"
#include "generator/driver/options/read_source.h"
#include "generator/driver/options/stream_option.h"
#include "generator/driver/pipeline.h"
#include "generator/driver/report/work_folder.h"
#include "generator/driver/validate/cuda_device.h"
#include "generator/driver/validate/expected_failure.h"
#include "generator/driver/validate/run_inputs.h"
#include "generator/driver/validate/run_times.h"
#include "generator/driver/validate/validate_data.h"
#include "generator/driver/validate/validate_place.h"
#include "generator/emit/cuda/reads_back.h"
#include "generator/interp/interpreter.h"

namespace lathe::driver {
namespace {

constexpr Option kBenchOptions[] = {
    {"--on", 0, "PLACE", "where it runs: cuda, cuda:N, or cuda-emulation to try the command"},
    {"--target", 't', "TARGET", "the target GPUs (cuda:sm_80+ptx)"},
    {"--dim", 'D', "NAME=N", "compile for this size of a shape variable, or for LOW..HIGH"},
    {"--data", 0, "DATA", "random:seed=1,n=16, or an .npz file (random:seed=1)"},
    {"--func", 0, "NAME", "the function to run (main)"},
    {"--runs", 0, "N", "number of timed runs (100)"},
    {"--warmup", 0, "N", "number of warm-up runs (10)"},
    {"--cuda-graph", 0, "", "capture a run into a CUDA graph, and time launches of that"},
    {kNumericsOption, 0, kNumericsChoices, kNumericsDescription},
    kParamsOption,
    kOutputsOption,
    kIoOption,
    kTapOption,
    kStreamOption,
    kStreamPaddingOption,
    kNoFuseOption,
    kPreferOption,
    {"--extern", 0, "FILE", "external functions: .cu, .cpp"},
    {"--cc", 0, "PROGRAM", "the compiler (nvcc)"},
    {"--cflags", 0, "FLAGS", "compiler flags, separated by spaces (-O2)"},
    {"--time-limit", 0, "SECONDS", "time limit of all runs (300)"},
    {"--keep", 0, "FOLDER", "keep the compiled files and the program in FOLDER"},
};

constexpr int kMaxRuns = 1000000;

absl::StatusOr<int> ReadCount(const Arguments& args, absl::string_view option, int otherwise,
                              int least) {
  int count = otherwise;
  if (args.Has(option) &&
      (!absl::SimpleAtoi(args.Value(option), &count) || count < least || count > kMaxRuns)) {
    return absl::InvalidArgumentError(absl::StrCat("option '", option, "' must be a number from ",
                                                   least, " to ", kMaxRuns, "; got '",
                                                   args.Value(option), "'"));
  }
  return count;
}

// Compiles `prepared`, measures its runs with `args`, and prints the times.
ExitCode Measure(const Invocation& in, const ValidatePlace& place, const TimedRuns& timed,
                 ir::Context& context, const ir::Module& prepared, const std::string& numerics,
                 const std::string& func, const std::vector<interp::Value>& args,
                 Diagnostics& diags) {
  emit::EmitOptions emit_options;
  emit_options.numerics = numerics;
  GenerateOptions generate{ReadFusion(in.args), {}, emit_options};
  generate.gpus = &*place.gpus;
  const auto model =
      GenerateModel(context, prepared, *place.target, kGeneratedName, generate, diags);
  if (diags.has_errors()) return in.report->Add(diags);
  if (!model.ok()) return in.report->EnvironmentError(model.status());
  if (timed.captured && emit::ReadsBack(model->program)) {
    return in.report->Usage(
        "option '--cuda-graph': a run of this program waits for the GPU in between, and cannot be "
        "captured");
  }
  const emit::ApiFunction* api = nullptr;
  for (const emit::ApiFunction& f : model->functions) {
    if (model->program.routines[f.routine].name == func) api = &f;
  }
  const auto inputs = PartsOfCall(*model, *api, args);
  if (!inputs.ok()) return in.report->EnvironmentError(inputs.status());
  const auto outputs = ReserveOutputs(context, *model, *api, *inputs);
  if (!outputs.ok()) return in.report->InputError(outputs.status());
  const WorkFolder folder(in.args.Value("--keep"));
  const auto printed =
      TimeOnGpu(place, *model, *api, kGeneratedName, folder.path(), *inputs, *outputs, timed);
  if (!printed.ok()) {
    const bool failed =
        absl::IsFailedPrecondition(printed.status()) || absl::IsDeadlineExceeded(printed.status());
    return failed ? in.report->Fail(kExitMismatch, printed.status().message())
                  : in.report->EnvironmentError(printed.status());
  }
  const auto times = ReadRunTimes(*printed);
  if (!times.ok()) return in.report->EnvironmentError(times.status());
  Print(in.io.out,
        in.args.Has("--json") ? RenderRunTimesAsJson(*times, func) : RenderRunTimes(*times, func));
  return kExitOk;
}

ExitCode Bench(const Invocation& in) {
  const auto place = ReadGpuPlace(in.args);
  if (!place.ok()) return in.report->Usage(place.status().message());
  TimedRuns timed;
  const auto runs = ReadCount(in.args, "--runs", 100, 1);
  if (!runs.ok()) return in.report->Usage(runs.status().message());
  const auto warmup = ReadCount(in.args, "--warmup", 10, 0);
  if (!warmup.ok()) return in.report->Usage(warmup.status().message());
  timed = {*warmup, *runs, in.args.Has("--cuda-graph")};
  RunOptions options;
  std::vector<std::string> sets;
  const absl::Status data =
      ReadValidateData(in.args.Value("--data", "random:seed=1"), options, sets);
  if (absl::IsNotFound(data)) return in.report->EnvironmentError(data);
  if (!data.ok()) return in.report->Usage(data.message());
  if (!sets.empty()) return in.report->Usage("option '--data' is random:... or an .npz file");
  const auto sizes = ReadDimOptions(in.args);
  if (!sizes.ok()) return in.report->Usage(sizes.status().message());
  options.func = std::string(in.args.Value("--func", "main"));
  const auto numerics = ReadNumerics(in.args);
  if (!numerics.ok()) return in.report->Usage(numerics.status().message());
  auto read = ReadModelOptions(in.args, *numerics);
  if (!read.ok()) return in.report->Usage(read.status().message());
  const auto file = ReadSource(in.args.operands[0], in.io);
  if (!file.ok()) return in.report->EnvironmentError(file.status());
  auto params = ReadParamsOption(in.args);
  if (!params.ok()) return in.report->InputError(params.status());

  ir::Context context;
  Diagnostics diags;
  NotChecked not_checked;
  auto program = LoadProgram(
      context, *file,
      {*read, *sizes, *numerics, place->target, *std::move(params), PrefersFlash(in.args)}, diags,
      not_checked);
  if (!program.ok()) return in.report->InputError(program.status());
  if (!*program) return in.report->Add(diags, {not_checked});
  const ir::Module* const module = &(*program)->module;
  RestrictToSizes(*sizes, (*program)->ranges, options);
  const auto function = FindExported(*module, options.func);
  if (!function.ok()) return in.report->Usage(function.status().message());
  // The interpreter only generates the arguments.
  interp::Interpreter interpreter(context, *module, interp::Options());
  std::map<std::string, int64_t> random_sizes;
  const auto args = CollectInputs(interpreter, *function, options, &random_sizes);
  if (!args.ok()) return in.report->InputError(args.status());
  // The time depends on the sizes, so random ones are not useful.
  if (!random_sizes.empty()) return in.report->Usage(DescribeUnknownSize(random_sizes));
  const auto prepared = PrepareForLowering(context, *module, *place->target, (*program)->ranges,
                                           diags, PrefersFlash(in.args));
  if (!prepared.ok()) return in.report->Usage(prepared.status().message());
  if (diags.has_errors()) return in.report->Add(diags);
  return Measure(in, *place, timed, context, *prepared, (*program)->numerics, options.func, *args,
                 diags);
}

}  // namespace

const Verb kVerbBench = {
    .name = "bench",
    .summary = "compile for a GPU and measure run times",
    .operands = "FILE",
    .min_operands = 1,
    .max_operands = 1,
    .reports = true,
    .options = kBenchOptions,
    .details =
        "Compiles with nvcc, runs on random data, and prints the time of a run on the GPU, by\n"
        "CUDA events around each run, while the next ones are enqueued: the median, the minimum, "
        "and\n"
        "the 90th percentile. Does not compare results: 'lathe validate --on cuda' does. Ends\n"
        "with exit code 5 without a GPU. Times of 'cuda-emulation' do not predict a GPU.\n"
        "\n"
        "Examples:\n"
        "  lathe bench model.py --on cuda -D n=128\n"
        "  lathe bench model.onnx --on cuda:1 -t cuda:sm_90a -D batch=8 -D seq=128 --cuda-graph "
        "--json\n"
        "  lathe bench model.py --on cuda --data random:n=1000 --runs 1000\n",
    .run = Bench,
};

}  // namespace lathe::driver

#include "generator/driver/cli/verb_profile.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/driver/compile_model.h"
#include "generator/driver/load_program.h"
#include "generator/driver/model_report.h"
#include "generator/driver/options/fusion_options.h"
#include "generator/driver/options/model_options.h"
#include "generator/driver/options/numerics.h"
#include "generator/driver/options/params_option.h"
#include "generator/driver/options/pool_option.h"
#include "generator/driver/options/read_source.h"
#include "generator/driver/options/stream_option.h"
#include "generator/driver/report/work_folder.h"
#include "generator/driver/validate/count_steps.h"
#include "generator/driver/validate/expected_failure.h"
#include "generator/driver/validate/run_inputs.h"
#include "generator/driver/validate/step_log.h"
#include "generator/driver/validate/validate_data.h"
#include "generator/driver/validate/validate_place.h"
#include "generator/driver/view/report_json.h"
#include "generator/driver/view/step_profile.h"
#include "generator/interp/interpreter.h"
#include "generator/support/count_of.h"
#include "nlohmann/json.hpp"

namespace lathe::driver {
namespace {

constexpr Option kProfileOptions[] = {
    {"--from", 0, "LOG", "the log of a device, lines 'step STEP TICKS'; - is standard input"},
    {"--on", 0, "PLACE", "also count instructions on an emulated board: qemu or qemu:BOARD"},
    {"--target", 't', "TARGET", "the target (of the board, or generic-c99)"},
    {"--func", 0, "NAME", "the function that was run (main)"},
    {"--name", 'n', "NAME", "the C prefix of every symbol (the model's file name)"},
    {"--dim", 'D', "NAME=N", "the size of a shape variable, or LOW..HIGH, as for compile"},
    kParamsOption,
    kOutputsOption,
    kIoOption,
    kTapOption,
    kStreamOption,
    kStreamPaddingOption,
    kLikeOption,
    {"--externs", 0, "link|table", "external functions: linked, or passed to init (link)", true},
    {kNumericsOption, 0, kNumericsChoices, kNumericsDescription},
    kNoFuseOption,
    kPreferOption,
    kPoolOption,
    {"--data", 0, "DATA",
     "inputs on the board: random:seed=1,n=16, or an .npz file (random:seed=1)"},
    {"--extern", 0, "FILE", "external functions on the board, in C"},
    {"--cc", 0, "PROGRAM", "the C compiler (the target's)"},
    {"--cflags", 0, "FLAGS", "compiler flags, separated by spaces (-O2)"},
    {"--time-limit", 0, "SECONDS", "time limit of a run (300)"},
    {"--keep", 0, "FOLDER", "keep the compiled files and the program in FOLDER"},
};

// Returns the command line with the target of the board, unless it names a target.
Invocation WithTargetOfPlace(const ValidatePlace* place, Invocation in) {
  if (place == nullptr || in.args.Has("--target")) return in;
  const Option* target = &kProfileOptions[2];
  in.args.given.emplace_back(target, std::string(place->target->name));
  return in;
}

// Runs the function on the board with the inputs of --data.
ExitCode CountOnBoard(const Invocation& in, const ValidatePlace& place, CompiledModel& compiled,
                      const emit::ApiFunction& api, const std::string& func, StepCounts& counts) {
  RunOptions options;
  options.func = func;
  options.input_hint = "--data FILE.npz that holds 'NAME'";
  options.random_hint = "--data random:seed=1";
  std::vector<std::string> sets;
  const absl::Status data =
      ReadValidateData(in.args.Value("--data", "random:seed=1"), options, sets);
  if (absl::IsNotFound(data)) return in.report->EnvironmentError(data);
  if (!data.ok()) return in.report->Usage(data.message());
  if (!sets.empty()) return in.report->Usage("option '--data' is random:... or an .npz file");
  RestrictToSizes(compiled.sizes, {}, options);
  const auto function = FindExported(*compiled.loaded, func);
  if (!function.ok()) return in.report->Usage(function.status().message());
  interp::Interpreter interpreter(compiled.context, *compiled.loaded, interp::Options());
  std::map<std::string, int64_t> random_sizes;
  const auto args = CollectInputs(interpreter, *function, options, &random_sizes);
  if (!args.ok()) return in.report->InputError(args.status());
  // The counts depend on the sizes, so random ones are not useful.
  if (!random_sizes.empty()) return in.report->Usage(DescribeUnknownSize(random_sizes));
  const auto inputs = PartsOfCall(compiled.model, api, *args);
  if (!inputs.ok()) return in.report->EnvironmentError(inputs.status());
  const auto outputs = ReserveOutputs(compiled.context, compiled.model, api, *inputs);
  if (!outputs.ok()) return in.report->InputError(outputs.status());
  const WorkFolder folder(in.args.Value("--keep"));
  auto counted =
      CountSteps(place, compiled.model, api, compiled.name, folder.path(), *inputs, *outputs);
  if (!counted.ok()) {
    const bool failed =
        absl::IsFailedPrecondition(counted.status()) || absl::IsDeadlineExceeded(counted.status());
    return failed ? in.report->Fail(kExitMismatch, counted.status().message())
                  : in.report->EnvironmentError(counted.status());
  }
  counts = *std::move(counted);
  return kExitOk;
}

ExitCode Profile(const Invocation& given) {
  if (!given.args.Has("--from") && !given.args.Has("--on")) {
    return given.report->Usage(
        "'profile' needs --from LOG, the measured steps, or --on qemu:BOARD, which counts their "
        "instructions");
  }
  if (given.args.Value("--from") == "-" && given.args.operands[0] == "-") {
    return given.report->Usage("the model and the log cannot both be standard input");
  }
  std::optional<ValidatePlace> place;
  if (given.args.Has("--on")) {
    auto read = ReadBoardPlace(given.args);
    if (!read.ok()) return given.report->Usage(read.status().message());
    place = *std::move(read);
  }
  const Invocation in = WithTargetOfPlace(place ? &*place : nullptr, given);
  CompiledModel compiled;
  compiled.steps.hooks = true;
  if (const ExitCode code = CompileModel(in, compiled); code != kExitOk) return code;
  if (compiled.gpus) return in.report->Usage("'profile' is for C targets; 'bench' measures GPUs");
  const std::string func(in.args.Value("--func", "main"));
  const ModelReport report = MakeModelReport(compiled.model, *compiled.target, std::nullopt);
  StepProfileView view;
  const emit::ApiFunction* api = nullptr;
  for (const emit::ApiFunction& f : compiled.model.functions) {
    if (compiled.model.program.routines[f.routine].name != func) continue;
    api = &f;
    view.routine = &report.routines[static_cast<size_t>(f.routine.index)];
  }
  if (api == nullptr) {
    return in.report->Usage(absl::StrCat("the program has no exported function '", func, "'"));
  }
  if (in.args.Has("--from")) {
    const auto file = ReadSource(std::string(in.args.Value("--from")), in.io);
    if (!file.ok()) return in.report->EnvironmentError(file.status());
    auto log = ReadStepLog(file->text(), static_cast<int>(view.routine->steps.size()));
    if (!log.ok()) return in.report->Fail(kExitMalformed, log.status().message());
    if (log->other_lines > 0) {
      in.report->Remark(
          absl::StrCat(CountOf(log->other_lines, "line"), " of the log without a step"));
    }
    view.log = *std::move(log);
  }
  if (place) {
    StepCounts counts;
    const ExitCode code = CountOnBoard(in, *place, compiled, *api, func, counts);
    if (code != kExitOk) return code;
    view.counts = std::move(counts);
    view.board = std::string(place->board->name);
  }
  view.model = compiled.name;
  view.target = std::string(compiled.target->name);
  Print(in.io.out, in.args.Has("--json") ? JsonText(ProfileAsJson(view)) : ProfileAsText(view));
  return kExitOk;
}

}  // namespace

const Verb kVerbProfile = {
    .name = "profile",
    .summary = "show the measured time of each step of a model, beside its instructions",
    .operands = "FILE",
    .min_operands = 1,
    .max_operands = 1,
    .reports = true,
    .options = kProfileOptions,
    .details =
        "The model compiled with --hooks prints a line 'step STEP TICKS' for each step on the\n"
        "device; see docs/steps.md. --from reads these lines, and ignores others. Steps that were\n"
        "run several times are shown with their median. The options that change the steps, such\n"
        "as -t, -D and --no-fuse, must be those of 'compile'.\n"
        "\n"
        "Examples:\n"
        "  lathe profile kws.tflite -t cortex-m4f --from serial.log\n"
        "  lathe profile kws.tflite -t cortex-m4f --from serial.log --on qemu:mps2-an386 --json\n"
        "  lathe profile kws.tflite --on qemu:mps2-an386\n",
    .run = Profile,
};

}  // namespace lathe::driver

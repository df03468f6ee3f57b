#include "generator/driver/cli/verb_run.h"

#include <map>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/driver/graph_passes.h"
#include "generator/driver/load_program.h"
#include "generator/driver/options/extern_files.h"
#include "generator/driver/options/model_options.h"
#include "generator/driver/options/numerics.h"
#include "generator/driver/options/params_option.h"
#include "generator/driver/options/read_source.h"
#include "generator/driver/pipeline.h"
#include "generator/driver/report/render_value.h"
#include "generator/driver/report/work_folder.h"
#include "generator/driver/run_options.h"
#include "generator/driver/validate/run_inputs.h"
#include "generator/driver/validate/state_values.h"
#include "generator/interp/data/npy_format.h"
#include "generator/interp/data/npz_format.h"
#include "generator/interp/show_value.h"
#include "generator/support/closest_name.h"
#include "generator/support/files.h"
#include "generator/support/status.h"
#include "nlohmann/json.hpp"

namespace lathe::driver {
namespace {

using interp::Value;
using Json = nlohmann::ordered_json;

// Elements of a tensor that are printed. --json and -o write all of them.
constexpr uint64_t kShownElements = 100;

absl::StatusOr<ir::GlobalId> FunctionToRun(const ir::Module& module, const std::string& name) {
  std::vector<absl::string_view> names;
  for (size_t n = 0; n < module.globals.size(); ++n) {
    const ir::GlobalId id{static_cast<int32_t>(n)};
    const ir::Global& g = module.globals[id];
    if (!IsExported(g)) continue;
    if (g.name == name) return id;
    names.push_back(g.name);
  }
  if (module.Find(name)) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", name, "' is private: only functions with a global_symbol can be run"));
  }
  std::string known = names.empty() ? "it has none that can be run" : "it has";
  for (size_t n = 0; n < names.size(); ++n) absl::StrAppend(&known, n == 0 ? " " : ", ", names[n]);
  return absl::InvalidArgumentError(absl::StrCat("the module has no function '", name, "'; ", known,
                                                 "; choose one with --func",
                                                 DidYouMean(name, names)));
}

using Arrays = std::vector<std::pair<std::string, interp::TensorRef>>;

absl::Status WriteArrays(const std::string& path, const Arrays& arrays) {
  if (absl::EndsWith(path, ".npy")) {
    if (arrays.size() != 1) {
      return absl::InvalidArgumentError(absl::StrCat("the result contains ", arrays.size(),
                                                     " arrays; write them to an .npz file"));
    }
    return WriteFile(path, interp::WriteNpy(*arrays[0].second));
  }
  LATHE_ASSIGN_OR_RETURN(const std::string bytes, interp::WriteNpz(arrays));
  return WriteFile(path, bytes);
}

// A PrimFunc returns its results in its arguments.
Value ResultOf(const ir::Global& global, Value returned, std::vector<Value> args,
               const std::shared_ptr<interp::MemoryBudget>& budget) {
  if (global.prim_func() == nullptr) return returned;
  if (global.prim_func()->ret) args.push_back(std::move(returned));
  auto tuple = Value::OfTuple(std::move(args), budget);
  return tuple.ok() ? *std::move(tuple) : Value();
}

// Writes the results to the file of --output, or prints them: one, or with --steps one for each
// step.
absl::Status Show(const Invocation& in, const RunOptions& options,
                  const std::vector<Value>& results,
                  const std::map<std::string, int64_t>& random_sizes,
                  const std::shared_ptr<interp::MemoryBudget>& budget) {
  if (!options.output.empty()) {
    LATHE_ASSIGN_OR_RETURN(const auto arrays, options.steps ? StepsToArrays(results, budget)
                                                            : ValueToArrays(results[0], budget));
    LATHE_RETURN_IF_ERROR(WriteArrays(options.output, arrays));
  }
  if (options.json) {
    Json out = {{"schema_version", 1}, {"function", options.func}, {"made_up", Json(random_sizes)}};
    if (options.steps) {
      for (const Value& result : results) out["steps"].push_back(ValueToJson(result));
    } else {
      out["result"] = ValueToJson(results[0]);
    }
    Print(in.io.out, out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  } else if (options.output.empty()) {
    for (size_t step = 0; step < results.size(); ++step) {
      if (options.steps) Print(in.io.out, absl::StrCat("step ", step, "\n"));
      Print(in.io.out, interp::ShowStructure(results[step], kShownElements));
    }
  }
  return absl::OkStatus();
}

// The results of the runs, without the variables of the state.
struct Evaluated {
  std::vector<Value> results;
  bool ended = true;       // no run failed
  absl::Status bad_input;  // for a message of its own
  std::map<std::string, int64_t> random_sizes;
};

// Runs the function once, or --steps times, each time with the state that the last run left.
// Reports a failed run to `diags`.
Evaluated Evaluate(const Invocation& in, interp::Interpreter& interpreter, ir::GlobalId function,
                   const RunOptions& options, Diagnostics& diags) {
  Evaluated out;
  const interp::Runtime& rt = interpreter.runtime();
  const size_t variables = StateCount(rt.module, function);
  const auto run = [&]() -> absl::Status {
    LATHE_ASSIGN_OR_RETURN(StepInputs inputs, StepInputs::Read(interpreter, function, options));
    LATHE_ASSIGN_OR_RETURN(std::vector<Value> state, FirstState(rt.module, function, rt.budget));
    for (int64_t step = 0; step < options.steps.value_or(1); ++step) {
      LATHE_ASSIGN_OR_RETURN(std::vector<Value> args, inputs.Of(step));
      out.random_sizes = inputs.random_sizes();
      if (step == 0 && !out.random_sizes.empty()) {
        in.report->Remark(DescribeRandomSizes(out.random_sizes));
      }
      args.insert(args.end(), state.begin(), state.end());
      absl::StatusOr<Value> returned = interpreter.Run(function, args, diags);
      out.ended = returned.ok();
      if (!returned.ok()) return absl::OkStatus();
      LATHE_ASSIGN_OR_RETURN(StepResult split,
                             SplitState(*std::move(returned), variables, rt.budget));
      const ir::Global& global = rt.module.globals[function];
      out.results.push_back(
          ResultOf(global, std::move(split.result), std::move(args), interpreter.budget()));
      state = std::move(split.state);
      if (interp::IsPrintable(out.results.back())) continue;
      diags.LimitExceeded(global.loc, "run-result-limit")
          << "the result is " << Describe(out.results.back()) << " of more than "
          << interp::kMaxWrittenValues << " values, or nested deeper than "
          << interp::kMaxValueDepth << ", and cannot be printed";
      return absl::OkStatus();
    }
    return absl::OkStatus();
  };
  out.bad_input = run();
  return out;
}

ExitCode Run(const Invocation& in) {
  absl::StatusOr<RunOptions> options = ReadRunOptions(in.args);
  if (!options.ok()) return in.report->Usage(options.status().message());
  absl::StatusOr<SourceFile> file = ReadSource(in.args.operands[0], in.io);
  if (!file.ok()) return in.report->EnvironmentError(file.status());
  auto read = ReadModelOptions(in.args, options->numerics);
  if (!read.ok()) return in.report->Usage(read.status().message());

  interp::Options settings;
  // With --json, standard output contains only the result.
  std::FILE* const console = options->json ? in.io.err : in.io.out;
  settings.print = [console](absl::string_view text) { Print(console, text); };
  if (!options->externs.empty()) {
    const WorkFolder folder("");
    const absl::Status loaded =
        LoadExternFiles(options->externs, "cc", folder.path(), &settings.packed);
    if (!loaded.ok()) return in.report->EnvironmentError(loaded);
  }

  ir::Context context;
  Diagnostics diags;
  NotChecked not_checked;
  const absl::Status liked = ReadLikeOption(in.args, *file, *read);
  if (!liked.ok()) return in.report->InputError(liked);
  auto params = ReadParamsOption(in.args);
  if (!params.ok()) return in.report->InputError(params.status());
  LoadRequest request{
      *std::move(read), {}, options->numerics, FindTarget("generic-c99"), *std::move(params)};
  if (IsOnnx(file->path())) {
    // The import of an ONNX model depends on sizes. A program as text keeps its shape variables;
    // the arguments bind them.
    const auto sizes = ReadDimOptions(in.args);
    if (!sizes.ok()) return in.report->Usage(sizes.status().message());
    request.sizes = *sizes;
  }
  auto program = LoadProgram(context, *file, request, diags, not_checked);
  if (!program.ok()) return in.report->InputError(program.status());
  if (!*program) return in.report->Add(diags, {not_checked});
  ir::Module* const module = &(*program)->module;
  const std::string& numerics = (*program)->numerics;
  if (!numerics.empty()) in.report->Remark(absl::StrCat("numerics ", numerics));
  RestrictToSizes(request.sizes, (*program)->ranges, *options);
  PassContext pass_context{context, diags};
  const absl::Status applied = ApplyPasses(pass_context, options->passes, *module);
  if (!applied.ok()) return in.report->EnvironmentError(applied);
  if (diags.has_errors()) return in.report->Add(diags, {not_checked});
  const absl::StatusOr<ir::GlobalId> function = FunctionToRun(*module, options->func);
  if (!function.ok()) return in.report->Usage(function.status().message());

  interp::Interpreter interpreter(context, *module, std::move(settings));
  const Evaluated evaluated = Evaluate(in, interpreter, *function, *options, diags);
  if (!evaluated.bad_input.ok()) return in.report->InputError(evaluated.bad_input);
  const ExitCode code = in.report->Add(diags);
  if (!evaluated.ended || diags.has_errors()) return code;
  const absl::Status shown =
      Show(in, *options, evaluated.results, evaluated.random_sizes, interpreter.budget());
  return shown.ok() ? code : in.report->InputError(shown);
}

}  // namespace

const Verb kVerbRun = {
    .name = "run",
    .summary = "evaluate a function on given or random input",
    .operands = "FILE",
    .min_operands = 1,
    .max_operands = 1,
    .reports = true,
    .options = RunOptionTable(),
    .details =
        "Prints the result; of a tensor the dtype, the shape and the first elements. --json prints "
        "all elements, -o writes arrays. The fields of a tuple parameter x are x.0, x.1, ...\n"
        "\n"
        "A function with a state runs from its first state; the variables are neither inputs nor\n"
        "results. With --steps N an array with an axis of N in front gives each run its element,\n"
        "other arrays are the input of all runs, random ones differ; -o stacks the results.\n"
        "\n"
        "Examples:\n"
        "  lathe run model.py --input x=x.npy\n"
        "  lathe run model.py --random seed=1 -D n=4\n"
        "  lathe run model.py --func predict --input all.npz -o out.npz\n"
        "  lathe run kws.tflite --steps 49 --input audio=audio.npy -o scores.npy\n"
        "  lathe run model.py --extern ./libmine.so --random seed=1 --json\n",
    .run = Run,
};

}  // namespace lathe::driver

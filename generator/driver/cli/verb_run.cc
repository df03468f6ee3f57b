#include "generator/driver/cli/verb_run.h"

#include <map>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/driver/graph_passes.h"
#include "generator/driver/load_program.h"
#include "generator/driver/options/extern_files.h"
#include "generator/driver/options/numerics.h"
#include "generator/driver/options/outputs_option.h"
#include "generator/driver/options/params_option.h"
#include "generator/driver/options/read_source.h"
#include "generator/driver/pipeline.h"
#include "generator/driver/report/render_value.h"
#include "generator/driver/report/work_folder.h"
#include "generator/driver/run_options.h"
#include "generator/driver/validate/run_inputs.h"
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

absl::Status WriteValue(const std::string& path, const Value& result,
                        const std::shared_ptr<interp::MemoryBudget>& budget) {
  LATHE_ASSIGN_OR_RETURN(const auto arrays, ValueToArrays(result, budget));
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

// Writes the result to the file of --output, or prints it.
absl::Status Show(const Invocation& in, const RunOptions& options, const Value& result,
                  const std::map<std::string, int64_t>& random_sizes,
                  const std::shared_ptr<interp::MemoryBudget>& budget) {
  if (!options.output.empty()) LATHE_RETURN_IF_ERROR(WriteValue(options.output, result, budget));
  if (options.json) {
    const Json out = {{"schema_version", 1},
                      {"function", options.func},
                      {"made_up", Json(random_sizes)},
                      {"result", ValueToJson(result)}};
    Print(in.io.out, out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  } else if (options.output.empty()) {
    Print(in.io.out, interp::ShowStructure(result, kShownElements));
  }
  return absl::OkStatus();
}

ExitCode Run(const Invocation& in) {
  absl::StatusOr<RunOptions> options = ReadRunOptions(in.args);
  if (!options.ok()) return in.report->Usage(options.status().message());
  absl::StatusOr<SourceFile> file = ReadSource(in.args.operands[0], in.io);
  if (!file.ok()) return in.report->EnvironmentError(file.status());
  const auto outputs = ReadOutputsOption(in.args);
  if (!outputs.ok()) return in.report->Usage(outputs.status().message());

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
  onnx::ReadOptions read;
  read.outputs = *outputs;
  read.as_defined = options->numerics == Numerics::kOnnx;
  const absl::Status liked = ReadLikeOption(in.args, *file, read);
  if (!liked.ok()) return in.report->InputError(liked);
  auto params = ReadParamsOption(in.args);
  if (!params.ok()) return in.report->InputError(params.status());
  LoadRequest request{
      std::move(read), {}, options->numerics, FindTarget("generic-c99"), *std::move(params)};
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
  std::map<std::string, int64_t> random_sizes;
  absl::StatusOr<std::vector<Value>> args =
      CollectInputs(interpreter, *function, *options, &random_sizes);
  if (!args.ok()) return in.report->InputError(args.status());
  if (!random_sizes.empty()) in.report->Remark(DescribeRandomSizes(random_sizes));
  absl::StatusOr<Value> returned = interpreter.Run(*function, *args, diags);
  Value result;
  if (returned.ok()) {
    result = ResultOf(module->globals[*function], *std::move(returned), *std::move(args),
                      interpreter.budget());
    if (!interp::IsPrintable(result)) {
      diags.LimitExceeded(module->globals[*function].loc, "run-result-limit")
          << "the result is " << Describe(result) << " of more than " << interp::kMaxWrittenValues
          << " values, or nested deeper than " << interp::kMaxValueDepth
          << ", and cannot be printed";
    }
  }
  const ExitCode code = in.report->Add(diags);
  if (!returned.ok() || diags.has_errors()) return code;

  const absl::Status shown = Show(in, *options, result, random_sizes, interpreter.budget());
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
        "Examples:\n"
        "  lathe run model.py --input x=x.npy\n"
        "  lathe run model.py --random seed=1 -D n=4\n"
        "  lathe run model.py --func predict --input all.npz -o out.npz\n"
        "  lathe run model.py --extern ./libmine.so --random seed=1 --json\n",
    .run = Run,
};

}  // namespace lathe::driver

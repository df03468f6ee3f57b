#include "generator/driver/cli/verb_validate.h"

#include <filesystem>
#include <map>

#include "absl/strings/str_cat.h"
#include "generator/driver/cli/validate_options.h"
#include "generator/driver/cli/validate_output.h"
#include "generator/driver/generate_model.h"
#include "generator/driver/load_program.h"
#include "generator/driver/options/dim_option.h"
#include "generator/driver/options/extern_files.h"
#include "generator/driver/options/model_options.h"
#include "generator/driver/options/numerics.h"
#include "generator/driver/options/params_option.h"
#include "generator/driver/options/pool_option.h"
#include "generator/driver/options/read_source.h"
#include "generator/driver/options/step_option.h"
#include "generator/driver/pipeline.h"
#include "generator/driver/report/work_folder.h"
#include "generator/driver/validate/board_program.h"
#include "generator/driver/validate/check_inputs.h"
#include "generator/driver/validate/compare_outputs.h"
#include "generator/driver/validate/cuda_device.h"
#include "generator/driver/validate/evaluate_steps.h"
#include "generator/driver/validate/expected_arrays.h"
#include "generator/driver/validate/expected_failure.h"
#include "generator/driver/validate/expected_parts.h"
#include "generator/driver/validate/main_view.h"
#include "generator/driver/validate/port_bytes.h"
#include "generator/driver/validate/prove_stream.h"
#include "generator/driver/validate/run_guarded.h"
#include "generator/driver/validate/run_inputs.h"
#include "generator/driver/validate/run_on_board.h"
#include "generator/driver/validate/run_on_system.h"
#include "generator/driver/validate/tolerance_option.h"
#include "generator/driver/validate/validate_data.h"
#include "generator/driver/validate/validate_place.h"
#include "generator/interp/interpreter.h"
#include "generator/reader/onnx/data_set.h"
#include "generator/support/count_of.h"
#include "generator/support/status.h"
#include "generator/target/target.h"

namespace lathe::driver {
namespace {

class Validation {
 public:
  Validation(const Invocation& in, ValidateOutput& output) : in_(in), output_(output) {}

  ExitCode Run() {
    const auto place = ReadValidatePlace(in_.args);
    if (!place.ok()) return in_.report->Usage(place.status().message());
    place_ = *place;
    options_.func = std::string(in_.args.Value("--func", "main"));
    const auto steps = ReadStepsOption(in_.args);
    if (!steps.ok()) return in_.report->Usage(steps.status().message());
    options_.steps = in_.args.Has("--profile") && !in_.args.Has("--steps") ? 1 : *steps;
    options_.input_hint = "--data FILE.npz that holds 'NAME'";
    options_.random_hint = "--data random:seed=1";
    const absl::Status data =
        ReadValidateData(in_.args.Value("--data", "random:seed=1"), options_, sets_);
    if (!data.ok()) return in_.report->InputError(data);
    const auto tolerance = ReadTolerance(in_.args, DeviationsOf(place_), !sets_.empty());
    if (!tolerance.ok()) return in_.report->Usage(tolerance.status().message());
    tolerance_ = *tolerance;
    const auto sizes = ReadDimOptions(in_.args);
    if (!sizes.ok()) return in_.report->Usage(sizes.status().message());
    fixed_ = *sizes;
    const auto file = ReadSource(in_.args.operands[0], in_.io);
    if (!file.ok()) return in_.report->EnvironmentError(file.status());
    per_node_ = in_.args.Has("--per-node");
    if ((per_node_ || !sets_.empty()) && !IsOnnx(file->path())) {
      return in_.report->Usage(absl::StrCat(
          per_node_ ? "option '--per-node'" : "a folder of test data", " needs an ONNX model"));
    }
    if (sets_.empty()) {
      output_.Start("", false);
      return Compare(*file, "");
    }
    ExitCode worst = kExitOk;
    for (const std::string& set : sets_) {
      output_.Start(std::filesystem::path(set).filename().string(), sets_.size() > 1);
      const ExitCode code = Compare(*file, set);
      if (worst == kExitOk) worst = code;
    }
    return worst;
  }

 private:
  // The program as written, which is evaluated, and the folder of compiled files.
  struct Evaluation {
    ir::Context& context;
    interp::Interpreter& interpreter;
    ir::GlobalId function;
    std::vector<interp::Value>& args;
    Diagnostics& diags;
    std::string folder;
  };

  // Validates with the data set in the folder `set`; with the data of --data if it is empty.
  ExitCode Compare(const SourceFile& file, const std::string& set) {
    const auto numerics = ReadNumerics(in_.args);
    if (!numerics.ok()) return in_.report->Usage(numerics.status().message());
    auto read = ReadModelOptions(in_.args, *numerics);
    if (!read.ok()) return in_.report->Usage(read.status().message());
    if (per_node_) read->every_value = &nodes_;
    nodes_.clear();
    const absl::Status unread = ReadSet(file, set, *read);  // reported if the model can be read
    const auto externs = ReadExternsOption(in_.args);
    if (!externs.ok()) return in_.report->Usage(externs.status().message());
    const auto params = ReadParamsOption(in_.args);
    if (!params.ok()) return in_.report->InputError(params.status());
    ir::Context context;
    Diagnostics diags;
    NotChecked not_checked;
    LoadRequest load{*read, fixed_, *numerics, place_.target, *params, PrefersFlash(in_.args)};
    auto program = LoadProgram(context, file, load, diags, not_checked);
    if (!unread.ok() && !diags.has_errors()) return in_.report->EnvironmentError(unread);
    if (!program.ok()) return in_.report->InputError(program.status());
    if (!*program) return in_.report->Add(diags, {not_checked});
    const ir::Module* const module = &(*program)->module;
    RestrictToSizes(fixed_, (*program)->ranges, options_);
    const std::string& computed = (*program)->numerics;
    if (!computed.empty()) in_.report->Remark(absl::StrCat("numerics ", computed));
    const auto function = FindExported(*module, options_.func);
    if (!function.ok()) return in_.report->Usage(function.status().message());
    const WorkFolder folder(in_.args.Value("--keep"));
    // The interpreter calls external functions that the host compiler builds.
    const std::string cc = place_.board == nullptr && !place_.gpus ? place_.cc : "cc";
    interp::PackedTable packed = interp::Options().packed;
    const absl::Status loaded = LoadExternFiles(place_.externs, cc, folder.path(), &packed);
    if (!loaded.ok()) return in_.report->EnvironmentError(loaded);
    interp::Options settings;
    settings.packed = packed;
    interp::Interpreter interpreter(context, *module, std::move(settings));
    std::map<std::string, int64_t> random_sizes;
    auto args = Arguments(interpreter, *function, &random_sizes);
    if (!args.ok()) return in_.report->InputError(args.status());
    if (!options_.inputs.empty() || data_) CheckInputs(interpreter, *function, *args, diags);
    if (diags.has_errors()) return in_.report->Add(diags);
    if (!random_sizes.empty()) in_.report->Remark(DescribeRandomSizes(random_sizes));
    if ((*program)->stream) {
      const auto proof = ProveStream(context, *(*program)->stream, interpreter, options_, packed);
      if (!proof.ok()) return in_.report->InputError(proof.status());
      output_.Say(proof->text);
      if (!proof->is_equal) return output_.End(false), kExitMismatch;
    }
    const auto prepared =
        PrepareForLowering(context, *module, *place_.target, (*program)->ranges, diags, load.small);
    if (!prepared.ok()) return in_.report->Usage(prepared.status().message());
    if (diags.has_errors()) return in_.report->Add(diags);
    if (place_.interprets) {
      return Interpret(context, *prepared, packed, interpreter, *function, *args, diags);
    }
    emit::EmitOptions emit_options;
    emit_options.externs = *externs;
    emit_options.numerics = computed;
    const auto steps = ReadStepOptions(in_.args);
    if (!steps.ok()) return in_.report->Usage(steps.status().message());
    emit_options.steps = *steps;
    return CompareCompiled({context, interpreter, *function, *args, diags, folder.path()},
                           *prepared, emit_options);
  }

  // Reads the data set of the folder `set`, if any, and adds its shapes to `read`.
  absl::Status ReadSet(const SourceFile& file, const std::string& set, ReadOptions& read) {
    data_.reset();
    if (set.empty()) return absl::OkStatus();
    LATHE_ASSIGN_OR_RETURN(
        data_,
        onnx::ReadDataSet(set, file, std::make_shared<interp::MemoryBudget>(), read.outputs));
    read.shapes = data_->shapes;
    return absl::OkStatus();
  }

  // Compiles `prepared`, runs it, and compares its results with the test data or the evaluation.
  ExitCode CompareCompiled(const Evaluation& e, const ir::Module& prepared,
                           const emit::EmitOptions& emit_options) {
    GenerateOptions generate{ReadFusion(in_.args), place_.pools, emit_options};
    if (place_.gpus) generate.gpus = &*place_.gpus;
    const auto model =
        GenerateModel(e.context, prepared, *place_.target, kGeneratedName, generate, e.diags);
    if (e.diags.has_errors()) return in_.report->Add(e.diags);
    if (!model.ok()) return in_.report->InputError(model.status());
    // Checked before the evaluation, which may take long for a model that does not fit.
    const absl::Status room = IsBare() ? CheckBoardMemory(*model, *place_.board) : absl::OkStatus();
    if (!room.ok()) return in_.report->EnvironmentError(room);
    const emit::ApiFunction* api = FindFunction(*model, options_.func);
    if (in_.args.Has("--steps") && StepsOf(*model, *api, options_) != *options_.steps) {
      return in_.report->Usage(
          "option '--steps' needs a function with a state, and results of constant sizes");
    }
    auto inputs = PartsOfCall(*model, *api, e.args);
    if (!inputs.ok()) return in_.report->EnvironmentError(inputs.status());
    const auto run = [&](const std::vector<PartBytes>& outputs) {
      return RunGuarded(e.context, *model, *place_.target, generate, *api, kGeneratedName, e.folder,
                        MakeRun(*inputs, outputs));
    };

    std::vector<PartBytes> wanted;
    std::vector<std::string> names;
    for (const emit::ApiPort& port : api->outputs) names.push_back(port.name);
    if (HasExpected()) {
      const auto all = interp::Value::OfTuple(data_->outputs, e.interpreter.budget());
      if (!all.ok()) return in_.report->EnvironmentError(all.status());
      const std::vector<PartBytes> likely = PartsOfResult(*api, *all);
      const auto expected =
          ExpectedParts(*data_, OutputLayouts(e.context, *model, *api, *inputs, likely), api);
      if (!expected.ok()) return in_.report->Fail(kExitMismatch, expected.status().message());
      wanted = *expected;
    } else {
      const auto value = e.interpreter.Run(e.function, std::move(e.args), e.diags);
      const auto why = value.ok() ? std::nullopt : FailureReason(e.diags);
      if (why && !IsBare() && !place_.gpus) {
        const auto budget = e.interpreter.budget();
        const absl::Status none = CheckNoneExpected(options_, *api, names, budget, *why);
        if (!none.ok() && !per_node_) return Failed(none);
        const auto outputs = ReserveOutputs(e.context, *model, *api, *inputs);
        if (!outputs.ok()) return in_.report->InputError(outputs.status());
        const GuardedRuns runs = run(*outputs);
        return runs.fault.ok() ? CheckFailure(runs.plain, *why, e.diags) : Failed(runs.fault);
      }
      if (!value.ok()) return in_.report->Add(e.diags);
      auto steps =
          EvaluateSteps(e.interpreter, e.function, *model, *api, options_, *inputs, *value);
      if (!steps.ok()) return in_.report->InputError(steps.status());
      wanted = std::move(steps->outputs);
      names = std::move(steps->names);
      *inputs = std::move(steps->inputs);
      if (const ExitCode code = TakeExpected(*api, names, e.interpreter, wanted); code != kExitOk) {
        return code;
      }
    }
    if (wanted.size() != names.size() || inputs->size() < api->inputs.size()) {
      return in_.report->EnvironmentError(absl::InternalError(
          "the inputs or outputs of the generated function differ from those of "
          "the program"));
    }
    const GuardedRuns runs = run(wanted);
    if (!runs.fault.ok()) return Failed(runs.fault);
    if (!runs.plain.ok()) return Failed(runs.plain.status());
    if (!runs.why_unguarded.empty()) in_.report->Remark(runs.why_unguarded);
    return ReportRuns(names, wanted, *runs.plain, runs.guarded);
  }

  // Replaces results of the evaluation by those that the files of --data have.
  ExitCode TakeExpected(const emit::ApiFunction& api, const std::vector<std::string>& names,
                        const interp::Interpreter& interpreter, std::vector<PartBytes>& wanted) {
    if (per_node_) return kExitOk;
    const auto expected = UseExpectedArrays(options_, api, names, interpreter.budget(), wanted);
    if (absl::IsFailedPrecondition(expected.status())) return Failed(expected.status());
    if (!expected.ok()) return in_.report->InputError(expected.status());
    const std::string what = DescribeExpectedArrays(*expected, options_, names.size());
    if (!what.empty()) in_.report->Remark(what);
    // Another implementation computed them, whose floats may differ more.
    if (!expected->compared.empty()) tolerance_ = *ReadTolerance(in_.args, {}, true);
    return kExitOk;
  }

  // Reports a failure of the compiled program as a mismatch, and all others as environment errors.
  ExitCode Failed(const absl::Status& status) {
    if (absl::IsDeadlineExceeded(status)) {
      return in_.report->Fail(
          kExitMismatch, absl::StrCat(status.message(), "; '--time-limit SECONDS' sets the limit"));
    }
    return absl::IsFailedPrecondition(status) ? in_.report->Fail(kExitMismatch, status.message())
                                              : in_.report->EnvironmentError(status);
  }

  // Returns a function that runs a model on `inputs` at the place of --on.
  RunModel MakeRun(const std::vector<PartBytes>& inputs, const std::vector<PartBytes>& wanted) {
    return [&inputs, wanted, this](const GeneratedModel& model, const emit::ApiFunction& api,
                                   const std::string& folder) -> absl::StatusOr<std::string> {
      if (place_.gpus) return RunOnGpu(place_, model, api, kGeneratedName, folder, inputs, wanted);
      std::string said;
      std::string* const stack = model.plan.guard == 0 ? &said : nullptr;
      const auto run = IsBare() ? RunOnBoard : RunOnSystem;
      auto got = run(place_, model, api, kGeneratedName, folder, inputs, wanted, stack);
      if (got.ok()) output_.Say(said);
      return got;
    };
  }

  // Prints the comparison of the plain run; if only the guarded run differs, of that one.
  ExitCode ReportRuns(const std::vector<std::string>& names, const std::vector<PartBytes>& wanted,
                      const std::string& got, const std::optional<std::string>& guarded) {
    const auto good = [&](const std::string& outputs) {
      const auto table = CompareOutputs(names, wanted, outputs, tolerance_, per_node_);
      return table.ok() && table->all_good;
    };
    if (!guarded || !good(got) || good(*guarded)) return Table(names, wanted, got);
    output_.Say("with guards around each tensor:\n");
    return Table(names, wanted, *guarded);
  }

  absl::StatusOr<std::vector<interp::Value>> Arguments(
      interp::Interpreter& interpreter, ir::GlobalId function,
      std::map<std::string, int64_t>* random_sizes = nullptr) {
    if (data_) return data_->inputs;
    return CollectInputs(interpreter, function, options_, random_sizes);
  }

  bool IsBare() const { return place_.board != nullptr && place_.board->kind != BoardKind::kUser; }

  // Checks that the compiled program ends with a status, as the evaluation failed because of `why`.
  ExitCode CheckFailure(const absl::StatusOr<std::string>& got, const std::string& why,
                        const Diagnostics& diags) {
    // An external function may be missing in the compiled program too.
    if (absl::IsUnavailable(got.status())) return in_.report->Add(diags);
    const auto status = StatusOfFailedRun(got, why);
    if (!status.ok()) return Failed(status.status());
    output_.Say(absl::StrCat("evaluated: ", why, "\ncompiled: ", *status, "\n"));
    output_.End(true);
    return kExitOk;
  }

  // Returns true if test data contains the expected results.
  bool HasExpected() const { return data_ && !per_node_ && !data_->outputs.empty(); }

  // Compares the program after all graph passes with the program as written, both interpreted.
  ExitCode Interpret(ir::Context& context, const ir::Module& prepared,
                     const interp::PackedTable& packed, interp::Interpreter& written,
                     ir::GlobalId function, const std::vector<interp::Value>& args,
                     Diagnostics& diags) {
    interp::Options settings;
    settings.packed = packed;
    interp::Interpreter interpreter(context, prepared, std::move(settings));
    // In-place calls write into their arguments, so each evaluation needs its own.
    auto again = Arguments(written, function);
    if (!again.ok()) return in_.report->InputError(again.status());
    const auto got = interpreter.Run(*prepared.Find(options_.func), *std::move(again), diags);
    if (!got.ok()) return in_.report->Add(diags);
    std::vector<PartBytes> parts;
    if (HasExpected()) {
      const auto expected = ExpectedParts(*data_, PartsOfValue(*got));
      if (!expected.ok()) return in_.report->Fail(kExitMismatch, expected.status().message());
      parts = *expected;
    } else {
      const auto wanted = written.Run(function, args, diags);
      if (!wanted.ok()) return in_.report->Add(diags);
      parts = PartsOfValue(*wanted);
    }
    std::vector<std::string> names;
    for (size_t i = 0; i < parts.size(); ++i) names.push_back(absl::StrCat("result ", i));
    return Table(names, parts, InputFile(PartsOfValue(*got)));
  }

  ExitCode Table(std::vector<std::string> names, const std::vector<PartBytes>& wanted,
                 const std::string& got) {
    for (size_t i = 0; per_node_ && i < nodes_.size() && i < names.size(); ++i) {
      const onnx::NodeValue& node = nodes_[i];
      names[i] = absl::StrCat(node.value, " (", node.op, " #", node.index,
                              node.node.empty() ? "" : absl::StrCat(" '", node.node, "'"), ")");
    }
    const auto table = CompareOutputs(names, wanted, got, tolerance_, per_node_);
    if (!table.ok()) return in_.report->Fail(kExitMismatch, table.status().message());
    output_.Add(*table);
    if (per_node_ && table->all_good) {
      output_.Say(absl::StrCat(CountOf(wanted.size(), "value"), " of nodes ok\n"));
    }
    output_.End(table->all_good);
    return table->all_good ? kExitOk : kExitMismatch;
  }

  const Invocation& in_;
  ValidateOutput& output_;
  ValidatePlace place_;
  RunOptions options_;
  std::map<std::string, DimRange> fixed_;
  std::vector<std::string> sets_;  // folders of test data
  bool per_node_ = false;
  std::vector<onnx::NodeValue> nodes_;
  std::optional<onnx::DataSet> data_;
  Tolerance tolerance_;
};

ExitCode Validate(const Invocation& in) {
  ValidateOutput output(in.args.Has("--json"), in.io.out);
  const ExitCode code = Validation(in, output).Run();
  output.Finish();
  return code;
}

}  // namespace

const Verb kVerbValidate = {
    .name = "validate",
    .summary = "compile and run a program, and compare with the interpreter",
    .operands = "FILE",
    .min_operands = 1,
    .max_operands = 1,
    .reports = true,
    .options = kValidateOptions,
    .details = kValidateDetails,
    .run = Validate,
};

}  // namespace lathe::driver

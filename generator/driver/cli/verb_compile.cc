#include "generator/driver/cli/verb_compile.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "generator/bundle/cuda_cmake_lists.h"
#include "generator/bundle/package_files.h"
#include "generator/bundle/package_kinds.h"
#include "generator/bundle/remove_stale_runtime.h"
#include "generator/bundle/write_bundle.h"
#include "generator/driver/cli/budget.h"
#include "generator/driver/cli/depfile.h"
#include "generator/driver/cli/measure_options.h"
#include "generator/driver/cli/render_report.h"
#include "generator/driver/cli/reported_model.h"
#include "generator/driver/cli/shared_arena.h"
#include "generator/driver/options/fusion_options.h"
#include "generator/driver/options/model_options.h"
#include "generator/driver/options/numerics.h"
#include "generator/driver/options/params_option.h"
#include "generator/driver/options/pool_option.h"
#include "generator/driver/options/step_option.h"
#include "generator/driver/options/stream_option.h"
#include "generator/driver/origin.h"
#include "generator/driver/validate/golden.h"
#include "generator/driver/view/report_json.h"
#include "generator/support/files.h"
#include "nlohmann/json.hpp"

namespace lathe::driver {
namespace {

constexpr Option kCompileOptions[] = {
    {"--output", 'o', "FOLDER", "folder for the files, created if missing (.)"},
    {"--name", 'n', "NAME", "the C prefix of every symbol and file (the model's file name)"},
    kShareArenaOption,
    {"--dim", 'D', "NAME=N", "compile for this size of a shape variable, or for LOW..HIGH"},
    kParamsOption,
    kOutputsOption,
    kIoOption,
    kTapOption,
    kStreamOption,
    kStreamPaddingOption,
    kLikeOption,
    {"--externs", 0, "link|table", "external functions: linked, or passed to init (link)"},
    {"--target", 't', "TARGET", "the target (generic-c99); 'lathe targets' lists them"},
    {kNumericsOption, 0, kNumericsChoices, kNumericsDescription},
    kNoFuseOption,
    kPreferOption,
    kPoolOption,
    kStepOption,
    kStepMacsOption,
    kHooksOption,
    {"--weights", 0, "words|incbin|external|decoded",
     "in the source, in a file for the assembler, in one for init or create, or in one that a "
     "function of yours decodes (words)"},
    {"--golden", 0, "", "add a self-test: random inputs with the results of 'lathe run'"},
    {"--seed", 0, "N", "seed of the inputs of the self-test (1)"},
    {"--package", 0, bundle::kPackageChoices, "add the files of a build system (plain)"},
    {"--package-version", 0, "X.Y.Z", "the version of the package, if it has one (1.0.0)"},
    kCcOption,
    kCflagsOption,
    kCflagsOnlyOption,
    kStackOfOption,
    {"--max-ram", 0, "BYTES",
     "write nothing, and end with exit code 4, when arena, inputs, outputs, state and instance "
     "take more"},
    kArenaBudgetOption,
    kFlashBudgetOption,
    kStackBudgetOption,
    {"-MD", 0, "", "write the dependencies of the files to NAME.d beside them, for make and ninja"},
    {"-MF", 0, "FILE", "write it there"},
    {"-MT", 0, "OUTPUT", "target of the dependencies; repeatable (all files)"},
    {"--list-outputs", 0, "", "write nothing; print the names of the files"},
};

// The compiled models of a command: one, or those that share an arena.
struct CompiledModels {
  ReportedModels all;
  SharedBytes constants;
  std::vector<emit::OutputFile> files;  // of the bundle
  std::vector<std::string> outputs;     // their paths

  const CompiledModel& first() const { return all.front()->compiled; }
};

// Returns the dependency file for -MD and -MF, or "" without these options.
absl::StatusOr<std::string> DepfileOf(const Invocation& in, const CompiledModels& models) {
  if (!in.args.Has("-MD") && !in.args.Has("-MF")) return std::string();
  std::vector<std::string> targets;
  for (absl::string_view target : in.args.Values("-MT")) targets.emplace_back(target);
  std::vector<std::string> inputs;
  for (const std::string& operand : in.args.operands) {
    if (operand != "-") inputs.push_back(operand);
  }
  for (const auto& model : models.all) {
    const std::vector<std::string>& read = model->compiled.read;
    inputs.insert(inputs.end(), read.begin(), read.end());
  }
  if (targets.empty()) targets = models.outputs;
  for (const std::vector<std::string>* paths : {&targets, &inputs}) {
    for (const std::string& path : *paths) {
      if (path.find_first_of("\r\n") == path.npos) continue;
      return absl::InvalidArgumentError(
          absl::StrCat("'", path, "' has a line break, which dependency files cannot express"));
    }
  }
  return Depfile(targets, inputs);
}

absl::Status WriteDepfile(const Invocation& in, const CompiledModels& models,
                          const std::string& text) {
  if (text.empty()) return absl::OkStatus();
  const std::filesystem::path folder(std::string(in.args.Value("--output", ".")));
  const std::string name(in.args.Value("--share-arena", models.first().name));
  const std::string file = in.args.Has("-MF") ? std::string(in.args.Value("-MF"))
                                              : (folder / absl::StrCat(name, ".d")).string();
  return WriteFile(file, text);
}

// C compilers need much time and memory for sources with more bytes of weights.
constexpr int64_t kManyWords = int64_t{16} << 20;

// Returns true for three numbers with dots between them, which every package format accepts.
bool IsPackageVersion(absl::string_view text) {
  const std::vector<absl::string_view> parts = absl::StrSplit(text, '.');
  return parts.size() == 3 && absl::c_all_of(parts, [](absl::string_view part) {
           return !part.empty() && part.size() <= 9 && absl::c_all_of(part, absl::ascii_isdigit) &&
                  (part == "0" || part[0] != '0');
         });
}

// Adds the self-test and the files for build systems.
ExitCode AddSupportFiles(const Invocation& in, uint64_t seed, CompiledModel& compiled) {
  std::vector<emit::OutputFile>& files = compiled.model.files;
  if (compiled.golden) {
    Diagnostics diags;
    auto golden = GoldenFile(compiled, seed, diags);
    if (diags.has_errors()) return in.report->Add(diags);
    if (!golden.ok()) return in.report->Usage(golden.status().message());
    golden->file.of_model = false;
    files.push_back(std::move(golden->file));
    for (const std::string& line : golden->omitted) in.report->Remark(line);
  }
  if (compiled.gpus) {
    auto package = bundle::CudaCMakeLists(compiled.gpus->architectures(), compiled.name, files);
    if (!package.ok()) return in.report->EnvironmentError(package.status());
    for (emit::OutputFile& file : *package) files.push_back(std::move(file));
    return kExitOk;
  }
  if (compiled.package == nullptr) return kExitOk;
  const GeneratedModel& model = compiled.model;
  const bundle::PackagedModel packaged{
      compiled.name,   std::string(in.args.Value("--package-version", "1.0.0")),
      model.program,   model.plan,
      model.functions, !model.takes_table && !model.external_weights};
  const absl::Status added = bundle::AddPackageFiles(*compiled.package, packaged, files);
  if (!added.ok()) return in.report->Usage(added.message());
  return kExitOk;
}

// Remarks that a float model is compiled for a core whose unit for float is not used.
void RemarkOnFloats(const Invocation& in, const Target& target, const ModelReport& report) {
  const Target* better = WithFloatUnit(target);
  if (better == nullptr) return;
  size_t steps = 0, floats = 0;
  bool has_products = false;
  for (const RoutineReport& routine : report.routines) {
    for (const StepReport& step : routine.steps) {
      ++steps;
      if (step.floats.empty()) continue;
      ++floats;
      has_products |= step.macs.value_or(0) > 0;
    }
  }
  // Quantized models may have a few steps in floats.
  if (!has_products && 2 * floats <= steps) return;
  in.report->Remark(absl::StrCat(target.name, " computes floats in software; -t ", better->name,
                                 " is the same core with a unit for float"));
}

// Compiles each model with its arguments, and collects the files of the bundle.
ExitCode CompileModels(const Invocation& in, absl::Span<const Arguments> each, uint64_t seed,
                       CompiledModels& models) {
  const auto steps = ReadStepOptions(in.args);
  if (!steps.ok()) return in.report->Usage(steps.status().message());
  for (const Arguments& args : each) {
    const Invocation one{in.verb, args, in.io, in.report};
    models.all.push_back(std::make_unique<ReportedModel>());
    CompiledModel& compiled = models.all.back()->compiled;
    compiled.weights = std::string(args.Value("--weights", "words"));
    compiled.golden = args.Has("--golden");
    if (!in.args.Has("--list-outputs")) compiled.command = CommandAgain(*in.verb, in.args);
    compiled.steps = *steps;
    compiled.package = bundle::FindPackageKind(args.Value("--package", "plain"));
    if (const ExitCode code = CompileReported(one, *models.all.back()); code != kExitOk) {
      return code;
    }
  }
  const auto constants = ShareConstants(in.args, models.all, models.files);
  if (!constants.ok()) return in.report->InputError(constants.status());
  models.constants = *constants;
  for (size_t i = 0; i < each.size(); ++i) {
    const Invocation one{in.verb, each[i], in.io, in.report};
    const ExitCode code = AddSupportFiles(one, seed, models.all[i]->compiled);
    if (code != kExitOk) return code;
  }
  const absl::Status added = AddFilesOfModels(in.args, models.all, models.files);
  if (!added.ok()) return in.report->Usage(added.message());
  const std::filesystem::path folder(std::string(in.args.Value("--output", ".")));
  for (const emit::OutputFile& file : models.files) {
    models.outputs.push_back((folder / file.name).string());
  }
  return kExitOk;
}

// Measures the models, and checks the budgets of all together.
ExitCode MeasureModels(const Invocation& in, absl::Span<const Arguments> each,
                       CompiledModels& models) {
  for (size_t i = 0; i < each.size(); ++i) {
    const Invocation one{in.verb, each[i], in.io, in.report};
    if (const ExitCode code = MeasureReported(one, *models.all[i]); code != kExitOk) return code;
  }
  if (!in.args.Has("--share-arena")) return CheckBudgets(in, *models.all.front());
  ReportedModel together;
  together.budget = models.all.front()->budget;
  together.report = ReportTogether(models.all, models.constants);
  return CheckBudgets(in, together);
}

void RemarkOnModel(const Invocation& in, const ReportedModel& model) {
  RemarkOnFloats(in, *model.compiled.target, model.report);
  if (model.compiled.weights == "words" && model.report.weights > kManyWords) {
    in.report->Remark(absl::StrCat(
        "the source has ", model.report.weights >> 20,
        " MiB of weights as array initializers, which compile slowly; '--weights incbin' includes "
        "a file with the assembler, '--weights external' reads a file at run time"));
  }
}

// Prints the result of models that share an arena as one JSON object.
void PrintSharedJson(const Invocation& in, const CompiledModels& models) {
  const ModelReport together = ReportTogether(models.all, models.constants);
  const bool bounded = !together.open && !together.ram.open;
  nlohmann::ordered_json object = {
      {"schema_version", 1},
      {"share_arena", std::string(in.args.Value("--share-arena"))},
      {"arena_bytes", together.ram.arena},
      {"ram_bytes",
       bounded ? nlohmann::ordered_json(together.ram.total()) : nlohmann::ordered_json()},
      {"shared_constant_bytes", models.constants.stored},
      {"models", nlohmann::ordered_json::array()},
      {"files", models.outputs}};
  for (const auto& model : models.all) {
    object["models"].push_back(ReportAsJson(model->compiled, model->report, model->measured_with));
  }
  Print(in.io.out, JsonText(object));
}

void PrintModels(const Invocation& in, const CompiledModels& models) {
  const bool shared = in.args.Has("--share-arena");
  if (in.args.Has("--json")) {
    if (shared) return PrintSharedJson(in, models);
    const ReportedModel& model = *models.all.front();
    nlohmann::ordered_json object = ReportAsJson(model.compiled, model.report, model.measured_with);
    object["files"] = models.outputs;
    return Print(in.io.out, JsonText(object));
  }
  std::string said = "wrote";
  for (size_t i = 0; i < models.outputs.size(); ++i) {
    absl::StrAppend(&said, " ", i == 0 ? models.outputs[i] : models.files[i].name);
  }
  said += "\n";
  for (const auto& model : models.all) {
    if (shared) absl::StrAppend(&said, "\n", model->compiled.name, "\n");
    const std::string& numerics = model->compiled.numerics;
    if (!numerics.empty()) absl::StrAppend(&said, "numerics ", numerics, "\n");
    const auto& stream = model->compiled.stream;
    if (stream) absl::StrAppend(&said, RenderStream(*stream, model->report.macs));
    absl::StrAppend(&said, RenderTotals(model->report, model->measured_with));
  }
  if (shared) {
    absl::StrAppend(&said, "\n", in.args.Value("--share-arena"), ", the arena of all\n",
                    RenderTotals(ReportTogether(models.all, models.constants),
                                 models.all.front()->measured_with));
  }
  Print(in.io.out, said);
}

ExitCode Compile(const Invocation& in) {
  uint64_t seed = 1;
  if (in.args.Has("--seed") && !absl::SimpleAtoi(in.args.Value("--seed"), &seed)) {
    return in.report->Usage(
        absl::StrCat("option '--seed' must be a number; got '", in.args.Value("--seed"), "'"));
  }
  if (in.args.Has("--package-version") && !IsPackageVersion(in.args.Value("--package-version"))) {
    return in.report->Usage(
        absl::StrCat("option '--package-version' must be three numbers, as "
                     "in 1.0.0; got '",
                     in.args.Value("--package-version"), "'"));
  }
  const auto each = ArgumentsOfModels(in.args);
  if (!each.ok()) return in.report->Usage(each.status().message());
  CompiledModels models;
  if (const ExitCode code = CompileModels(in, *each, seed, models); code != kExitOk) return code;
  if (in.args.Has("--list-outputs")) {
    const nlohmann::ordered_json object = {{"schema_version", 1}, {"files", models.outputs}};
    Print(in.io.out, in.args.Has("--json")
                         ? JsonText(object)
                         : absl::StrCat(absl::StrJoin(models.outputs, "\n"), "\n"));
    return kExitOk;
  }
  if (const ExitCode code = MeasureModels(in, *each, models); code != kExitOk) return code;
  const auto depfile = DepfileOf(in, models);
  if (!depfile.ok()) return in.report->Usage(depfile.status().message());
  const std::string folder(in.args.Value("--output", "."));
  absl::Status written = bundle::WriteBundle(folder, models.files);
  if (written.ok()) written = WriteDepfile(in, models, *depfile);
  if (!written.ok()) return in.report->EnvironmentError(written);
  const auto stale = bundle::RemoveStaleRuntime(folder, models.files);
  if (!stale.empty()) {
    in.report->Remark(absl::StrCat("removed ", absl::StrJoin(stale, " "),
                                   ", which an earlier compile wrote and no file includes"));
  }
  for (const auto& model : models.all) RemarkOnModel(in, *model);
  PrintModels(in, models);
  return kExitOk;
}

}  // namespace

constexpr Verb kVerbCompile = {
    .name = "compile",
    .summary = "compile a program to C or CUDA files",
    .operands = "FILE...",
    .min_operands = 1,
    .max_operands = 1 << 20,
    .reports = true,
    .options = kCompileOptions,
    .details =
        "Prints the files and their memory; 'lathe analyze' prints details. Either all files are\n"
        "written or none. If constructs cannot be compiled, lists all of them and ends with exit "
        "code 3.\n"
        "\n"
        "Examples:\n"
        "  lathe compile hello_add.py -o out -n hello_add\n"
        "  lathe compile model.py -t generic-c99 -o generated\n"
        "  lathe compile model.py -D n=4 -o generated\n"
        "  lathe compile kws.tflite vad.onnx --share-arena scratch -D vad:batch=1 -o generated\n"
        "  lathe compile kws.tflite -t cortex-m4f -o kws --step-macs 600\n"
        "  lathe compile kws.tflite -t cortex-m4f -o modules/kws --package zephyr --golden\n"
        "  lathe compile model.onnx -t cuda:sm_80,sm_90a+ptx -o generated --weights incbin\n",
    .run = Compile,
};

}  // namespace lathe::driver

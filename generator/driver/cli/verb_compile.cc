#include "generator/driver/cli/verb_compile.h"

#include <filesystem>
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
#include "generator/driver/options/model_options.h"
#include "generator/driver/options/numerics.h"
#include "generator/driver/options/params_option.h"
#include "generator/driver/options/pool_option.h"
#include "generator/driver/options/step_option.h"
#include "generator/driver/validate/golden.h"
#include "generator/driver/view/report_json.h"
#include "generator/support/files.h"
#include "nlohmann/json.hpp"

namespace lathe::driver {
namespace {

constexpr Option kCompileOptions[] = {
    {"--output", 'o', "FOLDER", "folder for the files, created if missing (.)"},
    {"--name", 'n', "NAME", "the C prefix of every symbol and file (the model's file name)"},
    {"--dim", 'D', "NAME=N", "compile for this size of a shape variable, or for LOW..HIGH"},
    kParamsOption,
    kOutputsOption,
    kIoOption,
    kTapOption,
    kLikeOption,
    {"--externs", 0, "link|table", "external functions: linked, or passed to init (link)"},
    {"--target", 't', "TARGET", "the target (generic-c99); 'lathe targets' lists them"},
    {kNumericsOption, 0, kNumericsChoices, kNumericsDescription},
    {"--no-fuse", 0, "", "one kernel for each operator, its result in memory"},
    kPoolOption,
    kStepOption,
    kStepMacsOption,
    kHooksOption,
    {"--weights", 0, "words|incbin|external",
     "in the source, in a file for the assembler, or in one for init or create (words)"},
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

// Returns the dependency file for -MD and -MF, or "" without these options.
absl::StatusOr<std::string> DepfileOf(const Invocation& in, const CompiledModel& compiled,
                                      const std::vector<std::string>& outputs) {
  if (!in.args.Has("-MD") && !in.args.Has("-MF")) return std::string();
  std::vector<std::string> targets;
  for (absl::string_view target : in.args.Values("-MT")) targets.emplace_back(target);
  std::vector<std::string> inputs;
  if (in.args.operands[0] != "-") inputs.push_back(in.args.operands[0]);
  inputs.insert(inputs.end(), compiled.read.begin(), compiled.read.end());
  if (targets.empty()) targets = outputs;
  for (const std::vector<std::string>* paths : {&targets, &inputs}) {
    for (const std::string& path : *paths) {
      if (path.find_first_of("\r\n") == path.npos) continue;
      return absl::InvalidArgumentError(
          absl::StrCat("'", path, "' has a line break, which dependency files cannot express"));
    }
  }
  return Depfile(targets, inputs);
}

absl::Status WriteDepfile(const Invocation& in, const CompiledModel& compiled,
                          const std::string& text) {
  if (text.empty()) return absl::OkStatus();
  const std::filesystem::path folder(std::string(in.args.Value("--output", ".")));
  const std::string file = in.args.Has("-MF") ? std::string(in.args.Value("-MF"))
                                              : (folder / (compiled.name + ".d")).string();
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
  const auto steps = ReadStepOptions(in.args);
  if (!steps.ok()) return in.report->Usage(steps.status().message());
  ReportedModel model;
  CompiledModel& compiled = model.compiled;
  compiled.weights = std::string(in.args.Value("--weights", "words"));
  compiled.golden = in.args.Has("--golden");
  compiled.steps = *steps;
  compiled.package = bundle::FindPackageKind(in.args.Value("--package", "plain"));
  if (const ExitCode code = CompileReported(in, model); code != kExitOk) return code;
  if (const ExitCode code = AddSupportFiles(in, seed, compiled); code != kExitOk) return code;
  const std::string folder(in.args.Value("--output", "."));
  std::vector<std::string> outputs;
  for (const emit::OutputFile& file : compiled.model.files) {
    outputs.push_back((std::filesystem::path(folder) / file.name).string());
  }
  if (in.args.Has("--list-outputs")) {
    const nlohmann::ordered_json object = {{"schema_version", 1}, {"files", outputs}};
    Print(in.io.out, in.args.Has("--json") ? JsonText(object)
                                           : absl::StrCat(absl::StrJoin(outputs, "\n"), "\n"));
    return kExitOk;
  }
  if (const ExitCode code = MeasureReported(in, model); code != kExitOk) return code;
  if (const ExitCode code = CheckBudgets(in, model); code != kExitOk) return code;
  const auto depfile = DepfileOf(in, compiled, outputs);
  if (!depfile.ok()) return in.report->Usage(depfile.status().message());
  absl::Status written = bundle::WriteBundle(folder, compiled.model.files);
  if (written.ok()) written = WriteDepfile(in, compiled, *depfile);
  if (!written.ok()) return in.report->EnvironmentError(written);
  const auto stale = bundle::RemoveStaleRuntime(folder, compiled.model.files);
  if (!stale.empty()) {
    in.report->Remark(absl::StrCat("removed ", absl::StrJoin(stale, " "),
                                   ", which an earlier compile wrote and no file includes"));
  }
  RemarkOnFloats(in, *compiled.target, model.report);
  if (compiled.weights == "words" && model.report.weights > kManyWords) {
    in.report->Remark(absl::StrCat(
        "the source has ", model.report.weights >> 20,
        " MiB of weights as array initializers, which compile slowly; '--weights incbin' includes "
        "a file with the assembler, '--weights external' reads a file at run time"));
  }
  if (in.args.Has("--json")) {
    nlohmann::ordered_json object = ReportAsJson(compiled, model.report, model.measured_with);
    object["files"] = outputs;
    Print(in.io.out, JsonText(object));
    return kExitOk;
  }
  std::string said = "wrote";
  for (size_t i = 0; i < outputs.size(); ++i) {
    absl::StrAppend(&said, " ", i == 0 ? outputs[i] : compiled.model.files[i].name);
  }
  if (!compiled.numerics.empty()) absl::StrAppend(&said, "\nnumerics ", compiled.numerics);
  Print(in.io.out, absl::StrCat(said, "\n", RenderTotals(model.report, model.measured_with)));
  return kExitOk;
}

}  // namespace

constexpr Verb kVerbCompile = {
    .name = "compile",
    .summary = "compile a program to C or CUDA files",
    .operands = "FILE",
    .min_operands = 1,
    .max_operands = 1,
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
        "  lathe compile kws.tflite -t cortex-m4f -o kws --step-macs 600\n"
        "  lathe compile kws.tflite -t cortex-m4f -o modules/kws --package zephyr --golden\n"
        "  lathe compile model.onnx -t cuda:sm_80,sm_90a+ptx -o generated --weights incbin\n",
    .run = Compile,
};

}  // namespace lathe::driver

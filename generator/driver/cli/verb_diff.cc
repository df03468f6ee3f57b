#include "generator/driver/cli/verb_diff.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "generator/driver/cli/measure_options.h"
#include "generator/driver/cli/write_result.h"
#include "generator/driver/compare/compare_models.h"
#include "generator/driver/compile_model.h"
#include "generator/driver/model_report.h"
#include "generator/driver/options/fusion_options.h"
#include "generator/driver/options/model_options.h"
#include "generator/driver/options/numerics.h"
#include "generator/driver/options/params_option.h"
#include "generator/driver/options/pool_option.h"
#include "generator/driver/view/diff_page.h"
#include "generator/driver/view/diff_text.h"
#include "generator/driver/view/report_json.h"
#include "generator/support/status.h"
#include "nlohmann/json.hpp"

namespace lathe::driver {
namespace {

constexpr Option kDiffOptions[] = {
    {"--target", 't', "TARGET", "the target of both, or with two -t of A and of B (generic-c99)"},
    {"--name", 'n', "NAME", "the C prefix of every symbol of both (model)"},
    {"--output", 'o', "FILE", "also write the comparison as a page to FILE"},
    {"--fail-on-difference", 0, "", "end with exit code 6 if the models differ"},
    {"--seed", 0, "N", "seed of the random inputs for the results (1)"},
    {"--no-run", 0, "", "do not compare results"},
    {"--dim", 'D', "NAME=N", "compare for this size of a shape variable, or for LOW..HIGH"},
    kParamsOption,
    kOutputsOption,
    kIoOption,
    kTapOption,
    kLikeOption,
    kCcOption,
    kCflagsOption,
    kCflagsOnlyOption,
    kStackOfOption,
    {"--externs", 0, "link|table", "external functions: linked, or passed to init (link)", true},
    {kNumericsOption, 0, kNumericsChoices, kNumericsDescription},
    kNoFuseOption,
    kPreferOption,
    kPoolOption,
};
constexpr const Option* kTargetOfSide = &kDiffOptions[0];
constexpr const Option* kNameOfSides = &kDiffOptions[1];

// A model of the command line, with what it is compared by.
struct ComparedModel {
  CompiledModel compiled;
  ModelReport report;
  DiffTitle title;
};

// Returns the targets of A and B.
absl::StatusOr<std::array<std::string, 2>> ReadTargets(const Arguments& args) {
  const std::vector<absl::string_view> given = args.Values("--target");
  if (given.size() > 2) {
    return absl::InvalidArgumentError(
        absl::StrCat("option '--target' is for both models, or one for each; it is given ",
                     given.size(), " times"));
  }
  if (args.operands.size() == 1 && given.size() < 2) {
    return absl::InvalidArgumentError(
        "nothing to compare with: give two files, or one file and two targets, such as -t "
        "cortex-m4f -t x86-64-v3");
  }
  if (args.operands.size() == 2 && args.operands[0] == "-" && args.operands[1] == "-") {
    return absl::InvalidArgumentError("only one of the files can be '-', the standard input");
  }
  const absl::string_view first = given.empty() ? "generic-c99" : given.front();
  return std::array<std::string, 2>{std::string(first),
                                    std::string(given.size() == 2 ? given.back() : first)};
}

// Returns the command line for one side. Equal names make equal code for equal models.
Invocation SideOf(const Invocation& in, const std::string& file, const std::string& target) {
  Invocation side = in;
  side.args.operands = {file};
  side.args.given.clear();
  for (const auto& given : in.args.given) {
    if (given.first != kTargetOfSide) side.args.given.push_back(given);
  }
  side.args.given.emplace_back(kTargetOfSide, target);
  if (!in.args.Has("--name")) side.args.given.emplace_back(kNameOfSides, kGeneratedName);
  return side;
}

ExitCode CompileSide(const Invocation& side, ComparedModel& model) {
  const ExitCode code = CompileModel(side, model.compiled);
  if (code != kExitOk) return code;
  auto measures = MeasureModel(side, model.compiled);
  if (!measures.ok()) return side.report->EnvironmentError(measures.status());
  model.report =
      MakeModelReport(model.compiled.model, *model.compiled.target, *std::move(measures));
  model.title = {side.args.operands[0], std::string(side.args.Value("--target"))};
  return kExitOk;
}

ExitCode Diff(const Invocation& in) {
  const auto targets = ReadTargets(in.args);
  if (!targets.ok()) return in.report->Usage(targets.status().message());
  const auto stack_of = ReadStackOfOptions(in.args);
  if (!stack_of.ok()) return in.report->Usage(stack_of.status().message());
  uint64_t seed = 1;
  if (in.args.Has("--seed") && !absl::SimpleAtoi(in.args.Value("--seed"), &seed)) {
    return in.report->Usage(
        absl::StrCat("option '--seed' must be a number; got '", in.args.Value("--seed"), "'"));
  }
  ComparedModel a, b;
  const std::vector<std::string>& files = in.args.operands;
  ExitCode code = CompileSide(SideOf(in, files.front(), (*targets)[0]), a);
  if (code == kExitOk) code = CompileSide(SideOf(in, files.back(), (*targets)[1]), b);
  if (code != kExitOk) return code;
  const ModelsDiff diff =
      CompareModels({&a.compiled, &a.report}, {&b.compiled, &b.report},
                    in.args.Has("--no-run") ? std::nullopt : std::optional<uint64_t>(seed));
  if (in.args.Has("--output")) {
    const auto page = DiffPage(a.title, b.title, diff);
    if (!page.ok()) return in.report->EnvironmentError(page.status());
    const ExitCode written = WriteResult(in, in.args.Value("--output"), *page);
    if (written != kExitOk) return written;
  }
  if (in.args.Value("--output") != "-") {
    Print(in.io.out, in.args.Has("--json") ? JsonText(DiffAsJson(a.title, b.title, diff))
                                           : DiffText(a.title, b.title, diff));
  }
  return in.args.Has("--fail-on-difference") && diff.differs() ? kExitMismatch : kExitOk;
}

}  // namespace

constexpr Verb kVerbDiff = {
    .name = "diff",
    .summary = "compare two programs, or one for two targets",
    .operands = "A [B]",
    .min_operands = 1,
    .max_operands = 2,
    .reports = true,
    .options = kDiffOptions,
    .details =
        "Compares operators, steps of the compiled programs, weights, memory, code, and the "
        "results\n"
        "for equal random inputs. Names have no part in it. The exit code is 0 if they differ, "
        "too,\n"
        "unless --fail-on-difference is given.\n"
        "\n"
        "Examples:\n"
        "  lathe diff old.onnx new.onnx\n"
        "  lathe diff old.onnx new.onnx -t cortex-m4f --cc arm-none-eabi-gcc -o diff.html\n"
        "  lathe diff model.tflite -t cortex-m4f -t cortex-m55\n"
        "  lathe diff old.py new.py --json --fail-on-difference\n",
    .run = Diff,
};

}  // namespace lathe::driver

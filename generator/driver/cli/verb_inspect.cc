#include "generator/driver/cli/verb_inspect.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/types/span.h"
#include "generator/driver/cli/write_result.h"
#include "generator/driver/graph_passes.h"
#include "generator/driver/load_program.h"
#include "generator/driver/options/fusion_options.h"
#include "generator/driver/options/model_options.h"
#include "generator/driver/options/numerics.h"
#include "generator/driver/options/params_option.h"
#include "generator/driver/options/read_source.h"
#include "generator/driver/options/stream_option.h"
#include "generator/driver/options/target_option.h"
#include "generator/driver/pipeline.h"
#include "generator/ir/print/print_tvmscript.h"
#include "generator/lower/lower.h"
#include "generator/reader/relay_text/read_relay_text.h"
#include "generator/schedule/print_steps.h"
#include "generator/schedule/program_passes.h"
#include "generator/support/closest_name.h"
#include "generator/support/status.h"
#include "generator/target/target.h"
#include "generator/writer/onnx/write_onnx.h"

namespace lathe::driver {
namespace {

constexpr Option kInspectOptions[] = {
    {"--format", 0, "tvmscript|relay|onnx|steps",
     "the output format; relay is the text of a Relay file, onnx a model, steps are the kernels of "
     "the C code (tvmscript)"},
    {"--dialect", 0, "classic|0.24|0.26|0.27", "the spelling of TVMScript (0.26)"},
    {"--after", 0, "PASS",
     "print the program after PASS; 'read' is the program as written (read; with --show-info, the "
     "last check); after program passes, its steps"},
    {"--apply", 0, "PASS,...", "apply these passes to the loaded program, in this order"},
    {"--show-info", 0, "", "annotate every variable with its structural information"},
    {"--show-origin", 0, "", "end each binding with its place in the source"},
    kNoFuseOption,
    kPreferOption,
    {"--target", 't', "TARGET", "the target of the steps (generic-c99)"},
    {"--dim", 'D', "NAME=N", "the program for this size of a shape variable, or for LOW..HIGH"},
    {kNumericsOption, 0, kNumericsChoices,
     "quantized operators in integers, or as defined (steps: fused)"},
    kParamsOption,
    kOutputsOption,
    kIoOption,
    kTapOption,
    kStreamOption,
    kStreamPaddingOption,
    kLikeOption,
    {"--output", 'o', "FILE", "write to FILE, not to standard output"},
};

ir::Dialect DialectOf(absl::string_view name) {
  if (name == "classic") return ir::Dialect::kClassic;
  if (name == "0.24") return ir::Dialect::kV0_24;
  return name == "0.27" ? ir::Dialect::kV0_27 : ir::Dialect::kV0_26;
}

// Returns the name of the lowered program before all program passes, then the names of these.
std::vector<absl::string_view> ProgramPassNames() {
  std::vector<absl::string_view> names = {schedule::kLowered};
  for (const schedule::ProgramPass& pass : schedule::ProgramPasses()) names.push_back(pass.name);
  return names;
}

bool IsProgramPass(absl::string_view name) {
  return absl::c_linear_search(ProgramPassNames(), name);
}

// The passes of --apply: graph passes and program passes.
struct AppliedPasses {
  std::string graph;  // "a,b"
  std::vector<absl::string_view> program;
};

absl::StatusOr<AppliedPasses> ReadApply(const Arguments& args) {
  const absl::string_view list = args.Value("--apply");
  LATHE_RETURN_IF_ERROR(CheckPassNames(list, ProgramPassNames()));
  AppliedPasses passes;
  std::vector<absl::string_view> graph;
  for (absl::string_view name : absl::StrSplit(list, ',', absl::SkipEmpty())) {
    if (IsProgramPass(name)) {
      passes.program.push_back(name);
    } else if (passes.program.empty()) {
      graph.push_back(name);
    } else {
      return absl::InvalidArgumentError(
          absl::StrCat("pass '", name, "' applies to modules and cannot follow '",
                       passes.program.back(), "', which applies to programs"));
    }
  }
  passes.graph = absl::StrJoin(graph, ",");
  return passes;
}

// Selects the program passes to run: all up to one, or a list.
struct StepsRequest {
  absl::string_view last;  // empty: all
  absl::Span<const absl::string_view> only;
};

absl::Status RunPasses(schedule::ProgramContext& context, const StepsRequest& request,
                       ir::Program& program) {
  if (request.only.empty()) return schedule::RunProgramPasses(context, program, request.last);
  for (absl::string_view name : request.only) {
    if (name == schedule::kLowered) continue;
    LATHE_RETURN_IF_ERROR(schedule::RunProgramPass(context, name, program));
  }
  return absl::OkStatus();
}

// Also runs the graph passes that lowering requires, after those of --apply.
ExitCode InspectSteps(const Invocation& in, ir::Context& context, const ChosenTarget& target,
                      LoadedProgram loaded, const StepsRequest& request, Diagnostics& diags) {
  const auto module = PrepareForLowering(context, std::move(loaded.module), *target.target,
                                         loaded.ranges, diags, PrefersFlash(in.args));
  if (!module.ok()) return in.report->Usage(module.status().message());
  if (diags.has_errors()) return in.report->Add(diags);
  auto program = lower::Lower(context, *module, diags);
  if (!program.ok()) return in.report->Add(diags);
  schedule::ProgramContext passes{
      context, *module, *target.target, target.gpus ? &*target.gpus : nullptr, ReadFusion(in.args),
      diags};
  const absl::Status run = RunPasses(passes, request, *program);
  const ExitCode code = in.report->Add(diags);
  if (code != kExitOk) return code;
  if (!run.ok()) return in.report->Usage(run.message());
  return WriteResult(in, in.args.Value("--output"), schedule::PrintSteps(*program));
}

// Writes the graph as an ONNX model.
ExitCode InspectOnnx(const Invocation& in, ir::Context& context, const ir::Module& module,
                     Diagnostics& diags) {
  const absl::StatusOr<std::string> model = onnx::WriteOnnx(context, module, diags);
  const ExitCode code = in.report->Add(diags);
  if (!model.ok()) return code;
  return WriteResult(in, in.args.Value("--output"), *model);
}

// Prints a Relay file as Relay text. That text is the program as written: no option applies.
ExitCode InspectRelay(const Invocation& in) {
  for (const Option& option : kInspectOptions) {
    const absl::string_view name = option.name;
    if (name != "--format" && name != "--output" && in.args.Has(name)) {
      return in.report->Usage(absl::StrCat("options '--format relay' and '", name,
                                           "' exclude each other: Relay text is the program as "
                                           "written"));
    }
  }
  const auto file = ReadSource(in.args.operands[0], in.io);
  if (!file.ok()) return in.report->EnvironmentError(file.status());
  if (!relay::IsRelayText(*file)) {
    return in.report->Usage(
        "option '--format relay' needs a Relay file (.relay, .rly); the formats for other programs "
        "are tvmscript, onnx and steps");
  }
  ir::Context context;
  Diagnostics diags;
  const absl::StatusOr<std::string> text = relay::ReprintRelayText(context, *file, diags);
  const ExitCode code = in.report->Add(diags);
  if (code != kExitOk) return code;
  return WriteResult(in, in.args.Value("--output"), *text);
}

// Fails if options exclude each other. `after` is the pass of --after or its default.
absl::Status CheckCombination(const Arguments& args, absl::string_view after,
                              const AppliedPasses& passes, absl::string_view format) {
  const bool has_steps = format == "steps";
  const auto refuse = [](const auto&... parts) {
    return absl::InvalidArgumentError(absl::StrCat(parts...));
  };
  const bool after_program_pass = IsProgramPass(after);
  if ((after_program_pass || !passes.program.empty()) && !has_steps) {
    return refuse("'", after_program_pass ? after : passes.program.front(),
                  "' is a program pass; show its result with --format steps");
  }
  if (args.Has("--show-origin") && has_steps) {
    return refuse("option '--show-origin' is for --format tvmscript; steps name their bindings");
  }
  if (format == "onnx") {
    for (const char* option : {"--after", "--dialect", "--show-info", "--show-origin"}) {
      if (args.Has(option)) return refuse("option '", option, "' is not for --format onnx");
    }
  }
  if (args.Has("--target") && !has_steps) {
    return refuse("option '--target' is for --format steps");
  }
  if (args.Has("--after") && !passes.program.empty()) {
    return refuse("options '--after' and '--apply' of program passes exclude each other");
  }
  for (const char* option : {"--dim", "--params", kNumericsOption}) {
    if (args.Has(option) && args.Has("--after") && !after_program_pass) {
      return refuse("option '", option, "' shows a program that no pass has left: without --after");
    }
  }
  return absl::OkStatus();
}

ExitCode Inspect(const Invocation& in) {
  const std::vector<absl::string_view> stages = StageNames();
  std::vector<absl::string_view> names = stages;
  for (absl::string_view name : ProgramPassNames()) names.push_back(name);
  // The program as written has no derived infos. The last check has them, and has not changed it.
  const absl::string_view after = in.args.Value(
      "--after", in.args.Has("--show-info") ? kLastCheck : absl::string_view(stages.front()));
  if (!absl::c_linear_search(names, after)) {
    return in.report->Usage(absl::StrCat("no pass is named '", after, "'", DidYouMean(after, names),
                                         "\nthe passes are: ", absl::StrJoin(names, ", ")));
  }
  const auto passes = ReadApply(in.args);
  if (!passes.ok()) return in.report->Usage(passes.status().message());
  const bool after_program_pass = IsProgramPass(after);
  const bool of_program = after_program_pass || !passes->program.empty();
  const absl::string_view format = in.args.Value("--format", of_program ? "steps" : "tvmscript");
  if (format == "relay") return InspectRelay(in);
  if (format != "tvmscript" && format != "steps" && format != "onnx") {
    return in.report->Usage(absl::StrCat(
        "option '--format' must be tvmscript, relay, onnx or steps; got '", format, "'"));
  }
  const bool has_steps = format == "steps", is_onnx = format == "onnx";
  const absl::Status combined = CheckCombination(in.args, after, *passes, format);
  if (!combined.ok()) return in.report->Usage(combined.message());
  const auto target = ReadTargetOption(in.args, "generic-c99");
  if (!target.ok()) return in.report->Usage(target.status().message());
  const auto numerics = ReadNumerics(in.args);
  if (!numerics.ok()) return in.report->Usage(numerics.status().message());
  const auto sizes = ReadDimOptions(in.args);
  if (!sizes.ok()) return in.report->Usage(sizes.status().message());
  auto read = ReadModelOptions(in.args, *numerics);
  if (!read.ok()) return in.report->Usage(read.status().message());
  const auto file = ReadSource(in.args.operands[0], in.io);
  if (!file.ok()) return in.report->EnvironmentError(file.status());
  const absl::Status liked = ReadLikeOption(in.args, *file, *read);
  if (!liked.ok()) return in.report->InputError(liked);
  ir::Context context;
  Diagnostics diags;
  NotChecked not_checked;
  auto params = ReadParamsOption(in.args);
  if (!params.ok()) return in.report->InputError(params.status());
  LoadRequest request{*read, *sizes, {}, target->target, *std::move(params), PrefersFlash(in.args)};
  // Steps, --numerics, constants, integer ports, taps and streams require a program with derived
  // infos.
  const bool whole = !passes->graph.empty() || has_steps || is_onnx ||
                     in.args.Has(kNumericsOption) || !sizes->empty() ||
                     in.args.Has(kParamsOption.name) || in.args.Has(kIoOption.name) ||
                     in.args.Has(kTapOption.name) || in.args.Has(kStreamOption.name);
  if (!whole) request.last_stage = std::string(after);
  if (has_steps || in.args.Has(kNumericsOption)) request.numerics = *numerics;
  auto program = LoadProgram(context, *file, request, diags, not_checked);
  if (!program.ok()) return in.report->InputError(program.status());
  if (!*program) return in.report->Add(diags, {not_checked});
  PassContext pass_context{context, diags};
  const absl::Status applied = ApplyPasses(pass_context, passes->graph, (*program)->module);
  if (!applied.ok()) return in.report->EnvironmentError(applied);
  if (!diags.has_errors() && has_steps) {
    return InspectSteps(in, context, *target, **std::move(program),
                        {after_program_pass ? after : "", passes->program}, diags);
  }
  if (!diags.has_errors() && is_onnx) {
    return InspectOnnx(in, context, (*program)->module, diags);
  }
  const ExitCode code = in.report->Add(diags, {not_checked});
  if (code != kExitOk) return code;
  ir::PrintOptions options;
  options.dialect = DialectOf(in.args.Value("--dialect"));
  options.show_info = in.args.Has("--show-info");
  options.show_origin = in.args.Has("--show-origin");
  return WriteResult(in, in.args.Value("--output"),
                     ir::PrintTvmScript((*program)->module, options));
}

}  // namespace

constexpr Verb kVerbInspect = {
    .name = "inspect",
    .summary = "print a program as written or after a pass",
    .operands = "FILE",
    .min_operands = 1,
    .max_operands = 1,
    .reports = false,
    .options = kInspectOptions,
    .details =
        "The output can be read again, and is the same program.\n"
        "\n"
        "Examples:\n"
        "  lathe inspect model.py\n"
        "  lathe inspect model.py --dialect classic -o model_classic.py\n"
        "  lathe inspect model.py --after normalize --show-info\n"
        "  lathe inspect model.py --format steps\n"
        "  lathe inspect model.py --format onnx -o model.onnx\n"
        "  lathe inspect model.relay --format relay\n"
        "  lathe inspect model.py --after fuse\n"
        "  lathe inspect model_int8.onnx --numerics fused\n"
        "  lathe inspect model.py --apply lambda_lift,canonicalize_bindings\n",
    .run = Inspect,
};

}  // namespace lathe::driver

#include "generator/driver/verb_inspect.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/driver/graph_passes.h"
#include "generator/driver/pipeline.h"
#include "generator/driver/read_source.h"
#include "generator/driver/write_result.h"
#include "generator/ir/print_tvmscript.h"
#include "generator/lower/finish_kernels.h"
#include "generator/lower/fuse.h"
#include "generator/lower/lower.h"
#include "generator/lower/print_steps.h"
#include "generator/support/closest_name.h"
#include "generator/target/target.h"

namespace lathe::driver {
namespace {

constexpr Option kOptions[] = {
    {"--format", 0, "tvmscript|steps",
     "the form to print; steps are the kernels of its C code (tvmscript)"},
    {"--dialect", 0, "classic|0.24|0.26", "the spelling of TVMScript (0.26)"},
    {"--after", 0, "PASS",
     "print what PASS left; 'read' is the program as written (read; with --show-info, the last "
     "check)"},
    {"--apply", 0, "PASS,...", "apply these passes to the loaded program, in this order"},
    {"--show-info", 0, "", "annotate every variable with what is known of it"},
    {"--no-fuse", 0, "", "of steps: one kernel for each operator"},
    {"--output", 'o', "FILE", "write to FILE, not to standard output"},
};

ir::Dialect DialectOf(absl::string_view name) {
  if (name == "classic") return ir::Dialect::kClassic;
  return name == "0.24" ? ir::Dialect::kV0_24 : ir::Dialect::kV0_26;
}

// The last passes run too, whatever was asked for before them.
ExitCode InspectSteps(const Invocation& in, ir::Context& context, ir::Module loaded,
                      Diagnostics& diags) {
  const Target& target = *FindTarget("generic-c99");
  const auto module = PrepareForC(context, std::move(loaded), target, {}, diags);
  if (!module.ok()) return in.report->Trouble(module.status());
  if (diags.has_errors()) return in.report->Add(diags);
  auto program = lower::Lower(context, *module, diags);
  const ExitCode code = in.report->Add(diags);
  if (!program.ok() || code != kExitOk) return code;
  if (!in.args.Has("--no-fuse")) lower::Fuse(context, *program, target);
  lower::FinishKernels(context, *program);
  return WriteResult(in, in.args.Value("--output"), lower::PrintSteps(*program));
}

ExitCode Inspect(const Invocation& in) {
  const std::vector<absl::string_view> stages = StageNames();
  // As it is written nothing is known of it yet; once all is, it is still what was written.
  const absl::string_view after = in.args.Value(
      "--after", in.args.Has("--show-info") ? kLastCheck : absl::string_view(stages.front()));
  if (std::find(stages.begin(), stages.end(), after) == stages.end()) {
    return in.report->Usage(absl::StrCat("no pass is named '", after, "'",
                                         DidYouMean(after, stages),
                                         "\nthe passes are: ", absl::StrJoin(stages, ", ")));
  }
  const absl::string_view format = in.args.Value("--format", "tvmscript");
  if (format != "tvmscript" && format != "steps") {
    return in.report->Usage(
        absl::StrCat("option '--format' is tvmscript or steps; got '", format, "'"));
  }
  const absl::string_view passes = in.args.Value("--apply");
  if (const absl::Status known = CheckPassNames(passes); !known.ok()) {
    return in.report->Usage(known.message());
  }
  const auto file = ReadSource(in.args.operands[0], in.io);
  if (!file.ok()) return in.report->Trouble(file.status());
  ir::Context context;
  Diagnostics diags;
  NotChecked left_out;
  auto module = passes.empty() ? LoadModule(context, *file, after, diags, &left_out)
                               : LoadModule(context, *file, diags, &left_out);
  PassContext pass_context{context, diags};
  if (module) {
    const absl::Status applied = ApplyPasses(pass_context, passes, *module);
    if (!applied.ok()) return in.report->Trouble(applied);
  }
  if (module && !diags.has_errors() && format == "steps") {
    return InspectSteps(in, context, *std::move(module), diags);
  }
  const ExitCode code = in.report->Add(diags, {left_out});
  if (!module || code != kExitOk) return code;
  ir::PrintOptions options;
  options.dialect = DialectOf(in.args.Value("--dialect"));
  options.show_info = in.args.Has("--show-info");
  return WriteResult(in, in.args.Value("--output"), ir::PrintTvmScript(*module, options));
}

}  // namespace

constexpr Verb kVerbInspect = {
    .name = "inspect",
    .summary = "print a program as lathe sees it, as written or after a pass",
    .operands = "FILE",
    .min_operands = 1,
    .max_operands = 1,
    .reports = false,
    .options = kOptions,
    .details =
        "What is printed can be read again, and is the same program.\n"
        "\n"
        "Examples:\n"
        "  lathe inspect model.py\n"
        "  lathe inspect model.py --dialect classic -o model_classic.py\n"
        "  lathe inspect model.py --after normalize --show-info\n"
        "  lathe inspect model.py --format steps\n"
        "  lathe inspect model.py --apply lambda_lift,canonicalize_bindings\n",
    .run = Inspect,
};

}  // namespace lathe::driver

#include "generator/driver/cli/verb_ops.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "generator/driver/cli/gpu_instruction_table.h"
#include "generator/driver/cli/onnx_operators.h"
#include "generator/driver/cli/operator_table.h"
#include "generator/driver/cli/relay_operators.h"
#include "generator/driver/cli/tflite_operators.h"
#include "generator/ops/ops.h"
#include "generator/support/closest_name.h"

namespace lathe::driver {
namespace {

// Finds an operator by any of its names: "nn.relu", "R.nn.relu", "relax.nn.relu".
const ir::Op* FindOperator(absl::string_view name) {
  if (const ir::Op* op = ops::FindOp(name)) return op;
  return ops::FindSurfaceOp(absl::StripPrefix(name, "R."));
}

ExitCode ExplainOperator(const Invocation& in, absl::string_view name) {
  const ir::Op* op = FindOperator(name);
  if (op == nullptr) {
    std::vector<absl::string_view> known;
    for (const ir::Op& other : ops::AllOps()) {
      known.push_back(absl::StripPrefix(other.name, "relax."));
    }
    const absl::string_view bare = absl::StripPrefix(absl::StripPrefix(name, "R."), "relax.");
    return in.report->Usage(absl::StrCat("no operator is named '", name, "'",
                                         DidYouMean(bare, known),
                                         "\n'lathe ops' lists all operators"));
  }
  const std::string how = op->compute != nullptr
                              ? "computed by a loop nest, made when its shapes are known"
                              : absl::StrCat("no loop nest: ", OperatorComputation(*op));
  Print(in.io.out, absl::StrCat(OperatorSignature(*op), "\n",
                                op->pure ? "pure" : "impure: it has effects", "\n", how, "\n"));
  return kExitOk;
}

struct OperatorTable {
  absl::string_view name;
  std::string (*as_text)();
  std::string (*as_markdown)();
  std::string (*as_json)();
};
constexpr OperatorTable kOperatorTables[] = {
    {"relax", OperatorsAsText, OperatorsAsMarkdown, OperatorsAsJson},
    {"onnx", OnnxOperatorsAsText, OnnxOperatorsAsMarkdown, OnnxOperatorsAsJson},
    {"relay", RelayOperatorsAsText, RelayOperatorsAsMarkdown, RelayOperatorsAsJson},
    {"tflite", TfliteOperatorsAsText, TfliteOperatorsAsMarkdown, TfliteOperatorsAsJson},
    {"cuda", GpuInstructionsAsText, GpuInstructionsAsMarkdown, GpuInstructionsAsJson},
};

ExitCode Ops(const Invocation& in) {
  if (in.args.Has("--why")) {
    const absl::string_view of = in.args.Value("--from", "relax");
    if (of == "relax" || of == "relay") return ExplainOperator(in, in.args.Value("--why"));
    return in.report->Usage(
        absl::StrCat("option '--why' is for operators of Relax; 'lathe ops --from ", of,
                     " --markdown' gives the reasons of refused ones"));
  }
  if (in.args.Has("--json") && in.args.Has("--markdown")) {
    return in.report->Usage("--json and --markdown exclude each other");
  }
  const absl::string_view from = in.args.Value("--from", "relax");
  std::vector<absl::string_view> names;
  for (const OperatorTable& table : kOperatorTables) {
    names.push_back(table.name);
    if (table.name != from) continue;
    Print(in.io.out, in.args.Has("--json")       ? table.as_json()
                     : in.args.Has("--markdown") ? table.as_markdown()
                                                 : table.as_text());
    return kExitOk;
  }
  return in.report->Usage(absl::StrCat("option '--from' must be one of ",
                                       absl::StrJoin(names, ", "), "; got '", from, "'"));
}

constexpr Option kOpsOptions[] = {
    {.name = "--from",
     .value = "relax|onnx|relay|tflite|cuda",
     .help = "operators of ONNX, Relay or TFLite; GPU instructions for PrimFuncs"},
    {.name = "--markdown", .help = "print a Markdown page"},
    {.name = "--why", .value = "NAME", .help = "how one operator is computed, or why it is not"},
};

}  // namespace

constexpr Verb kVerbOps = {
    .name = "ops",
    .summary = "list the supported operators of Relax",
    .operands = "",
    .reports = true,
    .options = kOpsOptions,
    .details =
        "Examples:\n"
        "  lathe ops | grep pool\n"
        "  lathe ops --why nn.attention\n"
        "  lathe ops --json\n"
        "  lathe ops --from onnx\n"
        "  lathe ops --from relay\n"
        "  lathe ops --from tflite\n"
        "  lathe ops --from cuda | grep mbarrier\n",
    .run = Ops,
};

}  // namespace lathe::driver

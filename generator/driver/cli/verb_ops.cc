#include "generator/driver/cli/verb_ops.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "generator/driver/cli/gpu_instruction_table.h"
#include "generator/driver/cli/onnx_operators.h"
#include "generator/driver/cli/operator_table.h"
#include "generator/driver/cli/relay_operators.h"
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

ExitCode Ops(const Invocation& in) {
  if (in.args.Has("--why")) return ExplainOperator(in, in.args.Value("--why"));
  if (in.args.Has("--json") && in.args.Has("--markdown")) {
    return in.report->Usage("--json and --markdown exclude each other");
  }
  const absl::string_view from = in.args.Value("--from", "relax");
  if (from != "relax" && from != "onnx" && from != "relay" && from != "cuda") {
    return in.report->Usage(
        absl::StrCat("option '--from' must be relax, onnx, relay or cuda; got '", from, "'"));
  }
  if (from == "cuda") {
    Print(in.io.out, in.args.Has("--json")       ? GpuInstructionsAsJson()
                     : in.args.Has("--markdown") ? GpuInstructionsAsMarkdown()
                                                 : GpuInstructionsAsText());
    return kExitOk;
  }
  if (from == "onnx") {
    Print(in.io.out, in.args.Has("--json")       ? OnnxOperatorsAsJson()
                     : in.args.Has("--markdown") ? OnnxOperatorsAsMarkdown()
                                                 : OnnxOperatorsAsText());
    return kExitOk;
  }
  if (from == "relay") {
    Print(in.io.out, in.args.Has("--json")       ? RelayOperatorsAsJson()
                     : in.args.Has("--markdown") ? RelayOperatorsAsMarkdown()
                                                 : RelayOperatorsAsText());
    return kExitOk;
  }
  Print(in.io.out, in.args.Has("--json")       ? OperatorsAsJson()
                   : in.args.Has("--markdown") ? OperatorsAsMarkdown()
                                               : OperatorsAsText());
  return kExitOk;
}

constexpr Option kOpsOptions[] = {
    {.name = "--from",
     .value = "relax|onnx|relay|cuda",
     .help = "operators of ONNX or Relay; GPU instructions for PrimFuncs"},
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
        "  lathe ops --from cuda | grep mbarrier\n",
    .run = Ops,
};

}  // namespace lathe::driver

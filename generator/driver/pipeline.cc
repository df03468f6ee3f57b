#include "generator/driver/pipeline.h"

#include <iterator>
#include <set>
#include <string>

#include "generator/analysis/check_barriers.h"
#include "generator/analysis/derive/derive_struct_info.h"
#include "generator/analysis/index_bounds.h"
#include "generator/analysis/verify_prim_func.h"
#include "generator/analysis/well_formed/well_formed.h"
#include "generator/driver/graph_passes.h"
#include "generator/ir/verify_graph.h"
#include "generator/reader/read_module.h"
#include "generator/schedule/vectors/tile_shape.h"
#include "generator/support/status.h"
#include "generator/target/gpu.h"
#include "generator/transform/bind_constant_arguments.h"
#include "generator/transform/bind_symbolic_vars.h"
#include "generator/transform/decompose/decompose_composites.h"
#include "generator/transform/drop_weak_annotations.h"
#include "generator/transform/normalize.h"
#include "generator/transform/pass.h"
#include "generator/transform/realize_vdevice.h"
#include "generator/transform/rederive_info.h"

namespace lathe::driver {
namespace {

constexpr absl::string_view kRead = "read";

absl::Status WellFormed(PassContext& context, ir::Module& module) {
  analysis::CheckWellFormed(context.ir, module, context.diags);
  return absl::OkStatus();
}

absl::Status VerifyPrimFuncs(PassContext& context, ir::Module& module) {
  analysis::VerifyPrimFuncs(module, context.diags);
  analysis::CheckIndexBounds(context.ir, module, context.diags);
  analysis::CheckBarriers(context.ir, module, context.diags);
  return absl::OkStatus();
}

absl::Status DeriveStructInfo(PassContext& context, ir::Module& module) {
  if (module.vdevices().empty()) analysis::DeriveStructInfo(context.ir, module, context.diags);
  return absl::OkStatus();
}

absl::Status RealizeVDevice(PassContext& context, ir::Module& module) {
  if (!module.vdevices().empty()) transform::RealizeVDevice(context.ir, module, context.diags);
  return absl::OkStatus();
}

absl::Status WellFormedWithInfos(PassContext& context, ir::Module& module) {
  analysis::CheckWellFormedWithInfos(context.ir, module, context.diags);
  return absl::OkStatus();
}

absl::Status Normalize(PassContext& context, ir::Module& module) {
  transform::Normalize(context.ir, module);
  return absl::OkStatus();
}

constexpr char kNormalize[] = "normalize";  // where evaluation and checks stop
constexpr char kInline[] = "inline_private_functions";
constexpr char kLift[] = "lambda_lift";
constexpr char kCanonicalize[] = "canonicalize_bindings";
constexpr char kFold[] = "fold_constants";
constexpr char kShare[] = "eliminate_common_subexpr";
constexpr char kClean[] = "dead_code_elimination";
constexpr char kLegalize[] = "legalize";
constexpr char kUnpack[] = "unpack_builtins";

// A pass of the table of graph passes.
template <const char* name>
absl::Status Graph(PassContext& context, ir::Module& module) {
  return FindGraphPass(name)->run(context, module);
}

absl::Status DropAnnotations(PassContext& context, ir::Module& module) {
  transform::DropWeakAnnotations(context.ir, module, context.diags);
  return absl::OkStatus();
}

// The loop nests of most are one kernel each, and better for it; what is left of a normalisation by
// constants is mostly folded, and sums of small floats come with what rounds them, as any other
// operator that is fused behind them.
absl::Status DecomposeForC(PassContext& context, ir::Module& module) {
  std::set<std::string> whole;
  for (absl::string_view op : transform::CompositeOps()) whole.emplace(op);
  whole.erase("relax.nn.batch_norm");
  for (absl::string_view op : transform::SumOps()) whole.erase(std::string(op));
  transform::DecomposeComposites(context.ir, module, whole);
  transform::RederiveInfo(context.ir, module, context.diags);
  return absl::OkStatus();
}

bool IsForGpus(const PassContext& context) { return context.target == &CudaTarget(); }

// Tensor cores multiply small formats; elsewhere it is as well to widen a tensor once.
absl::Status NarrowFactorsForGpus(PassContext& context, ir::Module& module) {
  if (!IsForGpus(context)) return absl::OkStatus();
  return FindGraphPass("narrow_factors")->run(context, module);
}

// Where there are vectors to gain by it, or tensor cores. What its turned constants are is known
// then.
absl::Status MoveChannelsLastIfFaster(PassContext& context, ir::Module& module) {
  const bool cores = IsForGpus(context);
  if (context.target == nullptr || (!cores && schedule::LanesOf(*context.target) == 0)) {
    return absl::OkStatus();
  }
  for (const char* pass : {"move_channels_last", "fold_constants", "dead_code_elimination"}) {
    LATHE_RETURN_IF_ERROR(FindGraphPass(pass)->run(context, module));
  }
  return absl::OkStatus();
}

// Where tensor cores multiply them.
absl::Status NarrowProductsForGpus(PassContext& context, ir::Module& module) {
  if (!IsForGpus(context)) return absl::OkStatus();
  for (const char* pass : {"narrow_products", kClean}) {
    LATHE_RETURN_IF_ERROR(FindGraphPass(pass)->run(context, module));
  }
  return absl::OkStatus();
}

// What a function is always given folds with what it does: of weights that a loop reads in each of
// its turns, kernels are made for the weights.
absl::Status BindConstantArguments(PassContext& context, ir::Module& module) {
  if (!transform::BindConstantArguments(context.ir, module)) return absl::OkStatus();
  transform::RederiveInfo(context.ir, module, context.diags);
  for (const char* pass : {"remove_unused_parameters", kFold}) {
    LATHE_RETURN_IF_ERROR(FindGraphPass(pass)->run(context, module));
  }
  return absl::OkStatus();
}

struct Stage {
  Pass pass;
  // Runs although there were errors, so that the user sees all of them at once.
  bool despite_errors;
};

constexpr Stage kStages[] = {
    {{"well_formed", WellFormed}, true},
    {{"verify_prim_funcs", VerifyPrimFuncs}, true},
    // After the rules of form: it takes them for granted where it can, and guesses where not.
    {{"derive_struct_info", DeriveStructInfo}, true},
    // In its place where the module declares devices: infos and devices follow from each other.
    {{"realize_vdevice", RealizeVDevice}, true},
    // Before normalisation, which would mend what rule 23 forbids: the rules are for what the user
    // wrote.
    {{kLastCheck, WellFormedWithInfos}, true},
    // What an operator's normal form is depends on what its operands are.
    {{kNormalize, Normalize}, false},
    // From here on the road to C, in which no step changes what the program computes.
    // Before all that looks at one function at a time.
    {{kInline, Graph<kInline>}, false},
    {{kLift, Graph<kLift>}, false},
    // Inlining and lifting leave copies; folding and sharing see through none.
    {{kCanonicalize, Graph<kCanonicalize>}, false},
    // Before all that knows operators.
    {{kUnpack, Graph<kUnpack>}, false},
    // Operators need to know what they are given: before the first pass that looks.
    {{"drop_weak_annotations", DropAnnotations}, false},
    // Before folding, which widens constants.
    {{"narrow_factors", NarrowFactorsForGpus}, false},
    // Before folding, which makes one multiplication and one addition of a normalisation whose
    // parameters are constants.
    {{"decompose_composites", DecomposeForC}, false},
    {{kFold, Graph<kFold>}, false},
    // Once weights are folded.
    {{"bind_constant_arguments", BindConstantArguments}, false},
    {{kShare, Graph<kShare>}, false},
    {{kClean, Graph<kClean>}, false},
    // Before operators become loops, and where a normalisation by constants is already one
    // multiplication and one addition.
    {{"move_channels_last", MoveChannelsLastIfFaster}, false},
    // Once weights are folded.
    {{"narrow_products", NarrowProductsForGpus}, false},
    // Last: PrimFuncs are made for what is left.
    {{kLegalize, Graph<kLegalize>}, false},
};

}  // namespace

std::vector<absl::string_view> StageNames() {
  std::vector<absl::string_view> names = {kRead};
  for (const Stage& stage : kStages) names.push_back(stage.pass.name);
  return names;
}

namespace {

// The stages after `first` up to `last`.
absl::Status RunStages(PassContext& context, absl::string_view first, absl::string_view last,
                       ir::Module& module) {
  bool started = first == kRead;
  for (const Stage& stage : kStages) {
    if (!started) {
      started = stage.pass.name == first;
      continue;
    }
    if (context.diags.has_errors() && !stage.despite_errors) break;
    LATHE_RETURN_IF_ERROR(stage.pass.run(context, module));
    if (!context.diags.has_errors()) ir::VerifyGraph(module, stage.pass.name);
    if (stage.pass.name == last) break;
  }
  return absl::OkStatus();
}

std::vector<Pass> ChecksDespiteErrors() {
  std::vector<Pass> checks;
  for (const Stage& stage : kStages) {
    if (stage.despite_errors) checks.push_back(stage.pass);
  }
  return checks;
}

}  // namespace

std::optional<ir::Module> LoadModule(ir::Context& context, const SourceFile& file,
                                     absl::string_view last, Diagnostics& diags,
                                     NotChecked* left_out, const onnx::ReadOptions& options) {
  Remains remains;
  absl::StatusOr<ir::Module> module = ReadModule(context, file, diags, &remains, options);
  if (!module.ok()) {
    NotChecked unchecked = {std::string(file.path()), {}};
    // Devices follow from each other through the whole program.
    if (remains.checkable && remains.module.vdevices().empty()) {
      unchecked.functions = CheckRemains(context, remains, ChecksDespiteErrors(), diags);
      if (unchecked.functions.empty()) unchecked.file.clear();
    }
    if (left_out != nullptr) *left_out = std::move(unchecked);
    return std::nullopt;
  }
  if (!diags.has_errors()) ir::VerifyGraph(*module, kRead);
  PassContext pass_context{context, diags};
  if (last != kRead && !RunStages(pass_context, kRead, last, *module).ok()) return std::nullopt;
  if (diags.has_errors()) return std::nullopt;
  return *std::move(module);
}

std::optional<ir::Module> LoadModule(ir::Context& context, const SourceFile& file,
                                     Diagnostics& diags, NotChecked* left_out,
                                     const onnx::ReadOptions& options) {
  return LoadModule(context, file, kNormalize, diags, left_out, options);
}

absl::StatusOr<ir::Module> PrepareForC(ir::Context& context, ir::Module module,
                                       const Target& target,
                                       const std::map<std::string, DimRange>& sizes,
                                       Diagnostics& diags) {
  PassContext pass_context{context, diags, &target};
  std::map<std::string, analysis::Interval> ranges;
  for (const auto& [name, range] : sizes) {
    if (!range.is_single()) ranges[name] = {range.low, range.high};
  }
  if (!ranges.empty()) {
    LATHE_RETURN_IF_ERROR(transform::BoundSymbolicVars(module, ranges));
    transform::RederiveInfo(context, module, diags);
    if (!diags.has_errors()) ir::VerifyGraph(module, "bind_symbolic_vars");
  }
  LATHE_RETURN_IF_ERROR(
      RunStages(pass_context, kNormalize, std::end(kStages)[-1].pass.name, module));
  return module;
}

}  // namespace lathe::driver

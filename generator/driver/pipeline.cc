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

constexpr char kNormalize[] = "normalize";  // the last stage for checks and evaluation
constexpr char kInline[] = "inline_private_functions";
constexpr char kLift[] = "lambda_lift";
constexpr char kCanonicalize[] = "canonicalize_bindings";
constexpr char kFold[] = "fold_constants";
constexpr char kMerge[] = "merge_permutations";
constexpr char kShare[] = "eliminate_common_subexpr";
constexpr char kClean[] = "dead_code_elimination";
constexpr char kLegalize[] = "legalize";
constexpr char kUnpack[] = "unpack_builtins";
constexpr char kIntegers[] = "fuse_requantized";

// Runs a pass of the table of graph passes.
template <const char* name>
absl::Status Graph(PassContext& context, ir::Module& module) {
  return FindGraphPass(name)->run(context, module);
}

absl::Status DropAnnotations(PassContext& context, ir::Module& module) {
  transform::DropWeakAnnotations(context.ir, module, context.diags);
  return absl::OkStatus();
}

// Keeps most composite operators, whose loop nests make better kernels, but decomposes two kinds.
// Batch normalization with constant parameters is mostly folded. Sums of small floats become a sum
// and a rounding, which is fused like any other epilogue.
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

// Runs only for GPUs, whose tensor cores multiply small formats. Other targets widen a tensor once.
absl::Status NarrowFactorsForGpus(PassContext& context, ir::Module& module) {
  if (!IsForGpus(context)) return absl::OkStatus();
  return FindGraphPass("narrow_factors")->run(context, module);
}

// Runs for processors, whose products unpack weights in their tiles.
absl::Status DequantizeWeightsForTiles(PassContext& context, ir::Module& module) {
  if (IsForGpus(context)) return absl::OkStatus();
  return FindGraphPass("dequantize_weights")->run(context, module);
}

// Runs for targets with vectors and for GPUs with tensor cores. Folds the transposed constants.
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

// Runs only for GPUs, whose tensor cores multiply narrow formats.
absl::Status NarrowProductsForGpus(PassContext& context, ir::Module& module) {
  if (!IsForGpus(context)) return absl::OkStatus();
  for (const char* pass : {"narrow_products", kClean}) {
    LATHE_RETURN_IF_ERROR(FindGraphPass(pass)->run(context, module));
  }
  return absl::OkStatus();
}

// Moves constant arguments into functions and folds them there. For weights that a loop reads in
// each iteration, kernels can then use the weights' values.
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
  // Runs even after errors, so that the user sees all errors at once.
  bool despite_errors;
};

constexpr Stage kStages[] = {
    {{"well_formed", WellFormed}, true},
    {{"verify_prim_funcs", VerifyPrimFuncs}, true},
    // After the checks of form, which it assumes; in malformed parts it guesses.
    {{"derive_struct_info", DeriveStructInfo}, true},
    // Replaces derive_struct_info if the module declares devices, because infos and devices depend
    // on each other.
    {{"realize_vdevice", RealizeVDevice}, true},
    // Before normalization, which would repair violations of rule 23.
    {{kLastCheck, WellFormedWithInfos}, true},
    // After derivation: the normal form of an operator depends on the infos of its operands.
    {{kNormalize, Normalize}, false},
    // The stages from here on prepare for lowering and preserve the results of the program.
    // Before passes that look at single functions.
    {{kInline, Graph<kInline>}, false},
    {{kLift, Graph<kLift>}, false},
    // Removes copies left by inlining and lifting, which would hide values from folding and CSE.
    {{kCanonicalize, Graph<kCanonicalize>}, false},
    // Before passes that match operators.
    {{kUnpack, Graph<kUnpack>}, false},
    // Before passes that need precise infos of operands.
    {{"drop_weak_annotations", DropAnnotations}, false},
    // Before folding, which would widen constants.
    {{"narrow_factors", NarrowFactorsForGpus}, false},
    // Before folding, which reduces a decomposed normalization with constant parameters to one
    // multiplication and one addition.
    {{"decompose_composites", DecomposeForC}, false},
    {{kFold, Graph<kFold>}, false},
    // After weights are folded to constants.
    {{"bind_constant_arguments", BindConstantArguments}, false},
    // After constants are folded, which are no copies. Before equal copies are shared.
    {{kMerge, Graph<kMerge>}, false},
    {{kShare, Graph<kShare>}, false},
    {{kClean, Graph<kClean>}, false},
    // After weights and biases are folded to constants, and before other passes change layouts.
    {{kIntegers, Graph<kIntegers>}, false},
    // After the passes that match R.dequantize.
    {{"dequantize_weights", DequantizeWeightsForTiles}, false},
    // After folding of normalizations, and before operators become loops.
    {{"move_channels_last", MoveChannelsLastIfFaster}, false},
    // After weights are folded to constants.
    {{"narrow_products", NarrowProductsForGpus}, false},
    // Last: makes PrimFuncs for the remaining operators.
    {{kLegalize, Graph<kLegalize>}, false},
};

}  // namespace

std::vector<absl::string_view> StageNames() {
  std::vector<absl::string_view> names = {kRead};
  for (const Stage& stage : kStages) names.push_back(stage.pass.name);
  return names;
}

namespace {

// Runs the stages after `first` up to `last`.
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
                                     NotChecked* not_checked, const ReadOptions& options) {
  Remains remains;
  absl::StatusOr<ir::Module> module = ReadModule(context, file, diags, &remains, options);
  if (!module.ok()) {
    NotChecked unchecked = {std::string(file.path()), {}};
    // Devices are inferred over the whole program, so a partial program with devices is not
    // checked.
    if (remains.checkable && remains.module.vdevices().empty()) {
      unchecked.functions = CheckRemains(context, remains, ChecksDespiteErrors(), diags);
      if (unchecked.functions.empty()) unchecked.file.clear();
    }
    if (not_checked != nullptr) *not_checked = std::move(unchecked);
    return std::nullopt;
  }
  if (!diags.has_errors()) ir::VerifyGraph(*module, kRead);
  PassContext pass_context{context, diags};
  if (last != kRead && !RunStages(pass_context, kRead, last, *module).ok()) return std::nullopt;
  if (diags.has_errors()) return std::nullopt;
  return *std::move(module);
}

std::optional<ir::Module> LoadModule(ir::Context& context, const SourceFile& file,
                                     Diagnostics& diags, NotChecked* not_checked,
                                     const ReadOptions& options) {
  return LoadModule(context, file, kNormalize, diags, not_checked, options);
}

absl::StatusOr<ir::Module> PrepareForLowering(ir::Context& context, ir::Module module,
                                              const Target& target,
                                              const std::map<std::string, DimRange>& sizes,
                                              Diagnostics& diags, bool small) {
  PassContext pass_context{context, diags, &target, small};
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

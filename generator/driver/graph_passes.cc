#include "generator/driver/graph_passes.h"

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "generator/ir/verify_graph.h"
#include "generator/support/closest_name.h"
#include "generator/support/status.h"
#include "generator/target/gpu.h"
#include "generator/transform/annotate_kernels.h"
#include "generator/transform/bind_constant_arguments.h"
#include "generator/transform/canonicalize_bindings.h"
#include "generator/transform/dead_code_elimination.h"
#include "generator/transform/decompose/decompose_composites.h"
#include "generator/transform/dequantize_weights.h"
#include "generator/transform/eliminate_common_subexpr.h"
#include "generator/transform/fold_constants.h"
#include "generator/transform/inline_private_functions.h"
#include "generator/transform/lambda_lift.h"
#include "generator/transform/legalize.h"
#include "generator/transform/merge_permutations.h"
#include "generator/transform/move_channels_last.h"
#include "generator/transform/normalize.h"
#include "generator/transform/post_training/fold_affine.h"
#include "generator/transform/post_training/move_channels_first.h"
#include "generator/transform/quantize/fuse_quantized.h"
#include "generator/transform/quantize/fuse_requantized.h"
#include "generator/transform/quantize/narrow_factors.h"
#include "generator/transform/quantize/narrow_products.h"
#include "generator/transform/rederive_info.h"
#include "generator/transform/remove_unused_parameters.h"
#include "generator/transform/to_non_dataflow.h"
#include "generator/transform/topological_sort.h"
#include "generator/transform/unpack_builtins.h"

namespace lathe::driver {
namespace {

// Adapts a pass to the signature of the table.
template <auto pass>
absl::Status Run(PassContext& context, ir::Module& module) {
  pass(context.ir, module);
  transform::RederiveInfo(context.ir, module, context.diags);
  return absl::OkStatus();
}

void Decompose(ir::Context& context, ir::Module& module) {
  transform::DecomposeComposites(context, module);
}
void FoldAffine(ir::Context& context, ir::Module& module) {
  transform::FoldAffine(context, module);
}
void Fold(ir::Context& context, ir::Module& module) { transform::FoldConstants(context, module); }
void Legalize(ir::Context& context, ir::Module& module) { transform::Legalize(context, module); }
void Sort(ir::Context& context, ir::Module& module) { transform::TopologicalSort(context, module); }
void Unflow(ir::Context&, ir::Module& module) { transform::ToNonDataflow(module); }

absl::Status FuseQuantized(PassContext& context, ir::Module& module) {
  const Target& target = context.target == nullptr ? *FindTarget("generic-c99") : *context.target;
  transform::FuseQuantized(context.ir, module, target, context.small);
  transform::RederiveInfo(context.ir, module, context.diags);
  return absl::OkStatus();
}

absl::Status FuseRequantized(PassContext& context, ir::Module& module) {
  const Target& target = context.target == nullptr ? *FindTarget("generic-c99") : *context.target;
  if (!transform::FuseRequantized(context.ir, module, target, context.small))
    return absl::OkStatus();
  transform::RederiveInfo(context.ir, module, context.diags);
  return absl::OkStatus();
}

absl::Status MoveChannelsLast(PassContext& context, ir::Module& module) {
  const bool cores = context.target == &CudaTarget();
  (cores ? transform::MoveChannelsLastForCores : transform::MoveChannelsLast)(context.ir, module);
  transform::RederiveInfo(context.ir, module, context.diags);
  return absl::OkStatus();
}

constexpr Pass kPasses[] = {
    {"annotate_kernels", Run<transform::AnnotateKernels>},
    {"bind_constant_arguments", Run<transform::BindConstantArguments>},
    {"canonicalize_bindings", Run<transform::CanonicalizeBindings>},
    {"dead_code_elimination", Run<transform::DeadCodeElimination>},
    {"decompose_composites", Run<Decompose>},
    {"dequantize_weights", Run<transform::DequantizeWeights>},
    {"eliminate_common_subexpr", Run<transform::EliminateCommonSubexpr>},
    {"fold_affine", Run<FoldAffine>},
    {"fold_constants", Run<Fold>},
    {"fuse_quantized", FuseQuantized},
    {"fuse_requantized", FuseRequantized},
    {"inline_private_functions", Run<transform::InlinePrivateFunctions>},
    {"lambda_lift", Run<transform::LambdaLift>},
    {"legalize", Run<Legalize>},
    {"merge_permutations", Run<transform::MergePermutations>},
    {"move_channels_first", Run<transform::MoveChannelsFirst>},
    {"move_channels_last", MoveChannelsLast},
    {"narrow_factors", Run<transform::NarrowFactors>},
    {"narrow_products", Run<transform::NarrowProducts>},
    {"normalize", Run<transform::Normalize>},
    {"remove_unused_parameters", Run<transform::RemoveUnusedParameters>},
    {"to_non_dataflow", Run<Unflow>},
    {"topological_sort", Run<Sort>},
    {"unpack_builtins", Run<transform::UnpackBuiltins>},
};

}  // namespace

absl::Span<const Pass> GraphPasses() { return kPasses; }

const Pass* FindGraphPass(absl::string_view name) {
  for (const Pass& pass : kPasses) {
    if (pass.name == name) return &pass;
  }
  return nullptr;
}

absl::Status CheckPassNames(absl::string_view list, absl::Span<const absl::string_view> others) {
  for (absl::string_view name : absl::StrSplit(list, ',', absl::SkipEmpty())) {
    if (FindGraphPass(name) != nullptr || absl::c_linear_search(others, name)) continue;
    std::vector<absl::string_view> names;
    for (const Pass& pass : kPasses) names.push_back(pass.name);
    names.insert(names.end(), others.begin(), others.end());
    return absl::InvalidArgumentError(
        absl::StrCat("no pass is named '", name, "'", DidYouMean(name, names),
                     "\nthe passes are: ", absl::StrJoin(names, ", ")));
  }
  return absl::OkStatus();
}

absl::Status ApplyPasses(PassContext& context, absl::string_view list, ir::Module& module) {
  LATHE_RETURN_IF_ERROR(CheckPassNames(list));
  for (absl::string_view name : absl::StrSplit(list, ',', absl::SkipEmpty())) {
    if (context.diags.has_errors()) break;
    LATHE_RETURN_IF_ERROR(FindGraphPass(name)->run(context, module));
    if (!context.diags.has_errors()) ir::VerifyGraph(module, name);
  }
  return absl::OkStatus();
}

}  // namespace lathe::driver

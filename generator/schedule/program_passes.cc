#include "generator/schedule/program_passes.h"

#include "absl/strings/str_cat.h"
#include "generator/ir/verify_program.h"
#include "generator/schedule/accesses/assert_accesses.h"
#include "generator/schedule/accesses/check_accesses.h"
#include "generator/schedule/accesses/check_indices.h"
#include "generator/schedule/cuda/choose_launches.h"
#include "generator/schedule/cuda/order_devices.h"
#include "generator/schedule/cuda/place_tensors.h"
#include "generator/schedule/cuda/split_host_kernels.h"
#include "generator/schedule/finish/check_tensor_sizes.h"
#include "generator/schedule/finish/compute_size_bounds.h"
#include "generator/schedule/finish/keep_state.h"
#include "generator/schedule/finish/lift_calls.h"
#include "generator/schedule/finish/name_constants.h"
#include "generator/schedule/finish/name_lets.h"
#include "generator/schedule/finish/name_repeated.h"
#include "generator/schedule/finish/scalarize_lanes.h"
#include "generator/schedule/finish/share_constants.h"
#include "generator/schedule/finish/share_kernels.h"
#include "generator/schedule/fuse/fuse.h"
#include "generator/schedule/int8/use_dot_products.h"
#include "generator/schedule/int8/use_products.h"
#include "generator/schedule/int8/use_requantize.h"
#include "generator/schedule/lines/lower_peak.h"
#include "generator/schedule/threads/serialize_threads.h"
#include "generator/schedule/vectors/use_integer_lanes.h"
#include "generator/support/status.h"

namespace lathe::schedule {
namespace {

// Adapts a pass that only rewrites the program.
template <void (*pass)(ir::Context&, ir::Program&)>
absl::Status Rewrite(ProgramContext& context, ir::Program& program) {
  pass(context.ir, program);
  return absl::OkStatus();
}

// Adapts a pass that depends on the target.
template <void (*pass)(ir::Context&, ir::Program&, const Target&)>
absl::Status RewriteFor(ProgramContext& context, ir::Program& program) {
  pass(context.ir, program, context.target);
  return absl::OkStatus();
}

absl::Status FuseKernels(ProgramContext& context, ir::Program& program) {
  if (context.fusion.fuse) Fuse(context.ir, program, context.target, context.gpus);
  return absl::OkStatus();
}

absl::Status PlaceOnDevices(ProgramContext& context, ir::Program& program) {
  PlaceTensors(context.module, program, context.diags);
  if (context.diags.has_errors())
    return absl::UnimplementedError("a tensor cannot be placed on a device");
  return absl::OkStatus();
}

absl::Status LowerThePeak(ProgramContext& context, ir::Program& program) {
  if (context.fusion.joins != LayerJoins::kNone) {
    LowerPeak(context.ir, program, context.fusion.joins);
  }
  return absl::OkStatus();
}

absl::Status ShareEqualKernels(ProgramContext& context, ir::Program& program) {
  if (context.fusion.fuse) ShareKernels(program);  // else one kernel for each operator
  return absl::OkStatus();
}

absl::Status ShareEqualConstants(ProgramContext&, ir::Program& program) {
  ShareConstants(program);
  return absl::OkStatus();
}

absl::Status NameAllConstants(ProgramContext&, ir::Program& program) {
  NameConstants(program);
  return absl::OkStatus();
}

absl::Status KeepStateOfRoutines(ProgramContext&, ir::Program& program) {
  KeepState(program);
  return absl::OkStatus();
}

absl::Status CheckSizes(ProgramContext& context, ir::Program& program) {
  return CheckTensorSizes(program, context.target);
}

absl::Status ChooseGrids(ProgramContext& context, ir::Program& program) {
  context.launches = ChooseLaunches(context.ir, program, *context.gpus, context.diags);
  if (context.diags.has_errors())
    return absl::UnimplementedError("a kernel cannot be scheduled for the GPU");
  return absl::OkStatus();
}

absl::Status ProveAccesses(ProgramContext& context, ir::Program& program) {
  CheckAccesses(context.ir, program, context.launches);
  return absl::OkStatus();
}

absl::Status OrderAmongDevices(ProgramContext& context, ir::Program& program) {
  if (!program.devices.empty()) OrderDevices(context.ir, program);
  return absl::OkStatus();
}

constexpr PassTargets kAll = PassTargets::kAll, kProcessors = PassTargets::kProcessors,
                      kGpus = PassTargets::kGpus;

constexpr ProgramPass kPasses[] = {
    // First: later passes see the kernels that remain.
    {"fuse", kAll, FuseKernels},
    // After fusion, because the matched loops include the epilogue. Products before dot products: a
    // product consists of several of these.
    {"use_products", kAll, RewriteFor<UseProducts>},
    {"use_dot_products", kAll, RewriteFor<UseDotProducts>},
    {"use_requantize", kAll, RewriteFor<UseRequantize>},
    // After the passes that match loops, before equal kernels are shared.
    {"lower_peak", kProcessors, LowerThePeak},
    // After the passes that match loops, which look at the constants of a step.
    {"share_kernels", kAll, ShareEqualKernels},
    // After fusion has removed tensors.
    {"compute_size_bounds", kAll, Rewrite<ComputeSizeBounds>},
    // Before passes that expect plain loops.
    {"serialize_threads", kProcessors, Rewrite<SerializeThreads>},
    {"place_tensors", kGpus, PlaceOnDevices},
    // After place_tensors, which determines the kernels of the host.
    {"split_host_kernels", kGpus, Rewrite<SplitHostKernels>},
    // Before passes that duplicate expressions: a call must happen once.
    {"lift_calls", kAll, Rewrite<LiftCalls>},
    {"scalarize_lanes", kAll, Rewrite<ScalarizeLanes>},
    {"name_lets", kAll, Rewrite<NameLets>},
    // After name_lets: it does not look into Lets.
    {"check_indices", kAll, Rewrite<CheckIndices>},
    // After check_indices, whose assertions are facts for its proofs.
    {"assert_accesses", kAll, Rewrite<AssertAccesses>},
    // After the passes that insert assertions: lanes have none.
    {"use_integer_lanes", kProcessors, RewriteFor<UseIntegerLanes>},
    // After the passes that insert assertions, which repeat expressions of their statements.
    {"name_repeated", kAll, Rewrite<NameRepeated>},
    {"share_constants", kAll, ShareEqualConstants},
    // After share_constants: equal constants have one name.
    {"name_constants", kAll, NameAllConstants},
    // Before sizes are used in the arithmetic of launches and plans.
    {"check_tensor_sizes", kAll, CheckSizes},
    // After the last change to kernels.
    {"choose_launches", kGpus, ChooseGrids},
    {"check_accesses", kAll, ProveAccesses},
    // Adds copies and waits between devices.
    {"order_devices", kGpus, OrderAmongDevices},
    // Last: other passes see the variables of a state as inputs and outputs.
    {"keep_state", kProcessors, KeepStateOfRoutines},
};

bool IsFor(const ProgramPass& pass, const ProgramContext& context) {
  return pass.targets == kAll || (pass.targets == kGpus) == (context.gpus != nullptr);
}

absl::Status Run(const ProgramPass& pass, ProgramContext& context, ir::Program& program) {
  LATHE_RETURN_IF_ERROR(pass.run(context, program));
  ir::VerifyProgram(program, pass.name);
  return absl::OkStatus();
}

}  // namespace

absl::Span<const ProgramPass> ProgramPasses() { return kPasses; }

absl::Status RunProgramPasses(ProgramContext& context, ir::Program& program,
                              absl::string_view last) {
  ir::VerifyProgram(program, kLowered);
  if (last == kLowered) return absl::OkStatus();
  for (const ProgramPass& pass : kPasses) {
    if (IsFor(pass, context)) LATHE_RETURN_IF_ERROR(Run(pass, context, program));
    if (pass.name == last) break;
  }
  return absl::OkStatus();
}

absl::Status RunProgramPass(ProgramContext& context, absl::string_view name, ir::Program& program) {
  for (const ProgramPass& pass : kPasses) {
    if (pass.name != name) continue;
    if (!IsFor(pass, context)) {
      return absl::InvalidArgumentError(absl::StrCat("pass '", name, "' is for ",
                                                     pass.targets == kGpus ? "GPUs" : "processors",
                                                     ", but the target is not"));
    }
    return Run(pass, context, program);
  }
  return absl::NotFoundError(absl::StrCat("no program pass is named '", name, "'"));
}

}  // namespace lathe::schedule

#include "generator/driver/generate_model.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/bundle/runtime_files.h"
#include "generator/bundle/stamp_files.h"
#include "generator/emit/c/emit_c.h"
#include "generator/emit/c/names/c_names.h"
#include "generator/emit/cuda/emit_cuda.h"
#include "generator/lower/lower.h"
#include "generator/plan/plan.h"
#include "generator/schedule/cuda/serial_kernels.h"
#include "generator/schedule/finish/check_tensor_sizes.h"
#include "generator/schedule/program_passes.h"
#include "generator/support/check.h"
#include "generator/support/status.h"

namespace lathe::driver {

namespace {

// Moves the emitted model into `generated` and adds the runtime files.
absl::Status AddEmitted(absl::StatusOr<emit::EmittedModel> emitted, GeneratedModel& generated) {
  if (!emitted.ok()) return emitted.status();
  emit::EmittedModel model = *std::move(emitted);
  generated.functions = std::move(model.functions);
  generated.constants = std::move(model.constants);
  generated.external_weights = generated.external_weights && !model.weights.empty();
  generated.kernels = std::move(model.kernels);
  generated.takes_table = model.takes_table;
  generated.kernels_fail = model.kernels_fail;
  generated.externs = std::move(model.externs);
  generated.kernel_externs = std::move(model.kernel_externs);
  generated.reserved_bytes = std::move(model.before);
  generated.files = std::move(model.files);
  for (emit::OutputFile& file : bundle::RuntimeFiles(model.runtime)) {
    generated.files.push_back(std::move(file));
  }
  bundle::StampFiles(generated.files);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<GeneratedModel> GenerateModel(ir::Context& context, const ir::Module& module,
                                             const Target& target, absl::string_view name,
                                             const GenerateOptions& options, Diagnostics& diags) {
  const emit::CName in_c = emit::MakeCName(name);
  LATHE_CHECK(in_c.str() == name, "a model's name is an identifier");
  GeneratedModel generated;
  LATHE_ASSIGN_OR_RETURN(generated.program, lower::Lower(context, module, diags));
  if (!generated.program.state.empty() && options.gpus != nullptr) {
    return diags.Unsupported({}, "cannot-emit")
           << "the attribute \"state\" cannot be compiled for GPUs; supported: targets for C, "
              "which 'lathe targets' lists, or a program without the attribute, whose callers pass "
              "the variables";
  }
  schedule::ProgramContext passes{context, module, target, options.gpus, options.fusion, diags};
  // A part of a run is a layer.
  if (options.emit.steps.parts) passes.fusion.joins = schedule::LayerJoins::kNone;
  LATHE_RETURN_IF_ERROR(schedule::RunProgramPasses(passes, generated.program));
  const IdVector<ir::KernelId, ir::GridLaunches>& launches = passes.launches;
  generated.serial_kernels = schedule::SerialKernels(launches);
  for (int32_t i = 0; i < std::ssize(launches); ++i) {
    generated.launches += std::ssize(launches[ir::KernelId{i}]);
  }
  if (!generated.program.devices.empty()) {
    generated.plan = plan::PlanOnDevices(generated.program, target);
  } else if (options.pools.empty()) {
    generated.plan = plan::PlanMemory(generated.program, target);
  } else {
    LATHE_ASSIGN_OR_RETURN(generated.plan,
                           plan::PlanInPools(generated.program, target, options.pools));
  }
  LATHE_RETURN_IF_ERROR(schedule::CheckObjectSize("the arena", generated.plan.arena_size, target));
  LATHE_RETURN_IF_ERROR(schedule::CheckObjectSize("the state", generated.plan.state.size, target));
  auto emitted = options.gpus == nullptr
                     ? emit::EmitC(context, generated.program, generated.plan, target, in_c,
                                   options.emit, diags)
                     : emit::EmitCuda(context, generated.program, launches, generated.plan, target,
                                      in_c, {options.gpus->name(), options.emit}, diags);
  generated.in_parts = options.emit.steps.parts && options.gpus == nullptr;
  generated.external_weights = emit::AreExternal(options.emit.weights);
  LATHE_RETURN_IF_ERROR(AddEmitted(std::move(emitted), generated));
  return generated;
}

absl::Status EmitAgain(ir::Context& context, const Target& target, absl::string_view name,
                       const emit::EmitOptions& options, GeneratedModel& model,
                       Diagnostics& diags) {
  return AddEmitted(emit::EmitC(context, model.program, model.plan, target, emit::MakeCName(name),
                                options, diags),
                    model);
}

absl::StatusOr<GeneratedModel> GuardModel(ir::Context& context, GeneratedModel model,
                                          const Target& target, absl::string_view name,
                                          const GenerateOptions& options, Diagnostics& diags) {
  model.plan = plan::PlanGuarded(model.program, target);
  LATHE_RETURN_IF_ERROR(schedule::CheckObjectSize("the arena", model.plan.arena_size, target));
  LATHE_RETURN_IF_ERROR(EmitAgain(context, target, name, options.emit, model, diags));
  return model;
}

}  // namespace lathe::driver

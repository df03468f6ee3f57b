// Generates C or CUDA from a module after the graph passes: lowers, plans, emits and bundles.
#ifndef LATHE_DRIVER_GENERATE_MODEL_H_
#define LATHE_DRIVER_GENERATE_MODEL_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/emit/text/emitted_model.h"
#include "generator/ir/program.h"
#include "generator/plan/plan.h"
#include "generator/schedule/fuse/fusion.h"
#include "generator/support/diagnostics.h"
#include "generator/target/gpu.h"
#include "generator/target/target.h"

namespace lathe::driver {

// Name of models that are generated only to be run or measured.
inline constexpr char kGeneratedName[] = "model";

struct GeneratedModel {
  ir::Program program;
  plan::Plan plan;
  IdVector<ir::KernelId, emit::EmittedKernel> kernels;
  std::vector<emit::ApiFunction> functions;
  std::vector<std::string> constants;  // C names of the weights in the source
  bool external_weights = false;       // passed to init
  bool takes_table = false;            // of external functions, passed to init
  bool in_parts = false;               // the instance holds the next part of a run (--step)
  bool kernels_fail = false;           // GPU kernels have a failure flag that the host can read
  std::vector<std::string> externs;    // external functions that the program calls
  std::vector<std::string> kernel_externs;   // external functions that GPU kernels call
  std::vector<ir::KernelId> serial_kernels;  // kernels with much work on a single GPU thread
  std::vector<int64_t> reserved_bytes;       // of each workspace, before the planned memory
  int64_t launches = 0;                      // of all GPU kernels
  std::vector<emit::OutputFile> files;       // the bundle
};

// Returns the number of variables of the state that `function` updates.
inline size_t VariablesOf(const GeneratedModel& model, const emit::ApiFunction& function) {
  if (model.program.state.empty()) return 0;
  return model.program.routines[function.routine].state.size();
}

struct GenerateOptions {
  schedule::Fusion fusion = {};
  std::vector<plan::Pool> pools = {};  // empty: one arena, as large as needed
  emit::EmitOptions emit = {};
  const GpuChoice* gpus = nullptr;  // null for C
};

// Returns the model `name`, a C identifier, compiled for `target`. Fails after a report to `diags`
// if a construct cannot be compiled, and without one if a memory is too large or no pool has room.
absl::StatusOr<GeneratedModel> GenerateModel(ir::Context& context, const ir::Module& module,
                                             const Target& target, absl::string_view name,
                                             const GenerateOptions& options, Diagnostics& diags);

// Emits `model` again with other options, with the same kernels, steps and plan. C only.
absl::Status EmitAgain(ir::Context& context, const Target& target, absl::string_view name,
                       const emit::EmitOptions& options, GeneratedModel& model, Diagnostics& diags);

// Plans and emits `model` again with guards around its tensors (plan::PlanGuarded), with the same
// kernels and steps, so that `lathe validate` finds writes out of bounds. C only.
absl::StatusOr<GeneratedModel> GuardModel(ir::Context& context, GeneratedModel model,
                                          const Target& target, absl::string_view name,
                                          const GenerateOptions& options, Diagnostics& diags);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_GENERATE_MODEL_H_

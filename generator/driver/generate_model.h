// The road to C behind the graph passes: lower, plan, emit, bundle.
#ifndef LATHE_DRIVER_GENERATE_MODEL_H_
#define LATHE_DRIVER_GENERATE_MODEL_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/emit/text/emitted_model.h"
#include "generator/ir/program.h"
#include "generator/plan/plan.h"
#include "generator/target/gpu.h"
#include "generator/target/target.h"

namespace lathe::driver {

// Of what is generated for a verb that has no use of a name.
inline constexpr char kGeneratedName[] = "model";

struct GeneratedModel {
  ir::Program program;
  plan::Plan plan;
  IdVector<ir::KernelId, emit::CName> kernel_names;  // in C
  std::vector<emit::ApiFunction> functions;
  std::vector<std::string> constants;  // names in C of the weights that are in its source
  bool external_weights = false;       // init is given them
  bool takes_table = false;            // init is given the functions from outside
  bool kernels_fail = false;           // those of a GPU, which say so where it can be asked for
  std::vector<std::string> externs;    // functions from outside that the program calls
  std::vector<std::string> kernel_externs;  // those that kernels of a GPU call
  std::vector<ir::KernelId> serial;         // that one thread of a GPU does alone, and much of it
  std::vector<int64_t> before;              // of its workspaces, ahead of what the plan lays out
  int64_t launches = 0;                     // of all kernels of a GPU
  std::vector<emit::OutputFile> files;      // of the whole bundle
};

struct GenerateOptions {
  bool fuse = true;                    // kernels that hand values to each other become one
  std::vector<plan::Pool> pools = {};  // none: one arena, as large as it has to be
  emit::EmitOptions emit = {};
  const GpuChoice* gpus = nullptr;  // for CUDA
};

// What stood in the way is in `diags`.
absl::StatusOr<GeneratedModel> GenerateModel(ir::Context& context, const ir::Module& module,
                                             const Target& target, absl::string_view name,
                                             const GenerateOptions& options, Diagnostics& diags);

// `model`, planned and emitted again so that its memory can be watched while it runs
// (plan::PlanGuarded): the same kernels and the same steps. In C, for `lathe validate`.
absl::StatusOr<GeneratedModel> GuardModel(ir::Context& context, const ir::Module& module,
                                          GeneratedModel model, const Target& target,
                                          absl::string_view name, const GenerateOptions& options,
                                          Diagnostics& diags);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_GENERATE_MODEL_H_

// Prints a program as CUDA, with its kernel launches and memory plan: all files of a GPU bundle.
#ifndef LATHE_EMIT_CUDA_EMIT_CUDA_H_
#define LATHE_EMIT_CUDA_EMIT_CUDA_H_

#include <string>

#include "absl/status/statusor.h"
#include "generator/emit/text/c_name.h"
#include "generator/emit/text/emitted_model.h"
#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"
#include "generator/ir/program.h"
#include "generator/plan/plan.h"
#include "generator/support/diagnostics.h"
#include "generator/target/target.h"

namespace lathe::emit {

// The options of the CUDA backend.
struct CudaOptions {
  std::string target;  // the value of -t: "cuda:sm_80,sm_90a+ptx"
  EmitOptions emit;    // the options that all backends have
};

// Returns the generated files and the description of their functions. `launches` are the launches
// of each kernel. `name` is the name of the model. Reports everything that cannot be printed as
// unsupported, then fails.
absl::StatusOr<EmittedModel> EmitCuda(ir::Context& context, const ir::Program& program,
                                      const IdVector<ir::KernelId, ir::GridLaunches>& launches,
                                      const plan::Plan& plan, const Target& target,
                                      const CName& name, const CudaOptions& options,
                                      Diagnostics& diags);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_EMIT_CUDA_H_

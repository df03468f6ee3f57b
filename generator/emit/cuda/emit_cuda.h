// Program, launches and plan to CUDA: the files of a bundle for GPUs.
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

struct CudaOptions {
  std::string target;  // as -t says it: "cuda:sm_80,sm_90a+ptx"
  EmitOptions emit;
};

// What cannot be printed is reported as unsupported, all of it, and fails.
absl::StatusOr<EmittedModel> EmitCuda(ir::Context& context, const ir::Program& program,
                                      const IdVector<ir::KernelId, ir::GridLaunches>& launches,
                                      const plan::Plan& plan, const Target& target,
                                      const CName& name, const CudaOptions& options,
                                      Diagnostics& diags);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_EMIT_CUDA_H_

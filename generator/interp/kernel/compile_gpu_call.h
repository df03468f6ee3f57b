// Compiles GPU intrinsics (ir/device/gpu_call.h) to steps.
#ifndef LATHE_INTERP_KERNEL_COMPILE_GPU_CALL_H_
#define LATHE_INTERP_KERNEL_COMPILE_GPU_CALL_H_

#include <optional>

#include "generator/interp/kernel/code_builder.h"

namespace lathe::interp {

// Returns the lanes of `n`, whose result has dtype `t`; nullopt for other intrinsics.
std::optional<Lanes> CompileGpuCall(CodeBuilder& b, const ir::Intrinsic& n, ir::DType t);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_COMPILE_GPU_CALL_H_

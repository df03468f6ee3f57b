// Compiles matrix operations of a warp (ir/device/matrix_call.h) and asynchronous copies
// (ir/device/async_copy_call.h) to steps.
#ifndef LATHE_INTERP_KERNEL_COMPILE_MATRIX_CALL_H_
#define LATHE_INTERP_KERNEL_COMPILE_MATRIX_CALL_H_

#include <optional>

#include "generator/interp/kernel/code_builder.h"

namespace lathe::interp {

// Compiles `n`. Returns a lane that holds 0, as `n` has no result; nullopt for other intrinsics.
std::optional<Lanes> CompileMatrixCall(CodeBuilder& b, const ir::Intrinsic& n, ir::DType t);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_COMPILE_MATRIX_CALL_H_

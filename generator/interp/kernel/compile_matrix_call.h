// What a warp does with small matrices (ir/device/matrix_call.h), and copies that go on while a
// thread does (ir/device/async_copy_call.h), to steps.
#ifndef LATHE_INTERP_KERNEL_COMPILE_MATRIX_CALL_H_
#define LATHE_INTERP_KERNEL_COMPILE_MATRIX_CALL_H_

#include <optional>

#include "generator/interp/kernel/code_builder.h"

namespace lathe::interp {

// The lanes of `n`, which gives nothing; none where it is another intrinsic.
std::optional<Lanes> CompileMatrixCall(CodeBuilder& b, const ir::Intrinsic& n, ir::DType t);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_COMPILE_MATRIX_CALL_H_

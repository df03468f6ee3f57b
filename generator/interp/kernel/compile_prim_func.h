// Compiles a PrimFunc or a scalar expression to code.
#ifndef LATHE_INTERP_KERNEL_COMPILE_PRIM_FUNC_H_
#define LATHE_INTERP_KERNEL_COMPILE_PRIM_FUNC_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "generator/interp/kernel/tir_code.h"

namespace lathe::interp {

// Compiles `func`; the parameters of the code are those of `func`. The code first binds shape
// variables that are whole dimensions, in any order, then checks every other dimension, stride and
// offset from left to right. Fails when the code is too large.
absl::StatusOr<Code> CompilePrimFunc(const ir::PrimFunc& func, absl::string_view name);

// Compiles `e`, with the variables `vars` as parameters, in this order.
absl::StatusOr<Code> CompileScalarCode(ir::PrimRef e, absl::Span<const ir::PrimRef> vars,
                                       bool is_size);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_COMPILE_PRIM_FUNC_H_

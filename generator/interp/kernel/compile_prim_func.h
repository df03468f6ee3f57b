// A PrimFunc, or a scalar expression alone, to code.
#ifndef LATHE_INTERP_KERNEL_COMPILE_PRIM_FUNC_H_
#define LATHE_INTERP_KERNEL_COMPILE_PRIM_FUNC_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "generator/interp/kernel/tir_code.h"

namespace lathe::interp {

// Code whose parameters are those of `func`. It starts by giving the variables in the shapes of
// its buffers their values: those that stand alone first, whatever their order, then every other
// dimension, stride and offset is checked from left to right. Fails when it becomes too large.
absl::StatusOr<Code> CompilePrimFunc(const ir::PrimFunc& func, absl::string_view name);

// Code that evaluates `e`, whose variables are its parameters, in the order of `vars`.
absl::StatusOr<Code> CompileScalarCode(ir::PrimRef e, absl::Span<const ir::PrimRef> vars,
                                       bool is_size);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_COMPILE_PRIM_FUNC_H_

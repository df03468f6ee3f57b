// Calls of functions outside the PrimFunc to steps: other PrimFuncs, packed and external functions.
#ifndef LATHE_INTERP_KERNEL_COMPILE_CALL_H_
#define LATHE_INTERP_KERNEL_COMPILE_CALL_H_

#include "generator/interp/kernel/code_builder.h"

namespace lathe::interp {

// True for call_global, call_extern, call_packed and their kin.
bool IsCall(absl::string_view intrinsic);

Lanes CompileCall(CodeBuilder& b, const ir::Intrinsic& n, ir::DType t);

// What the pointer `e` is declared to lead to; void when nothing says.
ir::DType PointeeOf(ir::PrimRef e);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_COMPILE_CALL_H_

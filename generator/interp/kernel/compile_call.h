// Compiles calls from a PrimFunc to other PrimFuncs, packed functions and external functions.
#ifndef LATHE_INTERP_KERNEL_COMPILE_CALL_H_
#define LATHE_INTERP_KERNEL_COMPILE_CALL_H_

#include "generator/interp/kernel/code_builder.h"

namespace lathe::interp {

// Returns true for call_global, call_extern, call_packed and their variants.
bool IsCall(absl::string_view intrinsic);

Lanes CompileCall(CodeBuilder& b, const ir::Intrinsic& n, ir::DType t);

// Returns the declared element type of the pointer `e`; void when it is not declared.
ir::DType PointeeOf(ir::PrimRef e);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_COMPILE_CALL_H_

// Compiles scalar expressions to steps.
#ifndef LATHE_INTERP_KERNEL_COMPILE_EXPR_H_
#define LATHE_INTERP_KERNEL_COMPILE_EXPR_H_

#include <vector>

#include "generator/interp/kernel/code_builder.h"

namespace lathe::interp {

// Appends the steps that compute `e` and returns its lanes.
Lanes CompileExpr(CodeBuilder& b, ir::PrimRef e);

// Compiles a scalar; a vector becomes a trap.
Reg CompileScalarExpr(CodeBuilder& b, ir::PrimRef e);

// buffer[indices] <- value, lane by lane.
void CompileStore(CodeBuilder& b, ir::BufferRef buffer, const std::vector<ir::PrimRef>& indices,
                  ir::PrimRef value, ir::PrimRef predicate);

// Returns the view of `buffer`. An undeclared buffer becomes a view of the memory at its pointer.
uint32_t ViewOf(CodeBuilder& b, ir::BufferRef buffer);

// Binds view `view` of `buffer` over the pointer in register `data`.
void EmitBindView(CodeBuilder& b, const ir::Buffer& buffer, uint32_t view, Reg data);

// Appends the step for `x` op `y`, or the conversion of `x`, in one lane; returns the result.
Reg EmitBinary(CodeBuilder& b, ir::BinaryOp op, ir::DType operands, Reg x, Reg y);
Reg EmitCast(CodeBuilder& b, ir::DType from, ir::DType to, Reg x);

// Returns true, after emitting a trap, if arithmetic on `t` is unsupported.
bool TrapsOnDType(CodeBuilder& b, ir::DType t);

// Returns `n` lanes of zero, for use after a trap.
Lanes NoLanes(CodeBuilder& b, int n);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_COMPILE_EXPR_H_

// Transposes constant weights whose elements are not contiguous along an axis, so that they are.
#ifndef LATHE_SCHEDULE_VECTORS_TRANSPOSE_CONSTANTS_H_
#define LATHE_SCHEDULE_VECTORS_TRANSPOSE_CONSTANTS_H_

#include <vector>

#include "generator/ir/context.h"
#include "generator/ir/program.h"
#include "generator/nest/nest_call.h"

namespace lathe::schedule {

// w[c, 0, i, j] as w_transposed[0, i, j, c], for an axis c.
struct TransposedConstant {
  size_t param = 0;  // of the call
  size_t dim = 0;    // becomes the last dimension
  ir::BufferRef buffer = nullptr;
};

// Rewrites the loads of `stage` that are not contiguous along `axis`, and returns the new constants
// that they read. Does so only for float32 constants that the call loads once.
std::vector<TransposedConstant> TransposeConstants(ir::Context& context, const ir::Program& program,
                                                   const nest::NestCall& call, ir::PrimRef axis,
                                                   ir::NestStage& stage);

// Adds the transposed constants to the program and makes the call read them.
void AddTransposed(ir::Program& program, const std::vector<TransposedConstant>& transposed,
                   nest::NestCall& call);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_VECTORS_TRANSPOSE_CONSTANTS_H_

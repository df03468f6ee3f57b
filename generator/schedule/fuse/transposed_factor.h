// Recognizes transposes of product operands that a tiled product does not need, because it reads
// the original layout as well.
#ifndef LATHE_SCHEDULE_FUSE_TRANSPOSED_FACTOR_H_
#define LATHE_SCHEDULE_FUSE_TRANSPOSED_FACTOR_H_

#include "generator/ir/context.h"
#include "generator/nest/nest_call.h"

namespace lathe::schedule {

// Returns whether `mover` only permutes the elements of `tensor`, a factor of the sum of products
// `product`; the product is large enough for tiles or for a GPU matrix-vector kernel; and the
// innermost axis of the original layout is a line or the depth of the factor. If it is a batch
// axis, the transpose is kept, because neighboring threads would not read neighboring elements.
bool IsTransposedFactor(ir::Context& context, const nest::NestCall& mover,
                        const nest::NestCall& product, ir::TensorId tensor);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FUSE_TRANSPOSED_FACTOR_H_

// Factors of products that a program moves first, by a transpose, and that tiles read as well from
// where they lay.
#ifndef LATHE_SCHEDULE_FUSE_MOVED_FACTOR_H_
#define LATHE_SCHEDULE_FUSE_MOVED_FACTOR_H_

#include "generator/ir/context.h"
#include "generator/nest/nest_call.h"

namespace lathe::schedule {

// Whether `mover` does nothing but to give the elements of a tensor other places in `tensor`, which
// `product` reads as a factor of a sum of products, large enough for tiles, or for threads that
// share a matrix; and what lies side by side before it is moved is a line of the factor, or its
// depth. A batch that lies closest together is better moved: no thread would read neighbours.
bool IsMovedFactor(ir::Context& context, const nest::NestCall& mover, const nest::NestCall& product,
                   ir::TensorId tensor);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FUSE_MOVED_FACTOR_H_

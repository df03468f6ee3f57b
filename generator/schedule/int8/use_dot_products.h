// Loops that add up products of int8 rows, one or two with four others, as ir::kDots.
#ifndef LATHE_SCHEDULE_INT8_USE_DOT_PRODUCTS_H_
#define LATHE_SCHEDULE_INT8_USE_DOT_PRODUCTS_H_

#include "generator/ir/context.h"
#include "generator/ir/program.h"
#include "generator/target/target.h"

namespace lathe::schedule {

// Only where the target has instructions that multiply and add several at once.
void UseDotProducts(ir::Context& context, ir::Program& program, const Target& target);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_INT8_USE_DOT_PRODUCTS_H_

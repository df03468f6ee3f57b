// Replaces loops that multiply int8 rows by weights in panels and requantize the result by
// ir::kProducts.
#ifndef LATHE_SCHEDULE_INT8_USE_PRODUCTS_H_
#define LATHE_SCHEDULE_INT8_USE_PRODUCTS_H_

#include "generator/ir/context.h"
#include "generator/ir/program.h"
#include "generator/target/target.h"

namespace lathe::schedule {

// Matches the loops of transform/quantize/integer_rows. Programs for targets without dot-product
// instructions are unchanged.
void UseProducts(ir::Context& context, ir::Program& program, const Target& target);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_INT8_USE_PRODUCTS_H_

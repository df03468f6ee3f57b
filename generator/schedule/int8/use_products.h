// Loops that make rows of int8 of rows of int8 and weights in panels, as ir::kProducts.
#ifndef LATHE_SCHEDULE_INT8_USE_PRODUCTS_H_
#define LATHE_SCHEDULE_INT8_USE_PRODUCTS_H_

#include "generator/ir/context.h"
#include "generator/ir/program.h"
#include "generator/target/target.h"

namespace lathe::schedule {

// Where the target has instructions that multiply and add several at once. The loops are those of
// transform/quantize/integer_rows.
void UseProducts(ir::Context& context, ir::Program& program, const Target& target);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_INT8_USE_PRODUCTS_H_

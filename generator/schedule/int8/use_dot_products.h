// Replaces loops that sum products of int8 rows by ir::kInt8Dot, for one or two rows with four
// others, and by ir::kDotPanels, for up to four rows with weights in panels.
#ifndef LATHE_SCHEDULE_INT8_USE_DOT_PRODUCTS_H_
#define LATHE_SCHEDULE_INT8_USE_DOT_PRODUCTS_H_

#include "generator/ir/context.h"
#include "generator/ir/program.h"
#include "generator/target/target.h"

namespace lathe::schedule {

// Programs for targets without dot-product instructions are unchanged.
void UseDotProducts(ir::Context& context, ir::Program& program, const Target& target);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_INT8_USE_DOT_PRODUCTS_H_

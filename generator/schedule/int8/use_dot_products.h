// Replaces loops that sum products of int8 rows by ir::kInt8Dot: one or two rows with four others.
#ifndef LATHE_SCHEDULE_INT8_USE_DOT_PRODUCTS_H_
#define LATHE_SCHEDULE_INT8_USE_DOT_PRODUCTS_H_

#include "generator/ir/context.h"
#include "generator/ir/program.h"
#include "generator/target/target.h"

namespace lathe::schedule {

// Only for targets with dot-product instructions.
void UseDotProducts(ir::Context& context, ir::Program& program, const Target& target);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_INT8_USE_DOT_PRODUCTS_H_

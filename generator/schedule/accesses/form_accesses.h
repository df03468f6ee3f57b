// Which regions of their operands the forms of the library of kernels touch.
//
// A stage as it stands, and one in vectors, touch what their loops do: vectors at an end of an axis
// have so many lanes as there are elements. Beyond that
// - a sum in tiles reads of the factor along rows what start and strides say for all rows and all
// k;
//   of panels all columns of each, those behind the last too; where it packs them itself, of the
//   factor along columns those that there are;
// - a copy with a border writes all of what it copies to, and reads what lies behind `before`.
#ifndef LATHE_SCHEDULE_ACCESSES_FORM_ACCESSES_H_
#define LATHE_SCHEDULE_ACCESSES_FORM_ACCESSES_H_

#include "generator/analysis/arithmetic/fact_stack.h"
#include "generator/ir/context.h"
#include "generator/ir/kernel_form.h"
#include "generator/schedule/accesses/access_walk.h"

namespace lathe::schedule {

void FormAccesses(ir::Context& context, const ir::KernelForm& form, analysis::FactStack& facts,
                  AccessWalk& walk);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_ACCESSES_FORM_ACCESSES_H_

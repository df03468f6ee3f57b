// Computes the memory accesses of library kernel forms.
//
// A plain stage and a vector loop access what their loops access: a vector at the end of an axis
// has only as many lanes as there are elements. In addition:
// - a tiled sum reads the elements of the row factor given by start and strides, for all rows and
//   all k; it reads all columns of each panel, including the padding of the last one; if it packs
//   panels itself, it reads only the existing columns of the column factor;
// - a padded copy writes its whole destination and reads its source from `before` on.
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

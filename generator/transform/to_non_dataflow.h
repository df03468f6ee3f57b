// Replaces dataflow blocks and variables by ordinary ones, after the passes that use dataflow.
//
//   with R.dataflow():                lv = R.add(x, x)
//       lv = R.add(x, x)          →   gv = R.nn.relu(lv)
//       gv = R.nn.relu(lv)
//       R.output(gv)
#ifndef LATHE_TRANSFORM_TO_NON_DATAFLOW_H_
#define LATHE_TRANSFORM_TO_NON_DATAFLOW_H_

#include "generator/ir/module.h"

namespace lathe::transform {

void ToNonDataflow(ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_TO_NON_DATAFLOW_H_

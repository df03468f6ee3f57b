// Adds intermediate values to the results of a function, so that a compiled model returns them.
//
//   lv = R.nn.conv2d(x, w)             lv = R.nn.conv2d(x, w)
//   return R.nn.relu(lv)          →    return (R.nn.relu(lv), lv)
#ifndef LATHE_TRANSFORM_TAP_VALUES_H_
#define LATHE_TRANSFORM_TAP_VALUES_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::transform {

// Adds the tensors that the body of `function` binds to `names`, in this order, after its results
// and before its state. They have neither a scale nor labels. Fails without changes if the function
// is used in the module, whose calls expect its result, if a name is not bound outside of branches,
// bound twice, or given twice, or if a value is not a tensor.
absl::Status TapValues(ir::Context& context, ir::Module& module, ir::GlobalId function,
                       const std::vector<std::string>& names, Diagnostics& diags);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_TAP_VALUES_H_

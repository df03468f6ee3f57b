// Replaces parameters by constants, for weights that are known at compile time.
//
//   def main(x, w: R.Tensor(("n", 4))):        def main(x):
//       y = R.matmul(x, w)               →         y = R.matmul(x, R.const(...))
#ifndef LATHE_TRANSFORM_BIND_PARAMS_H_
#define LATHE_TRANSFORM_BIND_PARAMS_H_

#include <map>
#include <string>

#include "absl/status/status.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// Removes the parameters named in `params` from `function`. Shape variables in their annotations
// become the dimensions of the constants. Fails without changes when the function does not exist or
// is used in the module (its calls pass all parameters), when it has no such parameter, or when a
// constant does not match the annotation.
absl::Status BindParams(ir::Context& context, ir::Module& module, const std::string& function,
                        const std::map<std::string, ir::Constant>& params);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_BIND_PARAMS_H_

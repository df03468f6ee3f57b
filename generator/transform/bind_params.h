// Parameters become constants: weights that are known when a program is compiled.
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

// Takes the parameters named in `params` out of `function`; where their annotations bind shape
// variables, those become what the constants say. Fails, and changes nothing, when the function is
// not there or is used in the module (its calls give all parameters), when it has no such
// parameter, or when a constant is not what the parameter's annotation asks for.
absl::Status BindParams(ir::Context& context, ir::Module& module, const std::string& function,
                        const std::map<std::string, ir::Constant>& params);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_BIND_PARAMS_H_

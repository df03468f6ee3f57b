// Replaces shape variables of signatures by numbers, to compile a program for fixed sizes.
//
//   def main(x: R.Tensor(("n", 4))) -> R.Tensor(("n", 4))    →    def main(x: R.Tensor((8, 4))) ...
#ifndef LATHE_TRANSFORM_BIND_SYMBOLIC_VARS_H_
#define LATHE_TRANSFORM_BIND_SYMBOLIC_VARS_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "generator/analysis/arithmetic/interval.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// Applies to `function` or, when it is empty, to every exported function with such a variable (in a
// module that was read without a class, to every function). Fails without changes when there is no
// such function, when a number is negative, or when no signature of these functions binds a
// variable of that name.
absl::Status BindSymbolicVars(ir::Context& context, ir::Module& module, const std::string& function,
                              const std::map<std::string, int64_t>& sizes);

// Records bounds of these variables in the exported functions that have them, as the attributes
// tir_var_lower_bound and tir_var_upper_bound. Fails as BindSymbolicVars does with an empty name.
absl::Status BoundSymbolicVars(ir::Module& module,
                               const std::map<std::string, analysis::Interval>& ranges);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_BIND_SYMBOLIC_VARS_H_

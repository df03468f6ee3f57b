// Records the structural information that exported functions declare for the boxed values among
// their parameters and results.
#ifndef LATHE_LOWER_DECLARE_VALUES_H_
#define LATHE_LOWER_DECLARE_VALUES_H_

#include "generator/ir/module.h"
#include "generator/ir/program.h"

namespace lathe::lower {

// Sets Tensor::declared of `program`, which `module` was lowered to.
void DeclareValues(const ir::Module& module, ir::Program& program);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_DECLARE_VALUES_H_

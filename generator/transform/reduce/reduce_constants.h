// Reduces constants: to parameters, or to one value for all elements.
#ifndef LATHE_TRANSFORM_REDUCE_REDUCE_CONSTANTS_H_
#define LATHE_TRANSFORM_REDUCE_REDUCE_CONSTANTS_H_

#include <vector>

#include "absl/types/span.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/transform/reduce/reductions.h"

namespace lathe::transform {

// Returns the constants in the body of `function` that a printed program has as data, apart from
// its text, in the order of their uses.
std::vector<ir::ConstantId> LargeConstants(const ir::Module& module, ir::GlobalId function);

// Makes these constants of `function` parameters, after its other ones.
void ConstantsToParameters(ir::Context& context, ir::Module& module, ir::GlobalId function,
                           absl::Span<const ir::ConstantId> constants);

// Sets all elements of the constant at `place` to its first element.
Reduced UniformConstant(ir::Context& context, ir::Module& module, int place);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_REDUCE_REDUCE_CONSTANTS_H_

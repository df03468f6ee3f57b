// Finds the values and shape variables that a local function captures.
#ifndef LATHE_TRANSFORM_CAPTURES_H_
#define LATHE_TRANSFORM_CAPTURES_H_

#include <vector>

#include "generator/analysis/shape_scope.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

struct Captures {
  std::vector<ir::ValueId> values;              // in order of appearance
  std::vector<ir::StructInfoRef> infos;         // of each, over the shape variables in scope
  std::vector<ir::PrimRef> shape_vars;          // used by the function, or in `infos`
  std::vector<ir::PrimRef> unbound_shape_vars;  // those that no info binds
};

// Returns what `f` captures. `f` is bound to `self`, which it does not capture. `around` holds the
// shape variables in scope.
Captures CapturesOf(ir::Context& context, const ir::Module& module, const ir::Function& f,
                    ir::ValueId self, const analysis::ShapeScope& around);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_CAPTURES_H_

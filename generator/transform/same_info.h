// Compares infos, to decide whether one value may replace another.
#ifndef LATHE_TRANSFORM_SAME_INFO_H_
#define LATHE_TRANSFORM_SAME_INFO_H_

#include "generator/analysis/shape_scope.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// Returns the shape variables that parameters and casts of the module bind, without those that
// function infos bind themselves.
analysis::ShapeScope BoundShapeVars(const ir::Module& module);

// Returns true if each of the two infos is certainly accepted where the other one is required.
bool SameInfo(ir::Context& context, const ir::Module& module, const analysis::ShapeScope& bound,
              ir::StructInfoRef a, ir::StructInfoRef b);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_SAME_INFO_H_

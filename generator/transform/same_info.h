// Whether two infos say the same, so that a value with one may stand where the other was.
#ifndef LATHE_TRANSFORM_SAME_INFO_H_
#define LATHE_TRANSFORM_SAME_INFO_H_

#include "generator/analysis/shape_scope.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// The shape variables that parameters and casts of the module bind: all but those that function
// infos bind for themselves.
analysis::ShapeScope BoundShapeVars(const ir::Module& module);

// Each is accepted where the other is asked for, for certain.
bool SameInfo(ir::Context& context, const ir::Module& module, const analysis::ShapeScope& bound,
              ir::StructInfoRef a, ir::StructInfoRef b);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_SAME_INFO_H_

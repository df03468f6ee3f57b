// Counts the uses of each variable in the text of a module: as an operand, a callee, a result, or
// as the shape in a declared info: an annotation, a cast or an info argument. Uses in derived infos
// do not count.
#ifndef LATHE_TRANSFORM_COUNT_USES_H_
#define LATHE_TRANSFORM_COUNT_USES_H_

#include "absl/functional/function_ref.h"
#include "generator/ir/module.h"

namespace lathe::transform {

using Uses = IdVector<ir::ValueId, int>;

Uses CountUses(const ir::Module& module);

// Calls `visit` with every variable that `binding` reads, including the bodies in it and the
// annotation of its variable.
void ForEachUse(const ir::Module& module, const ir::Binding& binding,
                absl::FunctionRef<void(ir::ValueId)> visit);
void ForEachUse(const ir::Operand& operand, absl::FunctionRef<void(ir::ValueId)> visit);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_COUNT_USES_H_

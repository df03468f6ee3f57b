// Rebuilds a statement with other child statements.
#ifndef LATHE_IR_MAP_CHILDREN_H_
#define LATHE_IR_MAP_CHILDREN_H_

#include "absl/functional/function_ref.h"
#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::ir {

// Applies `map` to each direct child (those ForEachChild visits); returns `stmt` itself if none
// changed.
StmtRef MapChildren(Context& context, StmtRef stmt, absl::FunctionRef<StmtRef(StmtRef)> map);

}  // namespace lathe::ir

#endif  // LATHE_IR_MAP_CHILDREN_H_

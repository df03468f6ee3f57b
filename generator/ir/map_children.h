// A statement with other statements inside.
#ifndef LATHE_IR_MAP_CHILDREN_H_
#define LATHE_IR_MAP_CHILDREN_H_

#include "absl/functional/function_ref.h"
#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::ir {

// `stmt` with `map` applied to each direct part (those ForEachChild visits); `stmt` itself when
// none changed.
StmtRef MapChildren(Context& context, StmtRef stmt, absl::FunctionRef<StmtRef(StmtRef)> map);

}  // namespace lathe::ir

#endif  // LATHE_IR_MAP_CHILDREN_H_

// Replaces the expressions and buffers of a statement.
#ifndef LATHE_IR_MAP_PARTS_H_
#define LATHE_IR_MAP_PARTS_H_

#include "absl/functional/function_ref.h"
#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::ir {

// Applies `scalar` and `buffer` to each expression and each buffer in `node` itself, but not in
// nested statements, in attributes or in the shapes of buffers. Both get and return values that are
// not null.
void MapParts(Stmt::Node& node, absl::FunctionRef<PrimRef(PrimRef)> scalar,
              absl::FunctionRef<BufferRef(BufferRef)> buffer);

}  // namespace lathe::ir

#endif  // LATHE_IR_MAP_PARTS_H_

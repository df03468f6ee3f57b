// Scalar expressions as C, with parentheses only where C needs them.
#ifndef LATHE_EMIT_PRINT_C_EXPR_H_
#define LATHE_EMIT_PRINT_C_EXPR_H_

#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "generator/analysis/assumptions.h"
#include "generator/ir/context.h"
#include "generator/ir/prim_expr.h"

namespace lathe::emit {

// What the names of a kernel stand for while it is printed.
struct CScope {
  ir::Context& ir;
  absl::flat_hash_map<ir::PrimRef, std::string> vars;       // loop variables, lets
  absl::flat_hash_map<ir::PrimRef, ir::PrimRef> axes;       // block axes: what they are bound to
  absl::flat_hash_map<ir::BufferRef, std::string> buffers;  // pointers to the first element
  analysis::Assumptions ranges = {};                        // of the loop variables
  bool uses_math = false;                                   // set by what needs <math.h>
};

// Fails, naming it, when the expression holds something plain C is not printed for yet.
absl::StatusOr<std::string> PrintCExpr(CScope& scope, ir::PrimRef e);

// name[i * 8 + j] for an element of a compact, row-major buffer.
absl::StatusOr<std::string> PrintCElement(CScope& scope, ir::BufferRef buffer,
                                          const std::vector<ir::PrimRef>& indices);

// `e` with the axes' bindings put in.
ir::PrimRef ExpandAxes(CScope& scope, ir::PrimRef e);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_PRINT_C_EXPR_H_

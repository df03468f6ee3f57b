// The names of R that are no operators: R.const, R.tuple, R.shape, R.prim_value, R.str, R.dtype,
// R.TupleGetItem, R.ExternFunc, R.call_packed, R.match_cast and R.match_shape.
#ifndef LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_LITERAL_CALL_H_
#define LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_LITERAL_CALL_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/ir/module.h"
#include "generator/reader/relax_text/elaboration/frame.h"

namespace lathe::relax_text {

// Whether R.`name` is one of them.
bool IsLiteralCall(absl::string_view name);

// `e` is a call of R.`name`.
absl::StatusOr<ir::Rhs> ElaborateLiteralCall(Frame& frame, const ast::Expr& e,
                                             absl::string_view name);

// R.ExternFunc("f"), R.ExternFunc("f", R.Callable(...)).
absl::StatusOr<ir::ExternFunc> ElaborateExternFunc(Frame& frame, const ast::Expr& e);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_LITERAL_CALL_H_

// The functions of T that make nodes of their own: T.Add, T.min, T.Cast, T.Ramp, T.Let,
// T.max_value.
#ifndef LATHE_READER_RELAX_TEXT_TIR_SCALAR_NODES_H_
#define LATHE_READER_RELAX_TEXT_TIR_SCALAR_NODES_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/ir/prim_expr.h"
#include "generator/reader/relax_text/tir/scalar_elaborator.h"

namespace lathe::relax_text {

// Evaluates the call `e` of T.name.
using NodeFn = absl::StatusOr<ScalarValue> (*)(ScalarElaborator& s, const ast::Expr& e,
                                               absl::string_view name);

// Null when T.name is not one of them.
NodeFn FindNode(absl::string_view name);

// Their names, for suggestions.
std::vector<absl::string_view> NodeNames();

// The operation that "add", "bitwise_and" or "Add" names, as T.call_intrin spells it too.
std::optional<ir::BinaryOp> BinaryOpNamed(absl::string_view name);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_SCALAR_NODES_H_

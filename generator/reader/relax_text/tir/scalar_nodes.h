// Evaluates the functions of T that create expression nodes: T.Add, T.min, T.Cast, T.Ramp, T.Let,
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

// Returns the evaluator of T.name, or null if it is not one of these functions.
NodeFn FindNode(absl::string_view name);

// Returns the names of these functions, for suggestions.
std::vector<absl::string_view> NodeNames();

// Returns the operation that `name` denotes ("add", "bitwise_and", "Add"), including the spellings
// of T.call_intrin. Returns nullopt for other names.
std::optional<ir::BinaryOp> BinaryOpNamed(absl::string_view name);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_SCALAR_NODES_H_

// Evaluates the functions of T in expressions.
#ifndef LATHE_READER_RELAX_TEXT_TIR_SCALAR_CALLS_H_
#define LATHE_READER_RELAX_TEXT_TIR_SCALAR_CALLS_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/reader/relax_text/tir/scalar_elaborator.h"

namespace lathe::relax_text {

// Evaluates T.name without a call: T.float32 is a type.
absl::StatusOr<ScalarValue> EvalTirName(ScalarElaborator& s, const ast::Expr& e,
                                        absl::string_view name);

// Evaluates the call `e` of T.name.
absl::StatusOr<ScalarValue> EvalTirCall(ScalarElaborator& s, const ast::Expr& e,
                                        absl::string_view name);

// Evaluates cls.f(...), a call of the module function `member`. `e` is the Call.
absl::StatusOr<ScalarValue> EvalGlobalCall(ScalarElaborator& s, const ast::Expr& e,
                                           const Elaboration::Member& member);

// Converts `value` by the Python builtin `name`: float("inf"), int(x), bool(1).
absl::StatusOr<ScalarValue> ConvertBuiltin(ScalarElaborator& s, const ast::Expr& e,
                                           absl::string_view name, const ScalarValue& value);

// Returns the dtype named T.name: "float32", "i32", "boolean". Returns nullopt for other names.
std::optional<ir::DType> TypeNamed(absl::string_view name);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_SCALAR_CALLS_H_

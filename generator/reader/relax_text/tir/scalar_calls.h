// What the functions of T mean in expressions.
#ifndef LATHE_READER_RELAX_TEXT_TIR_SCALAR_CALLS_H_
#define LATHE_READER_RELAX_TEXT_TIR_SCALAR_CALLS_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/reader/relax_text/tir/scalar_elaborator.h"

namespace lathe::relax_text {

// T.name where it is not called: T.float32 as a type.
absl::StatusOr<ScalarValue> EvalTirName(ScalarElaborator& s, const ast::Expr& e,
                                        absl::string_view name);

// T.name(...): `e` is the Call.
absl::StatusOr<ScalarValue> EvalTirCall(ScalarElaborator& s, const ast::Expr& e,
                                        absl::string_view name);

// cls.f(...): a call of another function of the module.
absl::StatusOr<ScalarValue> EvalGlobalCall(ScalarElaborator& s, const ast::Expr& e,
                                           const Elaboration::Member& member);

// float("inf"), int(x), bool(1).
absl::StatusOr<ScalarValue> ConvertBuiltin(ScalarElaborator& s, const ast::Expr& e,
                                           absl::string_view name, const ScalarValue& value);

// The data type that T calls `name`: "float32", "i32", "boolean"; nothing for other names.
std::optional<ir::DType> TypeNamed(absl::string_view name);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_SCALAR_CALLS_H_

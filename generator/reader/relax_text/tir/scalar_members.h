// Evaluates members of values in TIR text: A.shape, A.data, x.dtype, x.astype("float16"),
// A.access_ptr("r").
#ifndef LATHE_READER_RELAX_TEXT_TIR_SCALAR_MEMBERS_H_
#define LATHE_READER_RELAX_TEXT_TIR_SCALAR_MEMBERS_H_

#include "absl/status/statusor.h"
#include "generator/reader/relax_text/tir/scalar_elaborator.h"

namespace lathe::relax_text {

// Evaluates object.member without a call. `e` is the whole expression.
absl::StatusOr<ScalarValue> EvalMember(ScalarElaborator& s, const ast::Expr& e,
                                       const ScalarValue& object, const ast::Attribute& member);

// Evaluates the call `e` of the method object.member.
absl::StatusOr<ScalarValue> EvalMethod(ScalarElaborator& s, const ast::Expr& e,
                                       const ScalarValue& object, const ast::Attribute& member);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_SCALAR_MEMBERS_H_

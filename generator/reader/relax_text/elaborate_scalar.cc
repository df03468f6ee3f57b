#include "generator/reader/relax_text/elaborate_scalar.h"

#include "generator/reader/relax_text/scalar_elaborator.h"

namespace lathe::relax_text {

absl::StatusOr<ir::PrimRef> ElaborateScalar(Elaboration& el, const ast::Expr& e, ScalarScope& scope,
                                            ir::DType int_dtype) {
  return ScalarElaborator(el, scope, int_dtype).Scalar(e);
}

absl::StatusOr<ir::AttrValue> ElaborateAttr(Elaboration& el, const ast::Expr& e, ScalarScope& scope,
                                            ir::DType int_dtype) {
  return ScalarElaborator(el, scope, int_dtype).Attr(e);
}

}  // namespace lathe::relax_text

#include "generator/reader/relax_text/tir/elaborate_scalar.h"

#include <utility>

#include "generator/reader/relax_text/tir/scalar_elaborator.h"
#include "generator/reader/relax_text/tir/scalar_objects.h"
#include "generator/support/status.h"

namespace lathe::relax_text {

absl::StatusOr<ir::PrimRef> ElaborateScalar(Elaboration& el, const ast::Expr& e, ScalarScope& scope,
                                            ir::DType int_dtype) {
  return ScalarElaborator(el, scope, int_dtype).Scalar(e);
}

absl::StatusOr<ir::AttrValue> ElaborateAttr(Elaboration& el, const ast::Expr& e, ScalarScope& scope,
                                            ir::DType int_dtype) {
  return ScalarElaborator(el, scope, int_dtype).Attr(e);
}

absl::StatusOr<ir::AttrValue> ElaborateIndexMap(Elaboration& el, const ast::Expr& e,
                                                ScalarScope& scope) {
  const ir::DType index = ir::DType::Int(64);
  ScalarElaborator scalars(el, scope, index);
  LATHE_ASSIGN_OR_RETURN(auto map, EvalIndexMap(scalars, e, index));
  return ir::AttrValue(std::move(map));
}

}  // namespace lathe::relax_text

// The names of scalar expressions in a Relax function: its shape variables, and the variables that
// are known to hold a scalar.
#ifndef LATHE_READER_RELAX_TEXT_RELAX_SHAPE_SCOPE_H_
#define LATHE_READER_RELAX_TEXT_RELAX_SHAPE_SCOPE_H_

#include "generator/reader/relax_text/elaboration/frame.h"

namespace lathe::relax_text {

// What becomes of a name that means nothing yet.
enum class NewNames {
  kRefuse,  // in a body
  kDefine,  // in a signature, wherever it stands: its binding position may come later
};

class ShapeScope : public ScalarScope {
 public:
  ShapeScope(Frame& frame, NewNames new_names) : frame_(frame), new_names_(new_names) {}

  absl::StatusOr<ir::PrimRef> Resolve(const ast::Expr& e) override;
  absl::StatusOr<ScalarValue> ResolveValue(const ast::Expr& e) override;
  bool Binds(absl::string_view name) const override;

 private:
  // Null where the name means nothing.
  const NameEntry* Find(absl::string_view name) const;

  Frame& frame_;
  NewNames new_names_;
};

// The scalar at `e` in the place of a value: R.prim_value(n + 1), x * n. Bare whole numbers are
// `int_dtype`.
absl::StatusOr<ir::PrimRef> ElaborateShapeScalar(Frame& frame, const ast::Expr& e,
                                                 NewNames new_names = NewNames::kRefuse,
                                                 ir::DType int_dtype = ir::DType::Int(64));

// A dimension: n, 4, n * 2, "n * 2". An integer.
//   kUse     in a body: every variable must be there
//   kMatch   in R.match_cast: a new name alone is a new shape variable
//   kDefine  in a signature: so is any new name; a quoted one is the function's own even where an
//            enclosing function has a variable of that name
enum class DimPlace { kUse, kMatch, kDefine };
absl::StatusOr<ir::PrimRef> ElaborateDim(Frame& frame, const ast::Expr& e, DimPlace place);

// The list of dimensions in a tuple or list.
absl::StatusOr<std::vector<ir::PrimRef>> ElaborateDims(Frame& frame, ast::ExprList elements,
                                                       DimPlace place);

// n = T.int64(), n = T.var("int64"): the dtype of the variable that `e` declares; nothing when it
// declares none.
std::optional<ir::DType> DeclaredShapeVar(const Elaboration& el, const ast::Expr& e);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_SHAPE_SCOPE_H_

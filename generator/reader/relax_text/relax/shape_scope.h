// Resolves the names in scalar expressions of a Relax function: its shape variables, and the
// variables that are known to hold a scalar.
#ifndef LATHE_READER_RELAX_TEXT_RELAX_SHAPE_SCOPE_H_
#define LATHE_READER_RELAX_TEXT_RELAX_SHAPE_SCOPE_H_

#include "generator/reader/relax_text/elaboration/frame.h"

namespace lathe::relax_text {

// How a name that is not bound is treated.
enum class NewNames {
  kRefuse,  // reports an error; used in bodies
  kDefine,  // defines a shape variable; used in signatures
};

class ShapeScope : public ScalarScope {
 public:
  ShapeScope(Frame& frame, NewNames new_names) : frame_(frame), new_names_(new_names) {}

  absl::StatusOr<ir::PrimRef> Resolve(const ast::Expr& e) override;
  absl::StatusOr<ScalarValue> ResolveValue(const ast::Expr& e) override;
  bool Binds(absl::string_view name) const override;

 private:
  // Returns null if the name is not bound. Inside a quoted dimension, integer constants of the
  // Python file are not visible.
  const NameEntry* Find(absl::string_view name) const;

  Frame& frame_;
  NewNames new_names_;
};

// Elaborates `e` as a scalar argument: R.prim_value(n + 1), x * n. Integer literals get
// `int_dtype`; a float literal alone is float64.
absl::StatusOr<ir::PrimRef> ElaborateShapeScalar(Frame& frame, const ast::Expr& e,
                                                 NewNames new_names = NewNames::kRefuse,
                                                 ir::DType int_dtype = ir::DType::Int(64));

// The position of a dimension, which determines how new names in it are treated:
//   kUse     in a body: all names must be bound
//   kMatch   in R.match_cast: a dimension that is only a new name defines a shape variable
//   kDefine  in a signature: every new name defines a shape variable. A quoted name belongs to the
//            function itself, even if an enclosing function has a variable of that name.
enum class DimPlace { kUse, kMatch, kDefine };
// Returns the integer dimension that `e` denotes: n, 4, n * 2, "n * 2".
absl::StatusOr<ir::PrimRef> ElaborateDim(Frame& frame, const ast::Expr& e, DimPlace place);

// Returns the dimensions `elements` of a shape. Reports the errors of all elements.
absl::StatusOr<std::vector<ir::PrimRef>> ElaborateDims(Frame& frame, ast::ExprList elements,
                                                       DimPlace place);

// Returns the dtype of the shape variable that `e` declares: n = T.int64(), n = T.var("int64").
// Returns nullopt if `e` is not such a declaration.
std::optional<ir::DType> DeclaredShapeVar(const Elaboration& el, const ast::Expr& e);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_SHAPE_SCOPE_H_

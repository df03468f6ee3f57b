// Evaluates expressions of TIR text: names, operators, buffers, and the functions of T.
//
//   A[vi, vj] * T.float32(2)   ->   Binary{kMul, Load{A, vi, vj}, FloatImm}
#ifndef LATHE_READER_RELAX_TEXT_TIR_SCALAR_ELABORATOR_H_
#define LATHE_READER_RELAX_TEXT_TIR_SCALAR_ELABORATOR_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/reader/relax_text/elaboration/elaboration.h"
#include "generator/reader/relax_text/elaboration/scalar_value.h"

namespace lathe::relax_text {

class ScalarElaborator {
 public:
  // An integer without a type gets `int_dtype`.
  ScalarElaborator(Elaboration& el, ScalarScope& scope, ir::DType int_dtype)
      : el_(el), scope_(scope), int_dtype_(int_dtype) {}

  // Returns the value of `e`. Like all functions of this class, reports a diagnostic on failure.
  absl::StatusOr<ScalarValue> Eval(const ast::Expr& e);

  // Evaluates `e` and converts the value to a scalar.
  absl::StatusOr<ir::PrimRef> Scalar(const ast::Expr& e);
  // Returns `e` as the argument of an intrinsic: a scalar, string, buffer or slice.
  absl::StatusOr<ir::PrimRef> Argument(const ast::Expr& e);
  // Returns the scalars in a tuple or list. A scalar is treated as a list of one.
  absl::StatusOr<std::vector<ir::PrimRef>> Scalars(const ast::Expr& e);
  absl::StatusOr<std::vector<ir::PrimRef>> Arguments(const std::vector<ast::ExprRef>& list);
  absl::StatusOr<ir::AttrValue> Attr(const ast::Expr& e);
  absl::StatusOr<ir::DType> Type(const ast::Expr& e);
  absl::StatusOr<std::string> String(const ast::Expr& e);
  absl::StatusOr<int64_t> Int(const ast::Expr& e);
  absl::StatusOr<bool> Bool(const ast::Expr& e);

  // Returns the name of the function of T that `callee` denotes: "call_extern", "ptx.mma". Returns
  // nullopt if it denotes none.
  std::optional<std::string> TirName(const ast::Expr& callee);

  // Evaluates the lambda `e` with new variables for its parameters. Parameters beyond `dtypes` and
  // integers without a type get `int_dtype`.
  struct Lambda {
    std::vector<ir::PrimRef> params;
    ScalarValue result;
  };
  absl::StatusOr<Lambda> EvalLambda(const ast::Expr& e, const std::vector<ir::DType>& dtypes,
                                    ir::DType int_dtype);

  Elaboration& el() { return el_; }
  ir::Context& context() { return el_.context(); }
  ir::DType int_dtype() const { return int_dtype_; }

 private:
  absl::StatusOr<ScalarValue> EvalNode(const ast::Expr& e);
  absl::StatusOr<ScalarValue> EvalName(const ast::Expr& e, const ast::Name& name);
  absl::StatusOr<ScalarValue> EvalAttribute(const ast::Expr& e, const ast::Attribute& a);
  absl::StatusOr<ScalarValue> EvalCall(const ast::Expr& e, const ast::Call& call);
  absl::StatusOr<ScalarValue> EvalBuiltin(const ast::Expr& e, absl::string_view name);
  absl::StatusOr<ScalarValue> EvalDict(const ast::Dict& dict);
  absl::StatusOr<ScalarValue> EvalCompare(const ast::Expr& e, const ast::Compare& compare);
  absl::StatusOr<ScalarValue> EvalIfExp(const ast::Expr& e, const ast::IfExp& choice);
  absl::StatusOr<ScalarList> EvalList(ast::ExprList items);
  bool IsBound(const ast::Expr& e);

  Elaboration& el_;
  ScalarScope& scope_;
  ir::DType int_dtype_;
  // The parameters of the enclosing lambdas, innermost last.
  std::vector<std::pair<absl::string_view, ir::PrimRef>> lambda_params_;
};

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_SCALAR_ELABORATOR_H_

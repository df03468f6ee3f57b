// Scalar expressions as C, with parentheses only where C needs them.
#ifndef LATHE_EMIT_C_PRINT_C_EXPR_H_
#define LATHE_EMIT_C_PRINT_C_EXPR_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/emit/c/c_scope.h"

namespace lathe::emit {

// C's own precedences, the looser the lower.
enum : int {
  kTernary = 1,
  kOr = 2,
  kAnd = 3,
  kBitOr = 4,
  kBitXor = 5,
  kBitAnd = 6,
  kEquality = 7,
  kOrder = 8,
  kShift = 9,
  kSum = 10,
  kProduct = 11,
  kPrefix = 12,
  kPrimary = 13
};

struct CText {
  std::string text;
  int precedence = kPrimary;
  bool truth = false;  // what C takes for true or false; else a bool is a byte, 0 or 1
  // Of literals alone: its type in C may be int, which has as few as 16 bits. What computes with
  // two such operands makes the type of one explicit.
  bool literal = false;
  // The same as an unsigned number, where it was computed as one because it may wrap around.
  std::string bits;
  int bits_precedence = kPrimary;
  // Before it was made a number of its dtype, where what stores it does that too.
  std::string unrounded;
  // Of an element of a small float format: as it lies in memory.
  std::string code;
  std::string In(int outer) const;  // in parentheses where `outer` binds tighter
};

// The value of `e` in its CScalarType, or as what is true or false. Fails, naming it, when the
// expression holds something plain C is not printed for.
absl::StatusOr<CText> PrintCValue(CScope& scope, ir::PrimRef e);
absl::StatusOr<std::string> PrintCExpr(CScope& scope, ir::PrimRef e);

// The same where a truth is a byte, 0 or 1.
absl::StatusOr<CText> PrintCNumber(CScope& scope, ir::PrimRef e);

// What is asked before something is done: a comparison, whatever `e` is.
absl::StatusOr<CText> PrintCTruth(CScope& scope, ir::PrimRef e);
absl::StatusOr<std::string> PrintCCondition(CScope& scope, ir::PrimRef e);
// The same where `e` is what must hold: asks whether it does not.
absl::StatusOr<std::string> PrintCViolation(CScope& scope, ir::PrimRef e);

// What stores `value`, in its CScalarType, there: with a conversion where the dtype needs one.
absl::StatusOr<std::string> PrintCStore(CScope& scope, ir::BufferRef buffer,
                                        const std::vector<ir::PrimRef>& indices, ir::PrimRef value);

// `e` with the axes' bindings put in.
ir::PrimRef ExpandAxes(CScope& scope, ir::PrimRef e);

absl::Status CannotPrint(absl::string_view what);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_C_EXPR_H_

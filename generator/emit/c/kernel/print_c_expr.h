// Prints scalar expressions as C, with parentheses only where C needs them.
#ifndef LATHE_EMIT_C_KERNEL_PRINT_C_EXPR_H_
#define LATHE_EMIT_C_KERNEL_PRINT_C_EXPR_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/emit/c/names/c_scope.h"

namespace lathe::emit {

// The precedences of C operators. A higher value binds tighter.
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

// A printed expression.
struct CText {
  std::string text;
  // The precedence of the outermost operator of `text`.
  int precedence = kPrimary;
  // True if `text` is a C condition, such as a comparison. False if it is a number; a bool is then
  // a byte, 0 or 1.
  bool truth = false;
  // True if `text` consists of literals only. Its type in C may be int, which may have only 16
  // bits. An operator with two such operands casts one of them to an explicit type.
  bool literal = false;
  // The value as an unsigned expression, if it was computed unsigned because it may wrap around.
  // Empty otherwise.
  std::string bits;
  // The precedence of the outermost operator of `bits`.
  int bits_precedence = kPrimary;
  // The value before it was rounded or narrowed to its dtype. WriteElement() stores it directly if
  // the store itself rounds or narrows. Empty if there is no such form.
  std::string unrounded;
  // For an element of a small float format: the bit pattern stored in memory. Empty otherwise.
  std::string code;
  // Returns `text`, in parentheses if an operator of precedence `outer` binds tighter.
  std::string In(int outer) const;
};

// Prints the value of `e`: a number of its CScalarType, or a condition (CText::truth). Fails if `e`
// contains a node that cannot be printed as C; the message names the node.
absl::StatusOr<CText> PrintCValue(CScope& scope, ir::PrimRef e);
// Returns the text of PrintCNumber().
absl::StatusOr<std::string> PrintCExpr(CScope& scope, ir::PrimRef e);

// Prints the value of `e` as a number of its CScalarType. A condition is converted to 0 or 1.
absl::StatusOr<CText> PrintCNumber(CScope& scope, ir::PrimRef e);

// Prints `e` as a condition. A number x is printed as x != 0.
absl::StatusOr<CText> PrintCTruth(CScope& scope, ir::PrimRef e);
// Returns the text of PrintCTruth().
absl::StatusOr<std::string> PrintCCondition(CScope& scope, ir::PrimRef e);
// Prints the negation of the condition `e`.
absl::StatusOr<std::string> PrintCViolation(CScope& scope, ir::PrimRef e);

// Prints the statement that stores `value` to the element of `buffer` at `indices`. Converts the
// value if the dtype of the buffer has another form in memory.
absl::StatusOr<std::string> PrintCStore(CScope& scope, ir::BufferRef buffer,
                                        const std::vector<ir::PrimRef>& indices, ir::PrimRef value);

// Returns `e` with each block axis replaced by the expression that it is bound to.
ir::PrimRef ExpandAxes(CScope& scope, ir::PrimRef e);

// Returns an Unimplemented error: `what` cannot be printed as C. Lists the supported expressions.
absl::Status CannotPrint(absl::string_view what);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_KERNEL_PRINT_C_EXPR_H_

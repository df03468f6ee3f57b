// Defines the operators of Python expressions.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_AST_OPERATORS_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_AST_OPERATORS_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace lathe::relax_text::ast {

enum class UnaryOp : uint8_t { kPlus, kMinus, kInvert, kNot };
enum class BinaryOp : uint8_t {
  kAdd,
  kSub,
  kMul,
  kMatMul,
  kDiv,
  kFloorDiv,
  kMod,
  kPow,
  kShiftLeft,
  kShiftRight,
  kBitAnd,
  kBitOr,
  kBitXor
};
enum class BoolOpKind : uint8_t { kAnd, kOr };
enum class CompareOp : uint8_t { kEq, kNe, kLt, kLe, kGt, kGe, kIn, kNotIn, kIs, kIsNot };

// Return the source spelling of an operator: "+", "not", "<=".
absl::string_view Spelling(UnaryOp op);
absl::string_view Spelling(BinaryOp op);
absl::string_view Spelling(BoolOpKind op);
absl::string_view Spelling(CompareOp op);

}  // namespace lathe::relax_text::ast

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_AST_OPERATORS_H_

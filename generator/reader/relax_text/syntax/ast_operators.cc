#include "generator/reader/relax_text/syntax/ast_operators.h"

namespace lathe::relax_text::ast {

absl::string_view Spelling(UnaryOp op) {
  constexpr absl::string_view kSpellings[] = {"+", "-", "~", "not"};
  return kSpellings[static_cast<int>(op)];
}

absl::string_view Spelling(BinaryOp op) {
  constexpr absl::string_view kSpellings[] = {"+",  "-",  "*",  "@", "/", "//", "%",
                                              "**", "<<", ">>", "&", "|", "^"};
  return kSpellings[static_cast<int>(op)];
}

absl::string_view Spelling(BoolOpKind op) { return op == BoolOpKind::kAnd ? "and" : "or"; }

absl::string_view Spelling(CompareOp op) {
  constexpr absl::string_view kSpellings[] = {"==", "!=", "<",      "<=", ">",
                                              ">=", "in", "not in", "is", "is not"};
  return kSpellings[static_cast<int>(op)];
}

}  // namespace lathe::relax_text::ast

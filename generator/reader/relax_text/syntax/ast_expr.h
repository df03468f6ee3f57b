// Defines the expression nodes of the syntax tree, for the Python subset of TVMScript. Nodes
// represent the source text: names are not resolved, constants are not folded, and no node is
// specific to Relax.
//
//   R.add(x, y * 2)      Call{Attribute{Name R, "add"}, {Name x, Binary{*, Name y, Int 2}}}
//
// Nodes are views that a SyntaxTree (syntax_tree.h) owns. They must not outlive it or the
// SourceFile that they were parsed from.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_AST_EXPR_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_AST_EXPR_H_

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/reader/relax_text/syntax/ast_operators.h"
#include "generator/support/source.h"

namespace lathe::relax_text::ast {

class Expr;
using ExprRef = const Expr*;  // never null, unless the comment of a field allows it
using ExprList = absl::Span<const ExprRef>;

struct Name {
  absl::string_view id;
};
// Literals have no sign: -1 is Unary{kMinus, Int{1}}.
struct Int {
  uint64_t value;  // all ones if the literal does not fit in 64 bits
  bool fits;       // the literal fits in 64 bits; otherwise diagnosed already
};
struct Float {
  double value;
  absl::string_view text;  // the source text, for printing without loss
};
struct Str {
  absl::string_view value;  // decoded; adjacent literals are concatenated
  bool verbatim;            // one literal without escapes: `value` views the source text
};
struct Constant {
  enum class Kind : uint8_t { kTrue, kFalse, kNone } kind;
};
struct Ellipsis {};

struct Tuple {
  ExprList elements;
  bool parenthesised;
};
struct List {
  ExprList elements;
};
struct Set {
  ExprList elements;
};
struct DictItem {
  ExprRef key;  // null for **value
  ExprRef value;
};
struct Dict {
  absl::Span<const DictItem> items;
};

struct Attribute {
  ExprRef object;
  absl::string_view name;
  TextSpan name_span;
};
struct Keyword {
  absl::string_view name;  // empty for **value
  TextSpan name_span;
  ExprRef value;
};
struct Call {
  ExprRef callee;
  ExprList args;  // some may be Starred
  absl::Span<const Keyword> keywords;
};
struct Subscript {
  ExprRef object;
  ExprList indices;  // a[i, j] has two; a[(i, j)] and a[()] have one, a Tuple; some may be Slice
  bool trailing_comma;
};
// Occurs only as an index of a Subscript. Each part may be null.
struct Slice {
  ExprRef lower;
  ExprRef upper;
  ExprRef step;
};

struct Unary {
  UnaryOp op;
  ExprRef operand;
};
struct Binary {
  BinaryOp op;
  TextSpan op_span;
  ExprRef lhs;
  ExprRef rhs;
};
struct BoolOp {
  BoolOpKind op;
  ExprList values;  // two or more: a and b and c is one node
};
struct Comparison {
  CompareOp op;
  TextSpan op_span;
  ExprRef operand;
};
// a < b <= c: first is a, rest is {< b, <= c}.
struct Compare {
  ExprRef first;
  absl::Span<const Comparison> rest;
};
struct IfExp {
  ExprRef condition;
  ExprRef then_value;
  ExprRef else_value;
};

enum class ParamKind : uint8_t { kPositionalOnly, kPlain, kStar, kKeywordOnly, kDoubleStar };
struct Param {
  ParamKind kind;
  absl::string_view name;
  TextSpan name_span;
  ExprRef annotation;     // may be null
  ExprRef default_value;  // may be null
};
struct Lambda {
  absl::Span<const Param> params;
  ExprRef body;
};
struct Starred {
  ExprRef value;
};

// The remaining nodes are Python constructs that TVMScript does not allow. They are kept so that
// diagnostics can name them.
enum class ComprehensionKind : uint8_t { kList, kSet, kDict, kGenerator };
struct ComprehensionClause {
  ExprRef target;
  ExprRef iter;
  ExprList conditions;
};
struct Comprehension {
  ComprehensionKind kind;
  ExprRef element;  // the key in a dict comprehension
  ExprRef value;    // null unless this is a dict comprehension
  absl::Span<const ComprehensionClause> clauses;
};
struct FString {};
struct UnsupportedExpr {
  absl::string_view what;  // "a bytes literal"
};

class Expr {
 public:
  using Node = std::variant<Name, Int, Float, Str, Constant, Ellipsis, Tuple, List, Set, Dict,
                            Attribute, Call, Subscript, Slice, Unary, Binary, BoolOp, Compare,
                            IfExp, Lambda, Starred, Comprehension, FString, UnsupportedExpr>;

  Expr(TextSpan span, int depth, Node node) : span_(span), depth_(depth), node_(node) {}

  // Returns the source span, without enclosing parentheses, except the parentheses of a tuple.
  const TextSpan& span() const { return span_; }
  const Node& node() const { return node_; }
  template <typename T>
  const T* As() const {
    return std::get_if<T>(&node_);
  }
  // Returns the depth of the tree below and including this node; at most kMaxExprDepth (limits.h),
  // which makes recursion over a tree safe.
  int depth() const { return depth_; }

 private:
  TextSpan span_;
  int32_t depth_;
  Node node_;
};

// Returns the dotted name that `e` consists of ("R.nn.conv2d"), or nullopt for any other
// expression.
std::optional<std::string> DottedName(const Expr& e);

// Returns a description for messages: "a call", "a list comprehension", "an f-string".
absl::string_view Describe(const Expr& e);

}  // namespace lathe::relax_text::ast

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_AST_EXPR_H_

// Defines the statement nodes of the syntax tree, for the Python subset of TVMScript.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_AST_STMT_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_AST_STMT_H_

#include <variant>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/reader/relax_text/syntax/ast_expr.h"
#include "generator/support/source.h"

namespace lathe::relax_text::ast {

class Stmt;
using StmtRef = const Stmt*;  // never null
using Block = absl::Span<const StmtRef>;

struct ImportedName {
  absl::string_view name;   // dotted, or "*"
  absl::string_view alias;  // empty if there is no `as`
  TextSpan span;
};
// import a.b as c     |     from a.b import c as d, e
struct Import {
  bool is_from;
  absl::string_view module;  // "a.b", "..a"; empty for a plain import
  absl::Span<const ImportedName> names;
};

// A type parameter: M, N: int or *Ts in def f[M, N: int, *Ts](...).
struct TypeParam {
  absl::string_view name;
  TextSpan name_span;
  int stars;      // 0, 1 or 2
  ExprRef bound;  // may be null
};
struct FunctionDef {
  absl::string_view name;
  TextSpan name_span;
  ExprList decorators;
  absl::Span<const TypeParam> type_params;
  absl::Span<const Param> params;
  ExprRef return_annotation;  // may be null
  Block body;
};
struct ClassDef {
  absl::string_view name;
  TextSpan name_span;
  ExprList decorators;
  absl::Span<const TypeParam> type_params;
  ExprList bases;
  absl::Span<const Keyword> keywords;
  Block body;
};

// a = b = value has two targets. A target is a Name, Attribute, Subscript, Starred, or a Tuple or
// List of those.
struct Assign {
  ExprList targets;
  ExprRef value;
};
struct AnnAssign {
  ExprRef target;
  ExprRef annotation;
  ExprRef value;  // may be null
};
struct AugAssign {
  ExprRef target;
  BinaryOp op;
  TextSpan op_span;
  ExprRef value;
};
struct ExprStmt {
  ExprRef value;
};
struct Return {
  ExprRef value;  // may be null
};

// An elif is represented as an If that is the only statement of `else_body`.
struct If {
  ExprRef condition;
  Block then_body;
  Block else_body;
  bool else_is_elif;
};
struct For {
  ExprRef target;
  ExprRef iter;
  Block body;
  Block else_body;
};
struct While {
  ExprRef condition;
  Block body;
  Block else_body;
};
struct WithItem {
  ExprRef context;
  ExprRef target;  // null if there is no `as`
};
struct With {
  absl::Span<const WithItem> items;
  Block body;
};
struct Assert {
  ExprRef condition;
  ExprRef message;  // may be null
};
struct Pass {};
struct Break {};
struct Continue {};
// A Python statement that TVMScript does not allow. It is kept so that diagnostics can name it; its
// parts are not stored.
struct UnsupportedStmt {
  absl::string_view what;  // "a try statement"
};

class Stmt {
 public:
  using Node =
      std::variant<Import, FunctionDef, ClassDef, Assign, AnnAssign, AugAssign, ExprStmt, Return,
                   If, For, While, With, Assert, Pass, Break, Continue, UnsupportedStmt>;

  Stmt(TextSpan span, Node node) : span_(span), node_(node) {}

  // Returns the source span, from the first token (the @ of a decorator, if any) to the end of the
  // last line of the statement.
  const TextSpan& span() const { return span_; }
  const Node& node() const { return node_; }
  template <typename T>
  const T* As() const {
    return std::get_if<T>(&node_);
  }

 private:
  TextSpan span_;
  Node node_;
};

struct Module {
  Block body;
  TextSpan start;  // the start of the file
};

// Returns a description for messages: "an assignment", "a for loop", "a try statement".
absl::string_view Describe(const Stmt& s);

}  // namespace lathe::relax_text::ast

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_AST_STMT_H_

#include "generator/reader/relax_text/syntax/ast_stmt.h"

#include "generator/support/match.h"

namespace lathe::relax_text::ast {

absl::string_view Describe(const Stmt& s) {
  return Match(
      s.node(), [](const Import&) { return absl::string_view("an import"); },
      [](const FunctionDef&) { return absl::string_view("a function definition"); },
      [](const ClassDef&) { return absl::string_view("a class definition"); },
      [](const Assign&) { return absl::string_view("an assignment"); },
      [](const AnnAssign&) { return absl::string_view("an annotated assignment"); },
      [](const AugAssign&) { return absl::string_view("an augmented assignment"); },
      [](const ExprStmt&) { return absl::string_view("an expression statement"); },
      [](const Return&) { return absl::string_view("a return statement"); },
      [](const If&) { return absl::string_view("an if statement"); },
      [](const For&) { return absl::string_view("a for loop"); },
      [](const While&) { return absl::string_view("a while loop"); },
      [](const With&) { return absl::string_view("a with statement"); },
      [](const Assert&) { return absl::string_view("an assert statement"); },
      [](const Pass&) { return absl::string_view("a pass statement"); },
      [](const Break&) { return absl::string_view("a break statement"); },
      [](const Continue&) { return absl::string_view("a continue statement"); },
      [](const UnsupportedStmt& u) { return u.what; });
}

}  // namespace lathe::relax_text::ast

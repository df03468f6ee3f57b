// Prints syntax trees for tests: one line per statement, nested by indentation.
//
//   def f(x: R.Tensor): return x + 1
//
//   (def f ((x (. R Tensor) -)) -)
//     (return (+ x 1))
#ifndef LATHE_TESTS_SUPPORT_SYNTAX_DUMP_H_
#define LATHE_TESTS_SUPPORT_SYNTAX_DUMP_H_

#include <string>

#include "generator/reader/relax_text/syntax/ast.h"

namespace lathe {

std::string DumpExpr(const relax_text::ast::Expr& e);
std::string DumpModule(const relax_text::ast::Module& module);

}  // namespace lathe

#endif  // LATHE_TESTS_SUPPORT_SYNTAX_DUMP_H_

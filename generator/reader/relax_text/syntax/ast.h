// Includes all nodes of the syntax tree of a TVMScript file; ast_expr.h and ast_stmt.h define them.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_AST_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_AST_H_

#include "generator/reader/relax_text/syntax/ast_expr.h"
#include "generator/reader/relax_text/syntax/ast_stmt.h"

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_AST_H_

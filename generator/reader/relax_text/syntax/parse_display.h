// What stands in brackets: tuples, lists, dicts, sets, and comprehensions.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_DISPLAY_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_DISPLAY_H_

#include <cstdint>

#include "generator/reader/relax_text/syntax/ast.h"
#include "generator/reader/relax_text/syntax/parser.h"

namespace lathe::relax_text {

// Each from its opening to its closing bracket.
ast::ExprRef ParseParenthesised(Parser& p);
ast::ExprRef ParseList(Parser& p);
ast::ExprRef ParseDictOrSet(Parser& p);

// The clauses that follow `element`, from 'for' on; the node starts at `begin` and ends with
// them. `value` is that of a dict comprehension.
ast::ExprRef ParseComprehension(Parser& p, uint32_t begin, ast::ComprehensionKind kind,
                                ast::ExprRef element, ast::ExprRef value = nullptr);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_DISPLAY_H_

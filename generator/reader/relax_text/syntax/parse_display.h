// Parses expressions in brackets: tuples, lists, dicts, sets and comprehensions.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_DISPLAY_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_DISPLAY_H_

#include <cstdint>

#include "generator/reader/relax_text/syntax/ast.h"
#include "generator/reader/relax_text/syntax/parser.h"

namespace lathe::relax_text {

// Parse from the opening to the closing bracket. Return null after an error.
ast::ExprRef ParseParenthesised(Parser& p);
ast::ExprRef ParseList(Parser& p);
ast::ExprRef ParseDictOrSet(Parser& p);

// Parses the clauses of a comprehension after `element`, from 'for' on. The node starts at byte
// `begin` and ends with the last clause. `value` is the value of a dict comprehension; otherwise
// null.
ast::ExprRef ParseComprehension(Parser& p, uint32_t begin, ast::ComprehensionKind kind,
                                ast::ExprRef element, ast::ExprRef value = nullptr);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_DISPLAY_H_

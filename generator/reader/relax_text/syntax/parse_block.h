// Sequences of statements, and how reading goes on after one that is broken.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_BLOCK_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_BLOCK_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "generator/reader/relax_text/syntax/ast.h"
#include "generator/reader/relax_text/syntax/parser.h"

namespace lathe::relax_text {

// Statements up to the end of the block (a kDedent, which is left) or of the file. The broken ones
// are reported and left out.
void ParseStatements(Parser& p, Gathered<ast::StmtRef>& statements);

// Whose block is wanted, for messages.
struct BlockOf {
  absl::string_view header;  // "the condition of 'if'": what the colon comes after
  absl::string_view name;    // "'if'": what the block belongs to
  uint32_t begin;            // where that starts
};

// The colon and the block after it, indented or on the same line. A missing block is reported
// and comes as an empty one.
bool ParseBlock(Parser& p, const BlockOf& of, ast::Block& block);

// Goes past the rest of the line.
void SkipLine(Parser& p);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_BLOCK_H_

// Parses sequences of statements, and recovers after a statement with a syntax error.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_BLOCK_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_BLOCK_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "generator/reader/relax_text/syntax/ast.h"
#include "generator/reader/relax_text/syntax/parser.h"

namespace lathe::relax_text {

// Parses statements up to the end of the file or of the block; the kDedent is not consumed.
// Statements with errors are reported and omitted from `statements`.
void ParseStatements(Parser& p, Gathered<ast::StmtRef>& statements);

// Describes the owner of a block, for messages.
struct BlockOf {
  absl::string_view header;  // the text before the colon: "the condition of 'if'"
  absl::string_view name;    // the statement that owns the block: "'if'"
  uint32_t begin;            // first byte of that statement
};

// Parses the colon and the block after it, which is indented or on the same line. A missing block
// is reported and returned as an empty one. Returns false after other errors.
bool ParseBlock(Parser& p, const BlockOf& of, ast::Block& block);

// Skips the rest of the line.
void SkipLine(Parser& p);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_PARSE_BLOCK_H_

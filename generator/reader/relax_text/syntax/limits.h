// Defines the limits on the contents of a TVMScript file. They are far above what people and
// printers write; they make a hostile file end in a message rather than in exhausted stack or
// memory.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_LIMITS_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_LIMITS_H_

#include <cstddef>

namespace lathe::relax_text {

// The size of a file. Weights belong in separate files; a module printed with all its metadata
// stays below this limit.
inline constexpr size_t kMaxFileBytes = size_t{64} << 20;

// The length of a name. A name is copied into all messages and outputs that mention it.
inline constexpr size_t kMaxIdentifierBytes = size_t{64} << 10;

// The number of expressions and statements of one tree, about 100 bytes each.
inline constexpr size_t kMaxNodes = size_t{16} << 20;

// The depth of an expression; names, brackets and operators all count (a has depth one, a + b + c
// has depth three). A walk over a tree recurses to this depth, with a few KiB of stack per level.
inline constexpr int kMaxExprDepth = 400;

// The nesting depth of blocks; each elif counts as one level. CPython allows 100 levels of
// indentation.
inline constexpr int kMaxBlockDepth = 100;

// The nesting depth of the statements of a PrimFunc; each loop of a grid counts.
inline constexpr int kMaxStmtDepth = 200;

// The number of syntax errors after which reading stops.
inline constexpr int kMaxSyntaxErrors = 100;

// The number of dimensions of one tensor or shape: twice as many as any operator supports.
inline constexpr int kMaxDims = 64;

// The number of operations of a named scalar, counted as a tree. Without this limit, forty
// statements k = k + k would exhaust memory wherever k is printed.
inline constexpr int kMaxScalarNodes = 1000;

// The number of messages after which no more similar names are searched for suggestions.
inline constexpr int kMaxSuggestions = 100;

// The number of global infos of one kind; annotations search them linearly for their device.
inline constexpr int kMaxGlobalInfos = 1000;

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_LIMITS_H_

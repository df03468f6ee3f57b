// How much a TVMScript file may hold. Each is far beyond what people and printers write, and
// there so that a hostile file ends in a message and not in a full stack or memory.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_LIMITS_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_LIMITS_H_

#include <cstddef>

namespace lathe::relax_text {

// Weights belong in files of their own; a module printed with all its metadata stays below this.
inline constexpr size_t kMaxFileBytes = size_t{64} << 20;

// A name is copied into every message and every output that mentions it.
inline constexpr size_t kMaxIdentifierBytes = size_t{64} << 10;

// Nodes of one tree, expressions and statements together: about 100 bytes each.
inline constexpr size_t kMaxNodes = size_t{16} << 20;

// How deep an expression may be, brackets and operators together (a + b + c is two deep): every
// walk over a tree may recurse this far, in a few KiB of stack a level.
inline constexpr int kMaxExprDepth = 400;

// Blocks within blocks, each elif one more. CPython stops at 100 indentations.
inline constexpr int kMaxBlockDepth = 100;

// Statements within statements of a PrimFunc, the loops of a grid counted one by one.
inline constexpr int kMaxStmtDepth = 200;

// A file with this many syntax errors is not a TVMScript file: the rest would say nothing new.
inline constexpr int kMaxSyntaxErrors = 100;

// Dimensions of one tensor or shape: twice as many as any operator knows what to do with.
inline constexpr int kMaxDims = 64;

// Operations of a scalar that has a name: k = k + k, forty times over, would be as many as there
// are bytes in the machine wherever it is written out.
inline constexpr int kMaxScalarNodes = 1000;

// Messages that look for a name that was meant: past these the names are not compared any more.
inline constexpr int kMaxSuggestions = 100;

// Global infos of one kind: annotations look through them for their device.
inline constexpr int kMaxGlobalInfos = 1000;

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_LIMITS_H_

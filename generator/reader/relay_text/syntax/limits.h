// Defines the limits of Relay text. They exceed what TVM prints by far; hostile text gets a
// diagnostic instead of exhausting the stack or memory.
#ifndef LATHE_READER_RELAY_TEXT_SYNTAX_LIMITS_H_
#define LATHE_READER_RELAY_TEXT_SYNTAX_LIMITS_H_

namespace lathe::relay {

// Nesting depth of expressions, types and patterns.
inline constexpr int kMaxDepth = 200;

// Height of the tree of an expression. A chain, such as `%x + %x + ...` or `%f(1)(2)...`, is read
// in a loop and nests without parentheses.
inline constexpr int kMaxHeight = 1000;

// Errors after which reading stops.
inline constexpr int kMaxErrors = 100;

// Rank of a tensor.
inline constexpr int kMaxRank = 32;

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_SYNTAX_LIMITS_H_

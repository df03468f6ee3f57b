// Checks that the clauses of a match cover all values.
#ifndef LATHE_READER_RELAY_TEXT_INFER_EXHAUSTIVE_H_
#define LATHE_READER_RELAY_TEXT_INFER_EXHAUSTIVE_H_

#include <optional>
#include <string>

#include "generator/reader/relay_text/types/typed_module.h"

namespace lathe::relay {

// Returns a pattern of values that no clause matches, such as "Cons(_, Nil)". Returns nullopt if
// there is none, and after a number of steps that only artificial patterns reach.
std::optional<std::string> FindUnmatched(TypedModule& module, const MatchTree& match, TypeRef type);

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_INFER_EXHAUSTIVE_H_

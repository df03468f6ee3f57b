// Values against structural information, at run time: what MatchCast and function signatures check.
#ifndef LATHE_INTERP_MATCH_STRUCT_INFO_H_
#define LATHE_INTERP_MATCH_STRUCT_INFO_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "generator/interp/runtime.h"
#include "generator/interp/scope.h"

namespace lathe::interp {

// The first step of a signature check: shape variables without a value that stand alone in `info`
// get theirs from `value`, as far as its structure allows. Nothing is reported.
void BindLoneVars(const Value& value, ir::StructInfoRef info, Scope& scope);

// "Evaluating MatchCast", rules 1 to 6. A shape variable without a value that stands alone is
// bound; everything else is compared. Gives what does not match ("dimension 1 is 5, not n * 2,
// which is 8"), or nothing. Fails, reported, when an expression cannot be evaluated.
absl::StatusOr<std::optional<std::string>> MatchStructInfo(Runtime& rt, const Value& value,
                                                           ir::StructInfoRef info, Scope& scope,
                                                           const Location& loc);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_MATCH_STRUCT_INFO_H_

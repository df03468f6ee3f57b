// Matches values against structural information at run time, for MatchCast and function signatures.
#ifndef LATHE_INTERP_MATCH_STRUCT_INFO_H_
#define LATHE_INTERP_MATCH_STRUCT_INFO_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "generator/interp/runtime.h"
#include "generator/interp/scope.h"

namespace lathe::interp {

// Performs the first step of a signature check: each unbound shape variable that is a whole
// dimension of `info`, or the value of an R.Prim in it, is bound to that of `value`, where the
// structures agree. Reports nothing.
void BindLoneVars(const Value& value, ir::StructInfoRef info, Scope& scope);

// Implements rules 1 to 6 of "Evaluating MatchCast". Binds unbound shape variables that are whole
// dimensions or the value of an R.Prim, and compares everything else. Returns the mismatch
// ("dimension 1 is 5, not n * 2, which is 8"), or nullopt when `value` matches. Fails, with a
// diagnostic, when an expression cannot be evaluated.
absl::StatusOr<std::optional<std::string>> MatchStructInfo(Runtime& rt, const Value& value,
                                                           ir::StructInfoRef info, Scope& scope,
                                                           const Location& loc);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_MATCH_STRUCT_INFO_H_

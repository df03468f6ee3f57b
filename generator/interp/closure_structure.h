// Computes the structural information of function values at run time. Captured shape variables are
// replaced by their values.
#ifndef LATHE_INTERP_CLOSURE_STRUCTURE_H_
#define LATHE_INTERP_CLOSURE_STRUCTURE_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "generator/interp/runtime.h"
#include "generator/interp/scope.h"

namespace lathe::interp {

// Returns the FuncInfo of `closure`.
ir::StructInfoRef StructureOf(Runtime& rt, const Closure& closure);

// Returns nullopt if `value` matches `info`, otherwise the reason as text. This is rule 6 of
// MatchCast: the structure of a closure must be a subtype of `info`. Variables of `info` that are
// in `scope` have their values; the others are bound by the function type. If `info` has no
// parameters, every packed function and every PrimFunc matches.
absl::StatusOr<std::optional<std::string>> MatchFunction(Runtime& rt, const Value& value,
                                                         const ir::FuncInfo& info,
                                                         const Scope& scope);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_CLOSURE_STRUCTURE_H_

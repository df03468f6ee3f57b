// Run-time structural information of functions: what a closure says about its arguments, its result
// and its purity, with the shape variables it captured replaced by their values.
#ifndef LATHE_INTERP_CLOSURE_STRUCTURE_H_
#define LATHE_INTERP_CLOSURE_STRUCTURE_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "generator/interp/runtime.h"
#include "generator/interp/scope.h"

namespace lathe::interp {

// The FuncInfo of a closure as it stands.
ir::StructInfoRef StructureOf(Runtime& rt, const Closure& closure);

// MatchCast, rule 6: a closure's structure must be a subtype of `info`, in which the variables in
// scope stand for their values and all others are its own; a packed function only has to be one.
absl::StatusOr<std::optional<std::string>> MatchFunction(Runtime& rt, const Value& value,
                                                         const ir::FuncInfo& info,
                                                         const Scope& scope);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_CLOSURE_STRUCTURE_H_

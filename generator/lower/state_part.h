// Lowers slices that a function returns as the next value of a variable of its state.
//
//   joined = concat((window, x))                  the new window is the end of joined: a view of
//   window = strided_slice(joined, ...)      →    it, which the end of a run copies to the state
#ifndef LATHE_LOWER_STATE_PART_H_
#define LATHE_LOWER_STATE_PART_H_

#include <optional>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "generator/ir/module.h"
#include "generator/lower/form.h"
#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// Returns the values that `f` returns for the variables of its state.
absl::flat_hash_set<ir::ValueId> NextState(const ir::Function& f);

// Returns a view for a call of a slice of consecutive elements whose only use is the next state.
// Returns nothing for any other call.
std::optional<Form> AsStatePart(RoutineBuilder& b, const ir::Binding& binding,
                                const ir::PrimFunc& func, const std::vector<ir::Part>& args);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_STATE_PART_H_

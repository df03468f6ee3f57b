// Specializes code for the rank of a tensor or shape of dynamic rank. An operator that needs the
// rank, and everything after it, is lowered once for each possible rank.
#ifndef LATHE_LOWER_FOR_EACH_RANK_H_
#define LATHE_LOWER_FOR_EACH_RANK_H_

#include <optional>

#include "absl/functional/function_ref.h"
#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// A value of higher rank ends the run with LATHE_E_SHAPE.
inline constexpr int kMaxChoiceRank = 6;
// The limit of copies of a body for rank choices: three tensors of dynamic rank.
inline constexpr int kMaxRankBodies = 7 + 7 * 7 + 7 * 7 * 7;

// Returns the first boxed variable whose rank or dtype `binding` needs.
std::optional<ir::ValueId> FindUnknownRank(RoutineBuilder& b, const ir::Binding& binding);

// Emits a branch for each dtype and rank of `id` that the operator in `binding` accepts. In each,
// `id` has that rank, and `rest` lowers the remaining bindings. Reports an operator that accepts no
// rank, and more than kMaxRankBodies copies.
void ForEachRank(RoutineBuilder& b, const ir::Binding& binding, ir::ValueId id,
                 absl::FunctionRef<void()> rest);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_FOR_EACH_RANK_H_

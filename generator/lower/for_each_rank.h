// Tensors and shapes of which only the run knows the rank, where an operator has to know it: what
// comes is lowered once for each rank that may be.
#ifndef LATHE_LOWER_FOR_EACH_RANK_H_
#define LATHE_LOWER_FOR_EACH_RANK_H_

#include <optional>

#include "absl/functional/function_ref.h"
#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// What is of a higher rank ends the run with LATHE_E_SHAPE.
inline constexpr int kMostRank = 6;
// Bodies of a function that stand for one choice of ranks: three tensors of any.
inline constexpr int kMostRankBodies = 7 + 7 * 7 + 7 * 7 * 7;

// The first variable that `binding` needs the rank, or the dtype, of, and that is a value of any
// structure.
std::optional<ir::ValueId> OfAnyRank(RoutineBuilder& b, const ir::Binding& binding);

// A branch for each dtype and rank that the tensor or shape `id` may have, as far as the operator
// in `binding` takes it: there `id` is of that rank, and `rest` is called.
void ForEachRank(RoutineBuilder& b, const ir::Binding& binding, ir::ValueId id,
                 absl::FunctionRef<void()> rest);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_FOR_EACH_RANK_H_

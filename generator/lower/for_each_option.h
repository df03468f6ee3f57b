// A variable that is one of several values of known structures: what a binding makes of each.
#ifndef LATHE_LOWER_FOR_EACH_OPTION_H_
#define LATHE_LOWER_FOR_EACH_OPTION_H_

#include <optional>

#include "absl/functional/function_ref.h"
#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// The first such variable where what the binding does has to know which value it is. Functions that
// are called, or given to others, may stay a choice.
std::optional<ir::ValueId> ChoiceIn(RoutineBuilder& b, const ir::Binding& binding);

// What the binding gives: `bound` says it once for each value that `id` may be, which `id` is
// then. Into what it gives something may write, if it is `written`.
std::optional<Form> ForEachOption(RoutineBuilder& b, const ir::Binding& binding, ir::ValueId id,
                                  bool written, absl::FunctionRef<std::optional<Form>()> bound);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_FOR_EACH_OPTION_H_

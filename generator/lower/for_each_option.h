// Lowers a binding once for each value that a variable may have, when it is a choice of values.
#ifndef LATHE_LOWER_FOR_EACH_OPTION_H_
#define LATHE_LOWER_FOR_EACH_OPTION_H_

#include <optional>

#include "absl/functional/function_ref.h"
#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// Returns the first choice variable whose option the binding needs to know. Functions that are
// called or passed on may stay a choice.
std::optional<ir::ValueId> ChoiceIn(RoutineBuilder& b, const ir::Binding& binding);

// Returns the result of the binding, joined over the options of `id`, or nothing after a report.
// `bound` lowers the binding once for each option, with `id` bound to the option. An R.match_cast
// ends the run for the options that cannot match. `written` states that the result may be written
// in place.
std::optional<Form> ForEachOption(RoutineBuilder& b, const ir::Binding& binding, ir::ValueId id,
                                  bool written, absl::FunctionRef<std::optional<Form>()> bound);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_FOR_EACH_OPTION_H_

// Lowers a binding once for each value that a variable may have, when it is a choice of values.
#ifndef LATHE_LOWER_FOR_EACH_OPTION_H_
#define LATHE_LOWER_FOR_EACH_OPTION_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// The place of a choice: a variable, or a field of the tuples in it.
struct ChoicePlace {
  ir::ValueId id;
  std::vector<size_t> fields;
};

// Returns the first choice whose option the binding needs to know. Functions that are called or
// passed on may stay a choice, and fields that R.match_cast makes no demands on.
std::optional<ChoicePlace> ChoiceIn(RoutineBuilder& b, const ir::Binding& binding);

// Returns the result of the binding, joined over the options of the choice at `place`, or nothing
// after a report. `bound` lowers the binding once for each option, with the option at `place`. An
// R.match_cast ends the run for the options that cannot match. `written` states that the result may
// be written in place.
std::optional<Form> ForEachOption(RoutineBuilder& b, const ir::Binding& binding,
                                  const ChoicePlace& place, bool written,
                                  absl::FunctionRef<std::optional<Form>()> bound);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_FOR_EACH_OPTION_H_

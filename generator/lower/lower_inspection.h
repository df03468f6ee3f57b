// Operators that ask what a tensor is: numbers that are known when it is compiled, or sizes.
#ifndef LATHE_LOWER_LOWER_INSPECTION_H_
#define LATHE_LOWER_LOWER_INSPECTION_H_

#include <optional>

#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// R.inspect.*; nothing when it is refused.
std::optional<Form> LowerInspection(RoutineBuilder& b, const ir::Binding& binding,
                                    const ir::Call& call);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_LOWER_INSPECTION_H_

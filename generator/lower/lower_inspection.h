// Lowers operators that query a tensor: their results are constants or sizes.
#ifndef LATHE_LOWER_LOWER_INSPECTION_H_
#define LATHE_LOWER_LOWER_INSPECTION_H_

#include <optional>

#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// Lowers R.inspect.*. Returns nothing after a report.
std::optional<Form> LowerInspection(RoutineBuilder& b, const ir::Binding& binding,
                                    const ir::Call& call);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_LOWER_INSPECTION_H_

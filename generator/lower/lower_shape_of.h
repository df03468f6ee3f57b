// Lowers R.shape_of and R.tensor_to_shape.
#ifndef LATHE_LOWER_LOWER_SHAPE_OF_H_
#define LATHE_LOWER_LOWER_SHAPE_OF_H_

#include <optional>

#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// Returns the shape of a tensor, or nothing after a report.
std::optional<Form> LowerShapeOf(RoutineBuilder& b, const ir::Binding& binding,
                                 const ir::Call& call);
// Returns the shape whose sizes are the elements of a tensor of known length, or nothing after a
// report.
std::optional<Form> LowerTensorToShape(RoutineBuilder& b, const ir::Binding& binding,
                                       const ir::Call& call);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_LOWER_SHAPE_OF_H_

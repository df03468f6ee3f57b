// Finds size variables that are defined by boxed parameters and need no parameters of their own.
#ifndef LATHE_LOWER_BOXED_SIZES_H_
#define LATHE_LOWER_BOXED_SIZES_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// Returns the variables that are a dimension of a boxed parameter of `f`, also in a tuple, and that
// occur in no other parameter.
absl::flat_hash_set<ir::PrimRef> BoxedSizes(const Lowering& lowering, const ir::Function& f,
                                            const std::vector<Form>& params);

// Defines or checks the sizes in `info` of the boxed values in `form` that must be tensors, if
// `info` does not specify their dtype.
void UnboxSizes(RoutineBuilder& b, const Form& form, ir::StructInfoRef info,
                const std::string& name, const Location& loc);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_BOXED_SIZES_H_

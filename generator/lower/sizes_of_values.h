// Sizes that come with values of any structure, and need not be given beside them.
#ifndef LATHE_LOWER_SIZES_OF_VALUES_H_
#define LATHE_LOWER_SIZES_OF_VALUES_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// Those that values among the parameters of `f` bring along, in tuples too, and that no other
// parameter is said in.
absl::flat_hash_set<ir::PrimRef> SizesOfValues(const Lowering& all, const ir::Function& f,
                                               const std::vector<Form>& params);

// The sizes that `info` names where `form` has values in it that have to be tensors of them, of any
// dtype: known from here on, or checked.
void OpenSizes(RoutineBuilder& b, const Form& form, ir::StructInfoRef info, const std::string& name,
               const Location& loc);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_SIZES_OF_VALUES_H_

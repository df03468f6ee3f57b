// Lowers tail recursion to loops.
#ifndef LATHE_LOWER_LOWER_TAIL_RECURSION_H_
#define LATHE_LOWER_LOWER_TAIL_RECURSION_H_

#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// Returns whether `call` calls the function that is being lowered.
bool CallsItself(RoutineBuilder& b, const ir::Call& call);

// Lowers such a call to a jump to the start of the routine. Returns false if it must stay a call:
// if the structure, a dtype or a size of an input changes, or if a tensor that is written in place
// would change its address.
bool LowerTailRecursion(RoutineBuilder& b, const ir::Binding& binding, const ir::Call& call);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_LOWER_TAIL_RECURSION_H_

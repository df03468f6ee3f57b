// Tail recursion: a call of the function itself, at its end, that starts it over.
#ifndef LATHE_LOWER_LOWER_AGAIN_H_
#define LATHE_LOWER_LOWER_AGAIN_H_

#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// Whether `call` is one of the function that is being lowered.
bool CallsItself(RoutineBuilder& b, const ir::Call& call);

// Such a call as a step back to the start. False, with nothing emitted, when it has to be a call:
// when sizes of the inputs change, or a tensor that is written in place changes its place.
bool LowerAgain(RoutineBuilder& b, const ir::Binding& binding, const ir::Call& call);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_LOWER_AGAIN_H_

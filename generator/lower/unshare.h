// Copies of constants, where a program writes into what it is given: the constant itself stays.
#ifndef LATHE_LOWER_UNSHARE_H_
#define LATHE_LOWER_UNSHARE_H_

#include "generator/ir/module.h"
#include "generator/lower/form.h"
#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// Constants in `form` are copied here, and the copies take their place.
void Unshare(RoutineBuilder& b, Form& form, const Location& loc);

// Whether a call of the function, or what it comes to call, may write into its arguments.
bool MayWrite(const Lowering& all, ir::GlobalId id);

// Whether something in `body` that may write into its arguments is given `var`.
bool IsGivenToWriter(const Lowering& all, const ir::Body& body, ir::ValueId var);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_UNSHARE_H_

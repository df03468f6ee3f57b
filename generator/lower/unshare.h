// Copies of constants, where a program writes into what it is given: the constant itself stays.
#ifndef LATHE_LOWER_UNSHARE_H_
#define LATHE_LOWER_UNSHARE_H_

#include "generator/lower/form.h"
#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// Constants in `form` are copied here, and the copies take their place.
void Unshare(RoutineBuilder& b, Form& form, const Location& loc);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_UNSHARE_H_

// Copies constants that a program writes to, so that the constants themselves stay unchanged.
#ifndef LATHE_LOWER_COPY_CONSTANTS_H_
#define LATHE_LOWER_COPY_CONSTANTS_H_

#include "generator/lower/form.h"
#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// Replaces the constants in `form` by copies made at this step.
void CopyConstants(RoutineBuilder& b, Form& form, const Location& loc);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_COPY_CONSTANTS_H_

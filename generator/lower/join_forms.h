// What a branch gives where the two sides differ in more than numbers: in the sizes of tensors, or
// in which tensors, functions and structures they are.
#ifndef LATHE_LOWER_JOIN_FORMS_H_
#define LATHE_LOWER_JOIN_FORMS_H_

#include <string>

#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// One value that is `a` after the steps `then_steps` and `b` after `else_steps`, which get what
// that takes at their ends; what both share goes to the builder, before the branch. Tensors become
// pointers, through which something may write if they are `written`; what has no value in common
// becomes a choice.
Form JoinForms(RoutineBuilder& b, const std::string& name, const Form& then_form,
               const Form& else_form, ir::Steps& then_steps, ir::Steps& else_steps, bool written,
               const Location& loc);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_JOIN_FORMS_H_

// Merges the results of the two sides of a branch when they differ in structure: in the sizes of
// tensors, or in which tensors and functions they consist of.
#ifndef LATHE_LOWER_JOIN_FORMS_H_
#define LATHE_LOWER_JOIN_FORMS_H_

#include <string>

#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// Returns a value that is `then_form` after `then_steps` and `else_form` after `else_steps`. The
// steps that this needs are appended to each side; declarations for both go to the builder before
// the branch. Tensors become pointers, which may be written through if `written`. Values of
// different structure become a choice.
Form JoinForms(RoutineBuilder& b, const std::string& name, const Form& then_form,
               const Form& else_form, ir::Steps& then_steps, ir::Steps& else_steps, bool written,
               const Location& loc);

// Returns a variable that is `then_size` after `then_steps` and `else_size` after `else_steps`.
ir::PrimRef JoinSizes(RoutineBuilder& b, const std::string& name, ir::PrimRef then_size,
                      ir::PrimRef else_size, ir::Steps& then_steps, ir::Steps& else_steps,
                      const Location& loc);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_JOIN_FORMS_H_

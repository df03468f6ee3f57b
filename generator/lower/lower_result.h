// Lowers results whose sizes are determined by the function's body.
#ifndef LATHE_LOWER_LOWER_RESULT_H_
#define LATHE_LOWER_LOWER_RESULT_H_

#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// Adds outputs of the structure and sizes of the result, named after the returned variables.
// Dynamic sizes become outputs after the tensors that they belong to. Text and functions become
// boxed values. Returns false after a report.
bool AddOutputs(RoutineBuilder& b, const ir::Operand& result, const Form& form,
                const Location& loc);

// Leaves the tensors of the result in the arena and assigns sizes and scalars to the routine's
// outputs, which `formal` names. Returns false if the two differ in structure.
bool ReturnForm(RoutineBuilder& b, const Form& form, const Form& formal, const Location& loc);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_LOWER_RESULT_H_

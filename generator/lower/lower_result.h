// What a routine gives back where only its body says of which sizes it is.
#ifndef LATHE_LOWER_LOWER_RESULT_H_
#define LATHE_LOWER_LOWER_RESULT_H_

#include "generator/lower/routine_builder.h"

namespace lathe::lower {

// Outputs of the structure and sizes that the result turned out to have, named after the variables
// that are given back; sizes that only the data says are outputs behind those they are of. Text and
// functions are values of any structure. False after a report.
bool AddOutputs(RoutineBuilder& b, const ir::Operand& result, const Form& form,
                const Location& loc);

// Tensors are left in the arena, their sizes and the scalars become the routine's outputs, which
// `formal` names. False where the two differ in structure.
bool ReturnForm(RoutineBuilder& b, const Form& form, const Form& formal, const Location& loc);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_LOWER_RESULT_H_

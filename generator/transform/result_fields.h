// Finds the values that a function returns.
#ifndef LATHE_TRANSFORM_RESULT_FIELDS_H_
#define LATHE_TRANSFORM_RESULT_FIELDS_H_

#include <vector>

#include "generator/ir/module.h"

namespace lathe::transform {

// Returns the binding of a variable at the top level, or null.
const ir::Binding* FindBinding(const ir::Body& body, ir::ValueId var);

// Returns the fields of the result: those of a tuple, or the only one.
std::vector<ir::Operand> ResultFields(const ir::Body& body);

// Returns whether the module calls the function or uses it as a value.
bool IsUsed(const ir::Module& module, ir::GlobalId function);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_RESULT_FIELDS_H_

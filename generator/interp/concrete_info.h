// Structural information of what is there: every dimension a number.
#ifndef LATHE_INTERP_CONCRETE_INFO_H_
#define LATHE_INTERP_CONCRETE_INFO_H_

#include "generator/interp/runtime.h"
#include "generator/interp/scope.h"

namespace lathe::interp {

ir::StructInfoRef ConcreteInfo(Runtime& rt, const Value& value);

// Of an operand, without copying constants. Object for one that has no value.
ir::StructInfoRef ConcreteInfo(Runtime& rt, const ir::Operand& operand, const Scope& scope);

// Every tensor in `info`, a tensor or a tuple, from left to right; nothing when something else is
// in it or a shape or dtype is not known in numbers.
std::optional<std::vector<ir::StructInfoRef>> ConcreteTensors(ir::StructInfoRef info);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_CONCRETE_INFO_H_

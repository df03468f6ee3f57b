// Computes the structural information of run-time values, in which every dimension is a number.
#ifndef LATHE_INTERP_CONCRETE_INFO_H_
#define LATHE_INTERP_CONCRETE_INFO_H_

#include "generator/interp/runtime.h"
#include "generator/interp/scope.h"

namespace lathe::interp {

// Returns the info of `value`. Object for values that have no structure, such as strings.
ir::StructInfoRef ConcreteInfo(Runtime& rt, const Value& value);

// Returns the info of an operand, without copying constants. Object when the operand has no value.
ir::StructInfoRef ConcreteInfo(Runtime& rt, const ir::Operand& operand, const Scope& scope);

// Returns the tensors in `info`, a tensor or a tuple, from left to right. Returns nullopt if it
// contains anything else, or if a shape or dtype is not constant.
std::optional<std::vector<ir::StructInfoRef>> ConcreteTensors(ir::StructInfoRef info);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_CONCRETE_INFO_H_

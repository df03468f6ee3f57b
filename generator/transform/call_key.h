// Computes a key that is equal for two calls exactly when they compute the same of the same
// operands.
#ifndef LATHE_TRANSFORM_CALL_KEY_H_
#define LATHE_TRANSFORM_CALL_KEY_H_

#include <string>

#include "generator/ir/module.h"

namespace lathe::transform {

// For lookups in one Context only, not for printing or sorting.
std::string KeyOf(const ir::Call& call);
std::string KeyOf(const ir::Operand& operand);
std::string KeyOf(const ir::AttrMap& attrs);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_CALL_KEY_H_

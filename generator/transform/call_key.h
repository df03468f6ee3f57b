// Computes a key that is equal for calls with the same callee, operands, attributes and struct info
// arguments, so that a table finds an earlier equal call.
#ifndef LATHE_TRANSFORM_CALL_KEY_H_
#define LATHE_TRANSFORM_CALL_KEY_H_

#include <string>

#include "generator/ir/module.h"

namespace lathe::transform {

// Keys contain ids and addresses: constants, scalar expressions and index maps are compared by
// identity. They are for lookups in one Context, not for printing or sorting.
std::string KeyOf(const ir::Call& call);
std::string KeyOf(const ir::Operand& operand);
std::string KeyOf(const ir::AttrMap& attrs);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_CALL_KEY_H_

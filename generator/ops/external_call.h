// Replaces collectives by calls of external functions, which the user links.
//
//   y = R.ccl.allreduce(x, op_type="sum", in_group=True)
//     →  y = R.call_dps_packed("lathe.ccl.allreduce", (x, R.str("sum"), R.prim_value(True)),
//                              out_sinfo=R.Tensor(...))
//
// docs/collectives.md documents the arguments of each function.
#ifndef LATHE_OPS_EXTERNAL_CALL_H_
#define LATHE_OPS_EXTERNAL_CALL_H_

#include <optional>
#include <string>

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/ir/op.h"

namespace lathe::ops {

// Returns the name of the function, such as "lathe.ccl.allreduce"; empty for operators without one.
std::string ExternalFunction(const ir::Op& op);

// Converts `call` to a call of the function, with the arguments, the attributes in the order of the
// schema, and the result tensor. Returns nullopt if an attribute has another type: only integers,
// flags and text can be passed.
std::optional<ir::Call> ExternalCall(ir::Context& context, const ir::Call& call,
                                     ir::StructInfoRef result);

}  // namespace lathe::ops

#endif  // LATHE_OPS_EXTERNAL_CALL_H_

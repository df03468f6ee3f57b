// Operators that are done by a function from outside, which the user links: exchanges between
// workers.
//
//   y = R.ccl.allreduce(x, op_type="sum", in_group=True)
//     →  y = R.call_dps_packed("lathe.ccl.allreduce", (x, R.str("sum"), R.prim_value(True)),
//                              out_sinfo=R.Tensor(...))
//
// docs/collectives.md says what each function is given.
#ifndef LATHE_OPS_EXTERNAL_CALL_H_
#define LATHE_OPS_EXTERNAL_CALL_H_

#include <optional>
#include <string>

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/ir/op.h"

namespace lathe::ops {

// "lathe.ccl.allreduce"; empty for operators that no such function does.
std::string ExternalFunction(const ir::Op& op);

// The call as one of that function: the arguments, then the attributes in the order of the schema,
// then the tensor of the result. Nothing when an attribute is an object: only numbers, flags and
// text are handed on.
std::optional<ir::Call> ExternalCall(ir::Context& context, const ir::Call& call,
                                     ir::StructInfoRef result);

}  // namespace lathe::ops

#endif  // LATHE_OPS_EXTERNAL_CALL_H_

// From what a program writes to the call the IR holds: defaults filled in, short forms spelled out.
//
//   R.nn.max_pool2d(x, pool_size=2)   →   pool_size=[2, 2], strides=[1, 1], padding=[0, 0, 0, 0],
//   ...
#ifndef LATHE_OPS_COMPLETE_CALL_H_
#define LATHE_OPS_COMPLETE_CALL_H_

#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/ir/op.h"

namespace lathe::ops {

// Completes `call`, whose callee is an operator and whose `attrs` hold what was written. `args` are
// its arguments by OpParam::position, nothing where the program gave none (or None); those of a
// variadic parameter come last. Fails with a message for the user when a required one is missing.
absl::Status CompleteCall(ir::Context& context, const ir::Op& signature,
                          std::vector<std::optional<ir::Operand>> args, ir::Call& call);

// A call that the compiler makes of operator `name`, which is in the list and needs no attributes
// but those given and those with defaults.
ir::Call CallOf(absl::string_view name, std::vector<ir::Operand> args, ir::AttrMap attrs = {});

// The attributes alone.
absl::Status CompleteAttrs(const ir::Op& signature, ir::AttrMap& attrs);

}  // namespace lathe::ops

#endif  // LATHE_OPS_COMPLETE_CALL_H_

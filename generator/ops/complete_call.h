// Completes a surface call to the call in the IR: fills in defaults and expands short forms.
//
//   R.nn.max_pool2d(x, pool_size=2)   →   pool_size=[2, 2], strides=[1, 1], ...
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

// Sets the arguments of `call` and completes its attributes. `call` has an operator as callee and
// the written attributes in `attrs`. `args` are its arguments by OpParam::position, nullopt when
// absent or None; those of a variadic parameter come last. Fails with a message for the user when a
// required argument or attribute is missing, or an argument before a given one.
absl::Status CompleteCall(ir::Context& context, const ir::Op& signature,
                          std::vector<std::optional<ir::Operand>> args, ir::Call& call);

// Creates a call of operator `name`, which must exist. Attributes other than `attrs` get their
// defaults.
ir::Call CallOf(absl::string_view name, std::vector<ir::Operand> args, ir::AttrMap attrs = {});

// Completes only the attributes.
absl::Status CompleteAttrs(const ir::Op& signature, ir::AttrMap& attrs);

}  // namespace lathe::ops

#endif  // LATHE_OPS_COMPLETE_CALL_H_

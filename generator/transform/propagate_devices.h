// Devices carried backward: from a result to the operands it is computed from.
#ifndef LATHE_TRANSFORM_PROPAGATE_DEVICES_H_
#define LATHE_TRANSFORM_PROPAGATE_DEVICES_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::transform {

// Gives parameters, bindings, casts and the infos of results that calls are given the devices that
// follow from those known, as annotations for the next derivation to respect. Reports a tensor that
// would have to lie on two devices. Needs Value::info.
void PropagateDevicesBackward(ir::Context& context, ir::Module& module, Diagnostics& diags);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_PROPAGATE_DEVICES_H_

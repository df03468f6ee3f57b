// Propagates devices backward, from results to their operands.
#ifndef LATHE_TRANSFORM_PROPAGATE_DEVICES_H_
#define LATHE_TRANSFORM_PROPAGATE_DEVICES_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::transform {

// Annotates parameters, bindings, casts and result infos of calls with the devices that follow from
// known ones, for the next derivation. Reports a tensor that would need two devices. Needs
// Value::info.
void PropagateDevicesBackward(ir::Context& context, ir::Module& module, Diagnostics& diags);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_PROPAGATE_DEVICES_H_

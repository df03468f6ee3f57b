// Checks that every variable that an operator or a PrimFunc takes as a tensor has a device.
// Arguments of R.to_vdevice and constants need none.
#ifndef LATHE_TRANSFORM_CHECK_DEVICES_KNOWN_H_
#define LATHE_TRANSFORM_CHECK_DEVICES_KNOWN_H_

#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::transform {

// Reports each variable without a device once.
void CheckDevicesKnown(const ir::Module& module, Diagnostics& diags);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_CHECK_DEVICES_KNOWN_H_

// The last word on devices: every tensor that an operator or a PrimFunc is given lies somewhere.
#ifndef LATHE_TRANSFORM_CHECK_DEVICES_KNOWN_H_
#define LATHE_TRANSFORM_CHECK_DEVICES_KNOWN_H_

#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::transform {

// Reports each variable of which it is not known, once.
void CheckDevicesKnown(const ir::Module& module, Diagnostics& diags);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_CHECK_DEVICES_KNOWN_H_

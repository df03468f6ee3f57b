// Replaces R.hint_on_device(x, R.cuda(0)) by R.to_vdevice(x, "cuda:0"), or by x when x is already
// there.
#ifndef LATHE_TRANSFORM_DESUGAR_DEVICE_HINTS_H_
#define LATHE_TRANSFORM_DESUGAR_DEVICE_HINTS_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::transform {

// Returns true if there was a hint. Needs Value::info. A hint names a device of the machine. It
// selects the first device of the module with the same kind and index and, if the hint names one,
// the same memory scope. Without such a device, the hint is reported and becomes x.
bool DesugarDeviceHints(ir::Context& context, ir::Module& module, Diagnostics& diags);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_DESUGAR_DEVICE_HINTS_H_

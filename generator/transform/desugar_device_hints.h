// R.hint_on_device(x, R.cuda(0)) becomes R.to_vdevice(x, "cuda:0"), or x where it lies there.
#ifndef LATHE_TRANSFORM_DESUGAR_DEVICE_HINTS_H_
#define LATHE_TRANSFORM_DESUGAR_DEVICE_HINTS_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::transform {

// True when there was one. Needs Value::info. A hint names a device of the machine; the first
// device of the module with its kind, index and memory scope is meant, and it is an error when
// there is none.
bool DesugarDeviceHints(ir::Context& context, ir::Module& module, Diagnostics& diags);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_DESUGAR_DEVICE_HINTS_H_

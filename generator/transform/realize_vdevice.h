// Assigns a device to every tensor of a module with devices: the specification's propagation of
// virtual devices.
//
//   s: R.Tensor((2, 3), "float32", "llvm") = R.add(x, y)    ->  x and y are on llvm, and so are
//   m = R.multiply(s, z)                                        their sources; then m, and so z
//
// Propagates backward from known results to their operands, then forward by derivation. A hint
// becomes a copy, unless its data is already known to be on that device.
#ifndef LATHE_TRANSFORM_REALIZE_VDEVICE_H_
#define LATHE_TRANSFORM_REALIZE_VDEVICE_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::transform {

// Replaces DeriveStructInfo: derives infos, assigns devices, and derives again, reporting only the
// problems of the last run. A module without devices is derived once. An argument of an operator or
// a PrimFunc without a device is an error, except for R.to_vdevice, which accepts data on any
// device, and for constants, which are part of the program.
void RealizeVDevice(ir::Context& context, ir::Module& module, Diagnostics& diags);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_REALIZE_VDEVICE_H_

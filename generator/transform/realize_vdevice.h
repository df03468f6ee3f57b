// Decides for every tensor of a module with devices where it lies: the specification's propagation
// of virtual devices.
//
//   s: R.Tensor((2, 3), "float32", "llvm") = R.add(x, y)    ->  x and y lie on llvm, and what they
//   m = R.multiply(s, z)                                        are bound to; then m, and so z
//
// Backward from what is known of results to what they are computed from, then forward again by
// derivation. A hint becomes a copy, unless its data is known to lie there already.
#ifndef LATHE_TRANSFORM_REALIZE_VDEVICE_H_
#define LATHE_TRANSFORM_REALIZE_VDEVICE_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::transform {

// Takes the place of DeriveStructInfo: derives infos first, settles devices, and derives again,
// which is the run whose problems are reported. A module without devices is derived once. Where a
// device is still not known for an argument of an operator or a PrimFunc, that is an error; except
// for R.to_vdevice, which takes its data from wherever it is, and for constants, which come with
// the program.
void RealizeVDevice(ir::Context& context, ir::Module& module, Diagnostics& diags);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_REALIZE_VDEVICE_H_

// Removes unused functions of a module.
#ifndef LATHE_TRANSFORM_REMOVE_GLOBALS_H_
#define LATHE_TRANSFORM_REMOVE_GLOBALS_H_

#include "generator/ir/module.h"

namespace lathe::transform {

// Keeps the functions flagged in `keep`, in order, with new ids. Kept functions must not refer to
// removed ones.
void KeepGlobals(ir::Module& module, const IdVector<ir::GlobalId, char>& keep);

// Removes functions that no exported function reaches, by calls or as values, from Relax or TIR.
// Does nothing in a module without exported functions or without a class.
void RemoveUnreachableGlobals(ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_REMOVE_GLOBALS_H_

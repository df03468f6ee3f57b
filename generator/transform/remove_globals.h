// Functions of a module that nothing needs, left out.
#ifndef LATHE_TRANSFORM_REMOVE_GLOBALS_H_
#define LATHE_TRANSFORM_REMOVE_GLOBALS_H_

#include "generator/ir/module.h"

namespace lathe::transform {

// Keeps those that `keep` says, in their order, and gives them new ids. What is left out must not
// be mentioned by what stays.
void KeepGlobals(ir::Module& module, const IdVector<ir::GlobalId, char>& keep);

// Removes the functions that no exported one reaches, by calls or as values, from Relax or from
// TIR. Does nothing in a module without exported functions, or whose functions are all on their
// own.
void RemoveUnreachableGlobals(ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_REMOVE_GLOBALS_H_

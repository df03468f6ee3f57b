// Compares two modules up to renaming of variables; used to check round trips.
//
// Functions are paired by name; variables, shape variables and buffers in the order of their
// occurrence. Attributes, annotations and constants are compared bit for bit; locations, derived
// information and the module's name are ignored.
#ifndef LATHE_IR_STRUCTURAL_EQUAL_H_
#define LATHE_IR_STRUCTURAL_EQUAL_H_

#include <string>

#include "generator/ir/module.h"

namespace lathe::ir {

// If they differ and `where` is not null, it receives the first difference: "function 'main':
// binding 'lv0': argument 1: the variable 'x' against 'y'".
bool StructurallyEqual(const Module& a, const Module& b, std::string* where);

// Compares one function of each module.
bool StructurallyEqual(const Module& module_a, const Global& a, const Module& module_b,
                       const Global& b, std::string* where);

}  // namespace lathe::ir

#endif  // LATHE_IR_STRUCTURAL_EQUAL_H_

// Whether two programs are the same up to the names of their variables: the judge of round trips.
//
// Functions are paired by name, variables, shape variables and buffers in the order in which they
// appear. Attributes, annotations and constants count bit for bit; places, derived information and
// the module's name do not.
#ifndef LATHE_IR_STRUCTURAL_EQUAL_H_
#define LATHE_IR_STRUCTURAL_EQUAL_H_

#include <string>

#include "generator/ir/module.h"

namespace lathe::ir {

// When they differ and `where` is not null, it says what the first difference is:
// "function 'main': binding 'lv0': argument 1: the variable 'x' against 'y'".
bool StructurallyEqual(const Module& a, const Module& b, std::string* where);

// The same for one function of each module.
bool StructurallyEqual(const Module& module_a, const Global& a, const Module& module_b,
                       const Global& b, std::string* where);

}  // namespace lathe::ir

#endif  // LATHE_IR_STRUCTURAL_EQUAL_H_

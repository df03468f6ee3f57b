// The structure of a value: what a routine has to know of it before it runs.
#ifndef LATHE_LOWER_STRUCTURE_OF_H_
#define LATHE_LOWER_STRUCTURE_OF_H_

#include <cstddef>
#include <string>

#include "generator/ir/program.h"
#include "generator/lower/form.h"

namespace lathe::lower {

// The same text for forms that differ in numbers alone: ranks and dtypes of tensors, which
// functions with what they keep, texts.
std::string StructureOf(const ir::Program& program, const Form& form);

// What a value may consist of: forms are trees, and (a, a) of (a, a) of ... doubles with each line.
inline constexpr size_t kMostPartsOfValue = 65536;

// Leaves of a form: tensors, scalars, functions, shapes, texts.
size_t CountLeaves(const Form& form);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_STRUCTURE_OF_H_

// Computes the structure of a value: what a routine must know about it at compile time.
#ifndef LATHE_LOWER_STRUCTURE_OF_H_
#define LATHE_LOWER_STRUCTURE_OF_H_

#include <cstddef>
#include <string>

#include "generator/ir/program.h"
#include "generator/lower/form.h"

namespace lathe::lower {

// Returns equal text for forms that differ only in sizes and scalars. The text contains the ranks
// and dtypes of tensors, functions with their captured values, and strings.
std::string StructureOf(const ir::Program& program, const Form& form);

// The limit of the parts of a value. Forms are trees, so (a, a) of (a, a) and so on grows
// exponentially.
inline constexpr size_t kMaxPartsOfValue = 65536;

// Counts the leaves of a form: tensors, scalars, functions, shapes and strings.
size_t CountLeaves(const Form& form);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_STRUCTURE_OF_H_

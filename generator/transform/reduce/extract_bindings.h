// Makes a function of some bindings of a function: the values that they need become parameters, and
// the values that others used become results.
//
//   def main(x):                          def main(a):
//     a = R.exp(x)                          b = R.sin(a)
//     b = R.sin(a)                →         return b
//     c = R.cos(b)
//     return c
#ifndef LATHE_TRANSFORM_REDUCE_EXTRACT_BINDINGS_H_
#define LATHE_TRANSFORM_REDUCE_EXTRACT_BINDINGS_H_

#include <cstddef>
#include <vector>

#include "generator/ir/module.h"

namespace lathe::transform {

// The fields of a parameter, those of inner tuples included: tuples share fields, so the text of a
// few of them may be endless.
inline constexpr int kMaxParameterFields = 100;

// Returns true for the structures that parameters and results of exported functions may have:
// tensors, scalars, shapes, and tuples of these with at most kMaxParameterFields fields. `info` may
// be null.
bool CanBeParameter(ir::StructInfoRef info);

// Returns the number of bindings of the body of `f`, without those inside branches and functions.
size_t CountBindings(const ir::Function& f);

// Keeps the bindings of the body of `function` with the positions `kept`, ascending. Attributes
// that describe parameters and results are dropped, so the function loses its state. Needs
// Value::info. Returns false, with `module` in an unspecified state, if a needed value cannot be a
// parameter, or if no kept binding has a result. The module may break rules: a parameter may
// mention shape variables that nothing binds.
bool ExtractBindings(ir::Module& module, ir::GlobalId function, const std::vector<size_t>& kept);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_REDUCE_EXTRACT_BINDINGS_H_

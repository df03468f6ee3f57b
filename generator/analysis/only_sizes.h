// Numbers that have to be sizes because a shape is matched with R.Shape(ndim=...), which names none
// of them: the one check of such a match that subtyping does not tell of.
#ifndef LATHE_ANALYSIS_ONLY_SIZES_H_
#define LATHE_ANALYSIS_ONLY_SIZES_H_

#include "generator/ir/context.h"
#include "generator/ir/struct_info.h"

namespace lathe::analysis {

// Whether no shape that is known as `known` has a negative number where `wanted` names none, in
// tuples too.
bool HasOnlySizes(ir::Context& context, ir::StructInfoRef known, ir::StructInfoRef wanted);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_ONLY_SIZES_H_

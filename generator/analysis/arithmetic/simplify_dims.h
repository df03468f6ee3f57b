// Simplifies the dimensions of structural information: R.Tensor((n + 1 + 1,)) becomes R.Tensor((n +
// 2,)).
#ifndef LATHE_ANALYSIS_ARITHMETIC_SIMPLIFY_DIMS_H_
#define LATHE_ANALYSIS_ARITHMETIC_SIMPLIFY_DIMS_H_

#include "generator/analysis/arithmetic/assumptions.h"
#include "generator/ir/context.h"
#include "generator/ir/struct_info.h"

namespace lathe::analysis {

// Returns `info` with simplified dimensions and values. Function infos inside `info` are unchanged.
ir::StructInfoRef SimplifyDims(ir::Context& context, ir::StructInfoRef info,
                               const Assumptions& known);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_ARITHMETIC_SIMPLIFY_DIMS_H_

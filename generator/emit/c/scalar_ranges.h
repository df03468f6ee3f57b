// Computes the ranges of the scalar arguments of kernels over all call sites.
#ifndef LATHE_EMIT_C_SCALAR_RANGES_H_
#define LATHE_EMIT_C_SCALAR_RANGES_H_

#include <vector>

#include "generator/analysis/arithmetic/interval.h"
#include "generator/emit/c/model_names.h"

namespace lathe::emit {

// Returns, for each scalar parameter of each kernel, an interval that contains the argument of
// every call. The bounds come from constants and from the size ranges known in the calling routine
// (Model::SizesOf). The interval is empty if the kernel is never called. Requires FindCalled().
IdVector<ir::KernelId, std::vector<analysis::Interval>> ScalarRanges(const Model& model);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_SCALAR_RANGES_H_

// The numbers that kernels are given, over all calls of them.
#ifndef LATHE_EMIT_C_SCALAR_RANGES_H_
#define LATHE_EMIT_C_SCALAR_RANGES_H_

#include <vector>

#include "generator/analysis/arithmetic/interval.h"
#include "generator/emit/c/model_names.h"

namespace lathe::emit {

// For each scalar of each kernel, where its values are, as far as that is known before the program
// runs: sizes that their callers keep to bounds are, and numbers. It is known already which
// routines are called (FindCalled).
IdVector<ir::KernelId, std::vector<analysis::Interval>> ScalarRanges(const Model& model);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_SCALAR_RANGES_H_

// How often a loop nest multiplies and adds.
#ifndef LATHE_ANALYSIS_COUNT_MACS_H_
#define LATHE_ANALYSIS_COUNT_MACS_H_

#include <cstdint>
#include <optional>

#include "generator/ir/tir.h"

namespace lathe::analysis {

// Sums one of whose sides is a product, of values, not of subscripts, times the extents of the
// loops around them. Of the branches of an `if` the one with more counts. Nothing when an extent is
// not a number.
std::optional<int64_t> CountMacs(const ir::PrimFunc& func);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_COUNT_MACS_H_

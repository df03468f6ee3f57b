// Counts the multiply-accumulate operations of a loop nest.
#ifndef LATHE_ANALYSIS_COUNT_MACS_H_
#define LATHE_ANALYSIS_COUNT_MACS_H_

#include <cstdint>
#include <optional>

#include "generator/ir/tir.h"

namespace lathe::analysis {

// The attribute of a PrimFunc that computes some results twice, as the last rows of a tile: the
// multiply-accumulate operations without these repetitions.
inline constexpr char kMacs[] = "macs";

// Returns the attribute kMacs. Without it, counts additions with a product as an operand, in stored
// values but not in subscripts, times the extents of the surrounding loops. Adds the operations of
// the int8 products and convolutions (ir/defined_operations.h, ir/int8_dot.h). Of the branches of
// an `if` the larger count is used. Returns nothing if an extent is not known.
std::optional<int64_t> CountMacs(const ir::PrimFunc& func);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_COUNT_MACS_H_

// Counts how often the loops of a statement execute something.
#ifndef LATHE_ANALYSIS_COUNT_IN_LOOPS_H_
#define LATHE_ANALYSIS_COUNT_IN_LOOPS_H_

#include <cstdint>
#include <optional>

#include "absl/functional/function_ref.h"
#include "generator/ir/tir.h"

namespace lathe::analysis {

// Adds what `count` returns for each statement, times the extents of the loops around it; of the
// branches of an `if` the larger number. `count` returns nothing for statements that only contain
// others. Returns nothing if an extent is symbolic, for a `while` loop around a number, and if the
// sum overflows 63 bits.
std::optional<int64_t> CountInLoops(ir::StmtRef stmt,
                                    absl::FunctionRef<std::optional<int64_t>(ir::StmtRef)> count);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_COUNT_IN_LOOPS_H_

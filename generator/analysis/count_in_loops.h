// Counts how often the loops of a statement execute something.
#ifndef LATHE_ANALYSIS_COUNT_IN_LOOPS_H_
#define LATHE_ANALYSIS_COUNT_IN_LOOPS_H_

#include <cstdint>
#include <optional>

#include "absl/functional/function_ref.h"
#include "generator/ir/tir.h"

namespace lathe::analysis {

// Returns the sum of the numbers that `count` returns for the statements, each times the extents of
// the loops around it. Of the branches of an `if` whose condition is not known the larger sum is
// used. `count` returns nothing for statements that only contain others. Returns nothing if a loop
// around a number other than 0 is a `while` loop or has an extent that neither is a constant nor
// follows from the loops around it, and if the sum overflows 63 bits.
std::optional<int64_t> CountInLoops(ir::StmtRef stmt,
                                    absl::FunctionRef<std::optional<int64_t>(ir::StmtRef)> count);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_COUNT_IN_LOOPS_H_

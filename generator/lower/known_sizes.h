// Defines the ranges of sizes: those known at the entry of a routine and the limits that computed
// sizes are checked against. Within them, size arithmetic cannot overflow.
#ifndef LATHE_LOWER_KNOWN_SIZES_H_
#define LATHE_LOWER_KNOWN_SIZES_H_

#include <cstdint>

#include "absl/container/flat_hash_set.h"
#include "generator/analysis/arithmetic/assumptions.h"
#include "generator/ir/program.h"

namespace lathe::lower {

// The limit of a dimension that a caller passes and that has no declared bound. Larger ones fail
// with LATHE_E_SHAPE.
inline constexpr int64_t kMaxGiven = int64_t{1} << 40;
// The limit of the number of elements of a tensor: its size in bytes fits into 64 bits.
inline constexpr int64_t kMaxElements = int64_t{1} << 58;

// Returns the variables that are dimensions of the routine's inputs.
absl::flat_hash_set<ir::PrimRef> SizesOfInputs(const ir::Program& program,
                                               const ir::Routine& routine);

// Returns the ranges of the variables at the entry of the routine. `is_entry` states that only
// the generated entry calls it, which checks them; otherwise other routines call it with sizes of
// existing tensors.
analysis::Assumptions KnownSizes(const ir::Context& context, const ir::Program& program,
                                 const ir::Routine& routine, bool is_entry);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_KNOWN_SIZES_H_

// How large sizes may be: what is known of those that a routine begins with, and what every size
// that is computed of them is kept to, so that no arithmetic of sizes overflows.
#ifndef LATHE_LOWER_KNOWN_SIZES_H_
#define LATHE_LOWER_KNOWN_SIZES_H_

#include <cstdint>

#include "absl/container/flat_hash_set.h"
#include "generator/analysis/arithmetic/assumptions.h"
#include "generator/ir/program.h"

namespace lathe::lower {

// Of a dimension that a caller gives and the program declares no bound for: LATHE_E_SHAPE beyond.
inline constexpr int64_t kMostGiven = int64_t{1} << 40;
// Of a tensor whose sizes are numbers of the program's or of its caller's: its bytes have a number.
inline constexpr int64_t kMostElements = int64_t{1} << 58;

// The variables that are dimensions of tensors among the routine's inputs.
absl::flat_hash_set<ir::PrimRef> SizesOfInputs(const ir::Program& program,
                                               const ir::Routine& routine);

// The ranges of what the routine begins with, where nothing but the generated entry `from_outside`
// calls it, which checks them, or other routines do, whose tensors have such sizes already.
analysis::Assumptions KnownSizes(const ir::Context& context, const ir::Program& program,
                                 const ir::Routine& routine, bool from_outside);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_KNOWN_SIZES_H_

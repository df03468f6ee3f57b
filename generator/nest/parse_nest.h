// Parses a PrimFunc into a list of stages.
#ifndef LATHE_NEST_PARSE_NEST_H_
#define LATHE_NEST_PARSE_NEST_H_

#include <optional>

#include "generator/ir/context.h"
#include "generator/nest/nest.h"

namespace lathe::nest {

// Returns nothing if the function is not a nest: its loop order matters, a block has several
// results, side effects or a predicate, a loop is not serial from 0 with step 1, or a loop or block
// has annotations.
std::optional<Nest> ParseNest(ir::Context& context, const ir::PrimFunc& func);

}  // namespace lathe::nest

#endif  // LATHE_NEST_PARSE_NEST_H_

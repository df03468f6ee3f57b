// The stages of a PrimFunc.
#ifndef LATHE_NEST_PARSE_NEST_H_
#define LATHE_NEST_PARSE_NEST_H_

#include <optional>

#include "generator/ir/context.h"
#include "generator/nest/nest.h"

namespace lathe::nest {

// Nothing when the function is not of this form: orders that count, several results at once,
// effects, loops under annotations.
std::optional<Nest> ParseNest(ir::Context& context, const ir::PrimFunc& func);

}  // namespace lathe::nest

#endif  // LATHE_NEST_PARSE_NEST_H_
